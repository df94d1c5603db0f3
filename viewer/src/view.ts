// view.ts - the 3-D view: camera, light, grid, picking.
import {
  AmbientLight,
  AxesHelper,
  BufferGeometry,
  Color,
  DirectionalLight,
  Line,
  LineBasicMaterial,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Batch } from "./batch.js";
import { isDark } from "./colors.js";
import { makeGrid } from "./grid.js";
import type { Machine } from "./machine.js";

export const sides: Record<string, [number, number, number]> = {
  x: [1, 0, 0],
  y: [0, -1, 0],
  z: [0, 0, 1],
  iso: [0.55, -0.75, 0.4],
};

const hoverInterval = 100; // in milliseconds, between two looks for the part under the mouse

export class View {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly up = new Vector3(0, 0, 1);
  private trail: Line | null = null;
  private isStale = true;
  private t = 0;

  constructor(
    private readonly holder: HTMLElement,
    private readonly machines: Machine[],
    private readonly onPick: (body: number) => void,
    private readonly onHover: (body: number) => void,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The mechanism in 3-D; drag to orbit, scroll to zoom");
    holder.append(this.canvas);
    this.orient();
    machines.forEach((machine) => this.scene.add(machine.group));
    this.addLight();
    this.addGrid();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.redraw());
    this.show("iso");
    new ResizeObserver(() => this.fill()).observe(holder);
    this.listen();
    this.theme();
  }

  get machine(): Machine {
    return this.machines[0];
  }

  /** Up is where gravity does not pull; a flat mechanism without any is seen from above. */
  private orient(): void {
    const gravity = new Vector3(...(this.machine.scene.gravity as [number, number, number]));
    if (gravity.lengthSq() > 0) this.up.copy(gravity).normalize().negate();
    this.camera.up.copy(this.up);
  }

  private addLight(): void {
    this.scene.add(new AmbientLight(0xffffff, 1.4));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(1.5, -2, 3);
    this.camera.add(sun);
    this.scene.add(this.camera);
  }

  private addGrid(): void {
    const { extent } = this.machine;
    this.scene.add(makeGrid(extent, this.up), new AxesHelper(0.15 * extent));
  }

  theme(): void {
    this.scene.background = new Color(isDark() ? "#16191d" : "#f4f5f6");
    this.redraw();
  }

  /** Where to look from: from the front of a flat mechanism, a little from above. */
  private angle(): Vector3 {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    const [x, y, z] = this.machine.size.toArray();
    const thin = Math.min(x, y, z);
    const normal = new Vector3(x === thin ? 1 : 0, 0, 0);
    if (x !== thin) normal.set(0, y === thin ? -1 : 0, y === thin ? 0 : 1);
    const isFlat = thin < 0.25 * (x + y + z - thin - Math.max(x, y, z));
    if (!isFlat || Math.abs(normal.dot(this.up)) > 0.5) {
      return new Vector3(...sides.iso).applyQuaternion(turn);
    }
    const side = new Vector3().crossVectors(this.up, normal);
    return normal.addScaledVector(side, -0.35).addScaledVector(this.up, 0.35);
  }

  /** Look along an axis, or at an angle, with everything in sight. */
  show(side: string): void {
    const { extent, centre } = this.machine;
    const from = side === "iso" ? this.angle() : new Vector3(...sides[side]);
    if (Math.abs(from.clone().normalize().dot(this.up)) > 0.99) from.x += 1e-3;
    const distance = (0.62 * extent) / Math.tan((this.camera.fov * Math.PI) / 360);
    this.camera.position.copy(centre).addScaledVector(from.normalize(), distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls?.target.copy(centre);
    this.controls?.update();
    this.redraw();
  }

  /** As large as the place it has. */
  fill(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  private listen(): void {
    let pressed = new Vector2();
    this.canvas.addEventListener("pointerdown", (event) =>
      pressed.set(event.clientX, event.clientY),
    );
    this.canvas.addEventListener("pointerup", (event) => {
      if (pressed.distanceTo(new Vector2(event.clientX, event.clientY)) < 4) {
        this.onPick(this.bodyAt(event.clientX, event.clientY));
      }
    });
    let last = 0;
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0 || event.timeStamp - last < hoverInterval) return;
      last = event.timeStamp;
      this.onHover(this.bodyAt(event.clientX, event.clientY));
    });
  }

  /** The body under a point of the window, -1: none. */
  bodyAt(x: number, y: number): number {
    const box = this.canvas.getBoundingClientRect();
    const point = new Vector2(
      ((x - box.left) / box.width) * 2 - 1,
      1 - ((y - box.top) / box.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(point, this.camera);
    for (const hit of ray.intersectObject(this.machine.group, true)) {
      const batch = hit.object.userData.batch as Batch | undefined;
      const body =
        batch && hit.instanceId !== undefined
          ? batch.copies[hit.instanceId].body
          : this.machine.bodyOf(hit.object, hit.point);
      if (body > 0) return body;
    }
    return -1;
  }

  /** Where a body is on the screen, for tests and labels. */
  screenOf(body: number): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const at = this.machine.poses[body].x.clone().project(this.camera);
    return {
      x: box.left + ((at.x + 1) / 2) * box.width,
      y: box.top + ((1 - at.y) / 2) * box.height,
    };
  }

  /** Look at a place from near. */
  flyTo(place: Vector3): void {
    const way = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(place);
    this.camera.position.copy(place).add(way.setLength(0.4 * this.machine.extent));
    this.controls.update();
    this.redraw();
  }

  mark(body: number): void {
    this.machine.mark(body);
    this.redraw();
  }

  /** The path of a body; -1: none. */
  showTrail(body: number): void {
    if (this.trail) this.scene.remove(this.trail);
    this.trail = null;
    if (body > 0) {
      const path = new BufferGeometry().setFromPoints(this.machine.path(body));
      this.trail = new Line(path, new LineBasicMaterial({ color: "#c2742c" }));
      this.scene.add(this.trail);
    }
    this.redraw();
  }

  showGhost(isShown: boolean): void {
    if (this.machines[1]) this.machines[1].group.visible = isShown;
    this.redraw();
  }

  showLoads(isShown: boolean): void {
    this.machine.showLoads(isShown);
    this.update(this.t);
  }

  /** The same instant again. */
  refresh(): void {
    this.update(this.t);
  }

  update(t: number): void {
    this.t = t;
    this.machines.forEach((machine) => machine.update(t));
    this.redraw();
  }

  redraw(): void {
    this.isStale = true;
  }

  /** Called once a frame. */
  draw(): void {
    if (!this.isStale) return;
    this.isStale = false;
    this.renderer.render(this.scene, this.camera);
  }
}
