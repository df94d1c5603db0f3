// machine.ts - the mechanism of one run as objects of three: everything is a function of time.
import { Group, Matrix4, MeshLambertMaterial, Object3D, Quaternion, Vector3 } from "three";
import { Batch, Batches } from "./batch.js";
import { BeamLoads } from "./beam_loads.js";
import { Coil } from "./coil.js";
import { partColor } from "./colors.js";
import type { Body, Frame, Run, SceneData, Shape } from "./data.js";
import { FlexibleBody } from "./flexible.js";
import { Loads, unrecorded } from "./loads.js";
import { displace, Displacement } from "./modes.js";
import { Pose, Track } from "./pose.js";
import { ShapeMaker, vector } from "./shapes.js";
import { Tube } from "./tube.js";

/** Points NAME.x, NAME.y, NAME.z among coordinates or outputs: of a model without parts. */
export function sceneOfPoints(run: Run): SceneData | null {
  const scene: SceneData = {
    gravity: [0, 0, 0],
    bodies: [{ name: "ground", type: "body" }],
    shapes: [],
    beams: [],
    joints: [],
    forces: [],
    contacts: [],
  };
  run.head.signals.forEach((signal, i) => {
    const isPlace = signal.group === "coordinates" || signal.group === "outputs";
    const { signals } = run.head;
    const prefix = signal.label.slice(0, -1);
    const follows = (step: number, part: string) =>
      signals[i + step]?.group === signal.group && signals[i + step]?.label === prefix + part;
    if (!isPlace || !/(^|\.)x$/.test(signal.label) || !follows(1, "y")) return;
    const velocity = signals.findIndex(
      (other) => other.group === "velocities" && other.label === `${prefix}vx`,
    );
    const isBody = follows(2, "z") && follows(3, "q0");
    scene.bodies.push({
      name: prefix.slice(0, -1) || "point",
      type: follows(2, "z") ? "point" : "flat",
      turns: isBody,
      x: i,
      vx: isBody ? velocity : -1,
    });
  });
  // neighbours in the list of coordinates are joined by lines
  const axes = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let body = 2; body < scene.bodies.length; body++) {
    const [a, b] = [scene.bodies[body - 1], scene.bodies[body]].map(
      (one) => run.head.signals[one.x!],
    );
    if (a.group !== "coordinates" || b.group !== "coordinates") continue;
    const end = (number: number): Frame => ({ body: number, at: [0, 0, 0], axes });
    scene.forces.push({ name: "", type: "beam", A: end(body - 1), B: end(body) });
  }
  return scene.bodies.length > 1 ? scene : null;
}

/** How far a shape reaches from its middle, at a guess; 0: nobody knows. */
function reachOf(shape: Shape): number {
  const halves = shape.radii ?? (shape.size ?? [0]).map((length) => length / 2);
  const corners = (shape.outline ?? []).filter((_, i) => i % 3 < 2).map(Math.abs);
  return shape.radius ?? Math.max(...halves, ...corners);
}

/** With more of them the mechanism would not be seen at first. */
const arrowsAtFirst = 40;

export class Machine {
  readonly group = new Group();
  readonly poses: Pose[];
  readonly extent: number;
  readonly centre = new Vector3();
  readonly size = new Vector3(1, 1, 1);
  loads: Loads | null = null;
  beamLoads: BeamLoads | null = null;
  private hasLoads = false;
  private shaking: Displacement | null = null;
  private readonly firstVelocity: number;
  private readonly interfaces: {
    body: number;
    flexible: FlexibleBody;
    place: Vector3;
    point: number;
  }[] = [];
  private readonly matrices: Matrix4[];
  private readonly batches: Batch[];
  private readonly tubes: { tube: Tube; bodies: number[] }[] = [];
  private readonly coils: { coil: Coil; A: Frame; B: Frame }[] = [];

  private constructor(
    readonly scene: SceneData,
    private readonly tracks: (Track | null)[],
    readonly flexible: FlexibleBody[],
    private readonly run: Run,
    isGhost: boolean,
  ) {
    this.firstVelocity = run.head.signals.findIndex(({ group }) => group === "velocities");
    this.findInterfaces();
    flexible.forEach(({ mesh }) => this.group.add(mesh));
    this.poses = scene.bodies.map(() => ({ x: new Vector3(), q: new Quaternion() }));
    this.matrices = scene.bodies.map(() => new Matrix4());
    this.extent = this.measure();
    const material = new MeshLambertMaterial(
      isGhost ? { transparent: true, opacity: 0.3, depthWrite: false } : { side: 2 },
    );
    const batches = new Batches();
    const maker = new ShapeMaker(scene, batches, this.extent);
    scene.shapes.forEach((shape) => maker.shape(shape));
    this.addSticks(maker);
    if (!isGhost) scene.joints.forEach((joint) => maker.joint(joint));
    this.batches = batches.make(material);
    this.batches.forEach((batch) => this.group.add(batch.mesh));
    this.addBeams(isGhost);
    this.addCoils();
  }

  static async make(run: Run, isGhost: boolean): Promise<Machine | null> {
    const scene = run.head.scene ?? sceneOfPoints(run);
    if (!scene) return null;
    for (const { name, x, vx } of scene.flexible ?? []) {
      scene.bodies.push({ name, type: "flexible", turns: true, x, vx });
    }
    const tracks = await Promise.all(
      scene.bodies.map((body) =>
        body.type === "flat" ? Track.point(run, [body.x!, body.x! + 1]) : Track.load(run, body),
      ),
    );
    const flexible = await Promise.all(
      (scene.flexible ?? []).map((data, i) =>
        FlexibleBody.make(run, data, partColor(i + 2), isGhost),
      ),
    );
    const shown = flexible.filter((body): body is FlexibleBody => body !== null);
    const machine = new Machine(scene, tracks, shown, run, isGhost);
    if (isGhost) return machine;
    machine.beamLoads = await BeamLoads.make(run, scene.beams);
    machine.loads = await Loads.make(run, scene, machine.extent, (frame) => machine.placeOf(frame));
    if (machine.loads) machine.group.add(machine.loads.group);
    machine.showLoads(machine.hasAnyLoads && (machine.loads?.count ?? 0) <= arrowsAtFirst);
    return machine;
  }

  /** Parts that have loads which the run did not record, as words; "": none. */
  get missingLoads(): string {
    return unrecorded(this.run, this.scene);
  }

  get hasAnyLoads(): boolean {
    return this.loads !== null || this.beamLoads !== null || this.flexible.length > 0;
  }

  /** Largest stress of all flexible bodies, 0: none. */
  get largestStress(): number {
    return Math.max(0, ...this.flexible.map((body) => body.largest));
  }

  /** Frames of flexible bodies that joints and forces hold on to. */
  private findInterfaces(): void {
    for (const flexible of this.flexible) {
      for (const { name, at } of flexible.data.interfaces) {
        const whole = `${flexible.data.name}.${name}`;
        const body = this.scene.bodies.findIndex((one) => one.name === whole);
        const place = vector(at);
        if (body < 0) continue;
        this.interfaces.push({ body, flexible, place, point: flexible.nearest(place) });
      }
    }
  }

  get areLoadsShown(): boolean {
    return this.hasLoads;
  }

  /** Arrows, and colours of beams. */
  showLoads(isShown: boolean): void {
    this.hasLoads = isShown;
    if (this.loads) this.loads.group.visible = isShown;
  }

  /** Size of the box that all bodies pass through, with their shapes at a guess. */
  private measure(): number {
    const { run } = this;
    const low = new Vector3(Infinity, Infinity, Infinity),
      high = low.clone().negate();
    const add = (point: Vector3) => {
      low.min(point);
      high.max(point);
    };
    const instants = Math.min(run.times.length, 60);
    for (let i = 0; i < instants; i++) {
      const k = Math.round((i * (run.times.length - 1)) / Math.max(instants - 1, 1));
      this.setTime(run.times[k]);
      this.poses.forEach((pose, body) => {
        if (this.tracks[body]) add(pose.x);
      });
      this.interfaces.forEach(({ body }) => add(this.poses[body].x));
      if (i > 0) continue;
      this.frames().forEach((frame) => add(this.placeOf(frame)));
      this.scene.shapes
        .filter((shape) => shape.type !== "plane")
        .forEach((shape) => {
          for (const point of [shape.from, shape.to, shape.at]) {
            if (point) add(vector(point).applyMatrix4(this.matrices[shape.body]));
          }
          const reach = reachOf(shape);
          const middle = vector(shape.at).applyMatrix4(this.matrices[shape.body]);
          add(middle.clone().addScalar(reach));
          add(middle.addScalar(-reach));
        });
    }
    if (!(low.x <= high.x)) return 1;
    this.centre.addVectors(low, high).multiplyScalar(0.5);
    this.size.subVectors(high, low);
    return Math.max(high.distanceTo(low), 1e-9);
  }

  private frames(): Frame[] {
    return [...this.scene.joints, ...this.scene.forces].flatMap((link) => [link.A, link.B]);
  }

  private addSticks(maker: ShapeMaker): void {
    const drawn = new Set(this.scene.shapes.map((shape) => shape.body));
    const ends = new Map<number, Vector3[]>();
    for (const frame of this.frames()) {
      const list = ends.get(frame.body) ?? [];
      list.push(vector(frame.at));
      ends.set(frame.body, list);
    }
    this.scene.bodies.forEach((body, i) => {
      if (i === 0 || ["node", "flexible"].includes(body.type)) return;
      if (this.interfaces.some((one) => one.body === i)) return;
      const all = ends.get(i) ?? [];
      if (!drawn.has(i)) maker.sticks(i, all);
      else
        maker.rods(
          i,
          all.filter((end) => end.distanceTo(vector(body.com)) > this.reach(i)),
        );
    });
  }

  /** How far the shapes of a body reach from its centre of mass. */
  private reach(body: number): number {
    const centre = vector(this.scene.bodies[body].com);
    const reaches = this.scene.shapes
      .filter((shape) => shape.body === body)
      .map((shape) => {
        const points = [shape.from, shape.to, shape.at ?? (shape.from ? undefined : [0, 0, 0])];
        const far = points.map((point) => (point ? vector(point).distanceTo(centre) : 0));
        const size =
          shape.type === "box" ? vector(shape.size).length() / 2 : reachOf(shape) || Infinity;
        return Math.max(...far) + size;
      });
    return 1.1 * Math.max(...reaches);
  }

  private addBeams(isGhost: boolean): void {
    const material = new MeshLambertMaterial(
      isGhost ? { vertexColors: true, transparent: true, opacity: 0.3 } : { vertexColors: true },
    );
    this.scene.beams.forEach((beam, i) => {
      const radius = Math.max(beam.radius, 0.004 * this.extent);
      const tube = new Tube(beam.nodes, radius, material, beam.color ?? partColor(i + 3));
      tube.mesh.userData.name = beam.name;
      const bodies = Array.from({ length: beam.nodes }, (_, k) => beam.first + k);
      this.tubes.push({ tube, bodies });
      this.group.add(tube.mesh);
    });
    (this.scene.lines ?? []).forEach((line, i) => {
      const radius = line.radius ?? 0.005 * this.extent;
      for (let k = 1; k < line.points.length; k++) {
        const tube = new Tube(2, radius, material, line.color ?? partColor(i + 1));
        tube.mesh.userData.name = line.name;
        this.tubes.push({ tube, bodies: line.points.slice(k - 1, k + 1) });
        this.group.add(tube.mesh);
      }
    });
  }

  private addCoils(): void {
    for (const force of this.scene.forces) {
      if (!["spring", "bushing", "beam"].includes(force.type)) continue;
      const length = this.placeOf(force.A).distanceTo(this.placeOf(force.B));
      const radius = Math.min(0.015 * this.extent, 0.07 * length);
      const coil = new Coil(radius, "#c2742c", force.type !== "spring");
      this.coils.push({ coil, A: force.A, B: force.B });
      this.group.add(coil.line);
    }
  }

  /** Where a frame is now. */
  placeOf(frame: Frame): Vector3 {
    return vector(frame.at).applyMatrix4(this.matrices[frame.body]);
  }

  /** Show a vibration about the first sample in place of the motion; null: the motion again. */
  shake(by: Displacement | null): void {
    this.shaking = by;
  }

  /** How far a displacement moves the bodies and their shapes, at most. */
  sizeOf(by: Displacement): number {
    this.setTime(this.run.times[0]);
    const places = () => [
      ...this.poses.map(({ x }) => x.clone()),
      ...this.frames().map((frame) => this.placeOf(frame)),
      ...this.flexible.flatMap((body) =>
        Array.from({ length: 50 }, (_, k) => body.at(Math.floor((k * body.data.points!) / 50))),
      ),
    ];
    const before = places();
    this.shaking = by;
    this.setTime(0);
    this.shaking = null;
    return Math.max(...places().map((place, i) => place.distanceTo(before[i])));
  }

  /** Where the displacement of a body stands: among velocities, or among recorded points. */
  private shakenBy({ x, vx }: Body): number {
    if (vx !== undefined && vx >= 0) return vx - this.firstVelocity;
    const { signals, scene } = this.run.head;
    if (x === undefined || signals[x]?.group !== "loads") return -1;
    return scene!.modes!.velocities! + x - signals.findIndex(({ group }) => group === "loads");
  }

  private setTime(time: number): void {
    const one = new Vector3(1, 1, 1);
    const { shaking, firstVelocity } = this;
    const t = shaking ? this.run.times[0] : time;
    this.tracks.forEach((track, i) => {
      if (!track) return;
      const pose = track.at(t, this.poses[i]);
      const index = shaking ? this.shakenBy(this.scene.bodies[i]) : -1;
      if (index >= 0) displace(pose, this.scene.bodies[i].turns === true, index, shaking!);
      this.matrices[i].compose(pose.x, pose.q, one);
    });
    this.flexible.forEach((body) => {
      body.setTime(t);
      if (shaking) body.shake(body.data.vx - firstVelocity, shaking);
    });
    for (const { body, flexible, place, point } of this.interfaces) {
      const pose = this.poses[body];
      pose.x.copy(flexible.placeWith(place, point));
      pose.q.copy(flexible.pose.q);
      this.matrices[body].compose(pose.x, pose.q, one);
    }
  }

  update(t: number): void {
    const areLoadsShown = this.hasLoads && !this.shaking;
    this.setTime(t);
    this.batches.forEach((batch) => batch.update(this.matrices));
    this.tubes.forEach(({ tube, bodies }, i) => {
      tube.update(bodies.map((body) => this.poses[body].x));
      const moments = areLoadsShown ? (this.beamLoads?.at(i, t) ?? []) : [];
      if (this.beamLoads) tube.paint(moments.map((moment) => moment / this.beamLoads!.largest));
    });
    for (const { coil, A, B } of this.coils) coil.update(this.placeOf(A), this.placeOf(B));
    this.flexible.forEach((body) => body.draw(areLoadsShown, this.largestStress));
    if (this.loads) this.loads.group.visible = areLoadsShown;
    this.loads?.update(t);
  }

  /** The flexible body, or the nearest node of the beam, that an object draws; -1: neither. */
  bodyOf(object: Object3D, point: Vector3): number {
    const flexible = this.flexible.find(({ mesh }) => mesh === object);
    if (flexible) return this.scene.bodies.findIndex(({ name }) => name === flexible.data.name);
    const nodes = this.tubes.find(({ tube }) => tube.mesh === object)?.bodies ?? [];
    const far = (body: number) => this.poses[body].x.distanceTo(point);
    return nodes.reduce((best, body) => (best < 0 || far(body) < far(best) ? body : best), -1);
  }

  mark(body: number): void {
    this.batches.forEach((batch) => batch.mark(body, "#e8a33d"));
  }

  /** Path of the origin of a body through all samples. */
  path(body: number): Vector3[] {
    const track = this.tracks[body];
    if (!track) return [];
    const pose = { x: new Vector3(), q: new Quaternion() };
    return Array.from(this.run.times, (t) => track.at(t, pose).x.clone());
  }
}
