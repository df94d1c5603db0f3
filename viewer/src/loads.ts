// loads.ts - loads that the run recorded, as arrows: what joints, forces and contacts do to their
// second body. The longest arrow is the largest force of the whole run.
import { Group, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import type { Frame, Run, SceneData } from "./data.js";

/** Colours of forces and of torques. */
export const loadColors = { joint: "#c0392b", force: "#c2742c", contact: "#1e8449" };
const torqueColor = "#7d3c98";

/** Where a frame is now. */
export type Place = (frame: Frame) => Vector3;

interface Load {
  name: string;
  color: string;
  unit: string;
  /** Signals of the three components, or of one along the line from A to B. */
  signals: number[];
  isTorque: boolean;
  A?: Frame;
  B?: Frame;
  /** Signals of the point of a contact. */
  point?: number[];
}

/** Signals of the group of loads by their names in the model. */
function loadSignals(run: Run): Map<string, number> {
  const known = new Map<string, number>();
  run.head.signals.forEach((signal, i) => {
    if (signal.group === "loads") known.set(signal.label, i);
  });
  return known;
}

function findLoads(run: Run, scene: SceneData): Load[] {
  const known = loadSignals(run),
    list: Load[] = [];
  const components = (name: string, kind: string) =>
    ["x", "y", "z"].map((axis) => known.get(`${name}.${kind}.${axis}`) ?? -1);
  const add = (load: Omit<Load, "unit">) => {
    if (load.signals.some((index) => index < 0)) return;
    list.push({ ...load, unit: run.head.signals[load.signals[0]].unit });
  };
  const ends = [
    ...scene.joints.map((link) => ({ link, color: loadColors.joint })),
    ...scene.forces.map((link) => ({ link, color: loadColors.force })),
  ];
  for (const { link, color } of ends) {
    const { name, A, B } = link;
    add({ name, color, isTorque: false, signals: components(name, "force"), A, B });
    add({ name, color: torqueColor, isTorque: true, signals: components(name, "torque"), A, B });
    add({ name, color, isTorque: false, signals: [known.get(`${name}.force`) ?? -1], A, B });
  }
  for (const { name } of scene.contacts) {
    const point = components(name, "point");
    if (point.includes(-1)) continue;
    const signals = components(name, "force");
    add({ name, color: loadColors.contact, isTorque: false, signals, point });
  }
  return list;
}

export class Loads {
  readonly group = new Group();
  /** Largest force and torque of the run. */
  readonly largest = { force: 0, torque: 0 };
  private readonly arrows: Arrows;

  private constructor(
    private readonly run: Run,
    private readonly list: Load[],
    private readonly extent: number,
    private readonly placeOf: Place,
  ) {
    this.arrows = new Arrows(
      list.map((load) => load.color),
      0.003 * extent,
    );
    this.group.add(this.arrows.group);
    for (const load of list) {
      const kind = load.isTorque ? "torque" : "force";
      this.largest[kind] = Math.max(this.largest[kind], this.largestOf(load));
    }
  }

  /** Null if the run recorded none. */
  static async make(
    run: Run,
    scene: SceneData,
    extent: number,
    placeOf: Place,
  ): Promise<Loads | null> {
    const list = findLoads(run, scene);
    if (list.length === 0) return null;
    const needed = list.flatMap((load) => [...load.signals, ...(load.point ?? [])]);
    await Promise.all(needed.map((index) => run.load(index)));
    return new Loads(run, list, extent, placeOf);
  }

  get count(): number {
    return this.list.length;
  }

  /** The largest torque, unless all are only rounding beside the forces. */
  private get shownTorque(): number {
    const { force, torque } = this.largest;
    return torque > 1e-6 * force * this.extent ? torque : 0;
  }

  private largestOf(load: Load): number {
    let largest = 0;
    for (let k = 0; k < this.run.times.length; k++) {
      const square = load.signals.reduce((sum, i) => sum + this.run.loaded(i)![k] ** 2, 0);
      if (Number.isFinite(square)) largest = Math.max(largest, square);
    }
    return Math.sqrt(largest);
  }

  private vectorOf(load: Load, t: number): Vector3 {
    const values = load.signals.map((index) => this.run.value(index, t));
    if (values.length === 3) return new Vector3(...(values as [number, number, number]));
    const line = this.placeOf(load.B!).sub(this.placeOf(load.A!));
    return line.lengthSq() > 0 ? line.normalize().multiplyScalar(values[0]) : line;
  }

  private pointOf(load: Load, t: number): Vector3 {
    if (!load.point) return this.placeOf(load.B!);
    const [x, y, z] = load.point.map((index) => this.run.value(index, t));
    return new Vector3(x, y, z);
  }

  update(t: number): void {
    if (!this.group.visible) return;
    this.list.forEach((load, i) => {
      const largest = load.isTorque ? this.shownTorque : this.largest.force;
      const way = this.vectorOf(load, t).multiplyScalar(
        (0.25 * this.extent) / (largest || Infinity),
      );
      this.arrows.set(i, this.pointOf(load, t), way);
    });
    this.arrows.finish();
  }

  /** Sizes at an instant of what acts at a body: name, size, unit. */
  of(body: number, t: number): { name: string; kind: string; size: number; unit: string }[] {
    return this.list
      .filter(({ A, B }) => A?.body === body || B?.body === body)
      .map((load) => ({
        name: load.name,
        kind: load.isTorque ? "torque" : "force",
        size: this.vectorOf(load, t).length(),
        unit: load.unit,
      }));
  }

  /** What the longest arrows stand for */
  legend(): string {
    const unit = (isTorque: boolean) =>
      this.list.find((load) => load.isTorque === isTorque)?.unit ?? "";
    const parts: string[] = [];
    const { force } = this.largest,
      torque = this.shownTorque;
    if (force > 0) parts.push(`longest arrow ${force.toPrecision(3)} ${unit(false)}`);
    if (torque > 0) parts.push(`torque ${torque.toPrecision(3)} ${unit(true)}`);
    return parts.join(", ");
  }
}

/** Parts whose loads the run did not record because they are too many, as a sentence; "": none. */
export function unrecorded(run: Run, scene: SceneData): string {
  const recorded = new Set(
    run.head.signals.filter(({ group }) => group === "loads").map(({ object }) => object),
  );
  const kinds = (["joint", "force", "contact"] as const)
    .map((kind) => ({ kind, list: scene[`${kind}s`] }))
    .filter(({ kind, list }) => {
      return list.length > 0 && !list.some(({ name }) => recorded.has(`${kind} '${name}'`));
    });
  const texts = kinds.map(({ kind, list }) => `${list.length} ${kind}s`);
  return texts.length > 0 ? `without loads of ${texts.join(", ")}` : "";
}
