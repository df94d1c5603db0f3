// shapes.ts - shapes of bodies and symbols of joints as copies of unit geometries.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Matrix4,
  OctahedronGeometry,
  PlaneGeometry,
  Quaternion,
  Shape as FlatShape,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import type { Batches, Maker } from "./batch.js";
import type { Frame, Link, SceneData, Shape } from "./data.js";
import { partColor } from "./colors.js";

const unitY = new Vector3(0, 1, 0),
  unitZ = new Vector3(0, 0, 1);
const geometries: Record<string, Maker> = {
  box: () => new BoxGeometry(1, 1, 1),
  cylinder: (sides) => new CylinderGeometry(1, 1, 1, sides),
  sphere: (sides) => new SphereGeometry(1, sides, Math.round(sides / 1.5)),
  diamond: () => new OctahedronGeometry(1),
  plane: () => new PlaneGeometry(1, 1),
};

export function vector(numbers: number[] | undefined, otherwise = [0, 0, 0]): Vector3 {
  const [x, y, z] = numbers ?? otherwise;
  return new Vector3(x, y, z);
}

function placed(at: Vector3, turn: Quaternion, size: Vector3): Matrix4 {
  return new Matrix4().compose(at, turn, size);
}

/** Between two points, as long as their distance: of a unit cylinder along y. */
export function between(from: Vector3, to: Vector3, radius: number): Matrix4 {
  const axis = new Vector3().subVectors(to, from);
  const length = axis.length();
  const turn =
    length > 0
      ? new Quaternion().setFromUnitVectors(unitY, axis.divideScalar(length))
      : new Quaternion();
  return placed(
    new Vector3().addVectors(from, to).multiplyScalar(0.5),
    turn,
    new Vector3(radius, Math.max(length, 1e-12), radius),
  );
}

function along(axis: Vector3): Quaternion {
  return axis.lengthSq() > 0
    ? new Quaternion().setFromUnitVectors(unitZ, axis.clone().normalize())
    : new Quaternion();
}

/** Triangles of a mesh as a geometry of its own. */
function meshGeometry(shape: Shape): BufferGeometry {
  const geometry = new BufferGeometry();
  const points = new Float32Array((shape.triangle_points ?? []).flat());
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setIndex(shape.corners ?? []);
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** Rows of all copies of an outline around the origin. */
export function outlineCopies(outline: number[], copies: number): number[] {
  const all: number[] = [];
  for (let k = 0; k < copies; k++) {
    const c = Math.cos((2 * Math.PI * k) / copies),
      s = Math.sin((2 * Math.PI * k) / copies);
    for (let i = 0; i + 2 < outline.length; i += 3) {
      const [x, y, radius] = outline.slice(i, i + 3);
      all.push(c * x - s * y, s * x + c * y, radius);
    }
  }
  return all;
}

/** Points of an outline; each row is x, y and the radius of the arc to the next one. */
export function outlinePoints(outline: number[]): Vector2[] {
  const count = outline.length / 3,
    points: Vector2[] = [];
  const at = (i: number) => new Vector2(outline[3 * (i % count)], outline[3 * (i % count) + 1]);
  let area = 0;
  for (let i = 0; i < count; i++) area += at(i).cross(at(i + 1));
  for (let i = 0; i < count; i++) {
    const from = at(i),
      chord = at(i + 1).sub(from),
      radius = outline[3 * i + 2];
    points.push(from);
    if (radius === 0) continue;
    const side = area < 0 ? -Math.sign(radius) : Math.sign(radius),
      half = Math.min(chord.length() / 2 / Math.abs(radius), 1),
      depth = Math.abs(radius) * Math.sqrt(1 - half * half) * side;
    const left = new Vector2(-chord.y, chord.x).normalize();
    const centre = from.clone().addScaledVector(chord, 0.5).addScaledVector(left, depth);
    const turn = 2 * side * Math.asin(half),
      pieces = Math.ceil(Math.abs(turn) / 0.13);
    for (let k = 1; k < pieces; k++) {
      points.push(from.clone().rotateAround(centre, (turn * k) / pieces));
    }
  }
  return points;
}

/** Points of a terrain, rows x, y, z in any order, as triangles between the lines of their grid. */
export function terrainTriangles(points: number[]): { places: number[]; corners: number[] } {
  const column = (k: number) => points.filter((_, i) => i % 3 === k);
  const lines = (k: number) => [...new Set(column(k))].sort((a, b) => a - b);
  const xs = lines(0),
    ys = lines(1),
    places: number[] = new Array(3 * xs.length * ys.length).fill(0),
    corners: number[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) {
    const at = xs.indexOf(points[i]) + xs.length * ys.indexOf(points[i + 1]);
    places.splice(3 * at, 3, points[i], points[i + 1], points[i + 2]);
  }
  for (let y = 0; y + 1 < ys.length; y++) {
    for (let x = 0; x + 1 < xs.length; x++) {
      const at = x + xs.length * y;
      corners.push(at, at + 1, at + xs.length, at + 1, at + xs.length + 1, at + xs.length);
    }
  }
  return { places, corners };
}

function terrainGeometry(shape: Shape): BufferGeometry {
  const { places, corners } = terrainTriangles(shape.points!);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

function profileGeometry(shape: Shape): BufferGeometry {
  const flat = new FlatShape(outlinePoints(outlineCopies(shape.outline!, shape.copies ?? 1))),
    depth = shape.height!;
  return new ExtrudeGeometry(flat, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2);
}

/** Axes of a profile, as the program chooses them. */
function profileFrame(shape: Shape): Matrix4 {
  const z = vector(shape.axis, [0, 0, 1]).normalize();
  const [a, b, c] = z.toArray().map(Math.abs);
  const chosen = a <= b && a <= c ? [1, 0, 0] : b <= c ? [0, 1, 0] : [0, 0, 1];
  const x = vector(shape.x, chosen);
  x.addScaledVector(z, -x.dot(z)).normalize();
  const y = new Vector3().crossVectors(z, x);
  return new Matrix4().makeBasis(x, y, z).setPosition(vector(shape.at));
}

/** Above this number bodies are drawn plainly and joints not at all: nobody could tell them. */
const many = 400;

/** Two ends with the centre on the line between them: one rod will do. */
function isThrough(ends: Vector3[], centre: Vector3): boolean {
  if (ends.length !== 2) return false;
  const detour = ends[0].distanceTo(centre) + centre.distanceTo(ends[1]);
  return detour < 1.001 * ends[0].distanceTo(ends[1]);
}

/** Half of the bodies with two joints or more are longer than this from joint to joint. */
function usualSpan(scene: SceneData): number {
  const ends = new Map<number, Vector3[]>();
  for (const frame of scene.joints.flatMap(({ A, B }) => [A, B])) {
    ends.set(frame.body, [...(ends.get(frame.body) ?? []), vector(frame.at)]);
  }
  ends.delete(0);
  const spans = Array.from(ends.values(), ([first, ...others]) =>
    Math.max(...others.map((other) => other.distanceTo(first))),
  );
  const long = spans.filter((span) => span > 0).sort((a, b) => a - b);
  return long.length > 0 ? long[Math.floor(long.length / 2)] : Infinity;
}

export class ShapeMaker {
  /** Size of symbols of joints and radius of rods: many short links have small ones. */
  private readonly symbol: number;
  private readonly rod: number;

  constructor(
    private readonly scene: SceneData,
    private readonly batches: Batches,
    private readonly extent: number,
  ) {
    const span = usualSpan(scene);
    this.symbol = Math.min(0.016 * extent, 0.2 * span);
    this.rod = Math.min(0.008 * extent, 0.16 * span);
  }

  private add(kind: string, body: number, local: Matrix4, color: string, name: string): void {
    this.batches.add(kind, geometries[kind], { body, local, color, name });
  }

  private colorOf(body: number): string {
    return body === 0 ? "#9a9a94" : (this.scene.bodies[body].color ?? partColor(body - 1));
  }

  shape(shape: Shape): void {
    const color = this.colorOf(shape.body),
      name = this.scene.bodies[shape.body].name;
    const { body, type } = shape;
    const none = new Quaternion(),
      one = new Vector3(1, 1, 1);
    if (type === "box") {
      this.add("box", body, placed(vector(shape.at), none, vector(shape.size)), color, name);
    } else if (type === "sphere") {
      this.ball(body, vector(shape.at), shape.radius!, color, name);
    } else if (type === "ellipsoid") {
      this.add("sphere", body, placed(vector(shape.at), none, vector(shape.radii)), color, name);
    } else if (type === "cylinder" || type === "capsule") {
      const from = vector(shape.from),
        to = vector(shape.to);
      this.add("cylinder", body, between(from, to, shape.radius!), color, name);
      if (type === "cylinder" || this.scene.bodies.length > many) return;
      this.ball(body, from, shape.radius!, color, name);
      this.ball(body, to, shape.radius!, color, name);
    } else if (type === "torus") {
      const local = placed(vector(shape.at), along(vector(shape.axis, [0, 0, 1])), one);
      const { radius, tube } = shape;
      this.batches.add(
        `torus ${radius} ${tube}`,
        (sides) => new TorusGeometry(radius, tube, sides, 2 * sides),
        {
          body,
          local,
          color,
          name,
        },
      );
    } else if (type === "plane") {
      // one that moves is a plate: several of them would hide each other
      const side = (body === 0 ? 3 : 0.2) * this.extent;
      const size = new Vector3(side, side, 1);
      this.add(
        "plane",
        body,
        placed(vector(shape.at), along(vector(shape.normal, [0, 0, 1])), size),
        color,
        name,
      );
    } else if ((type === "mesh" || type === "hull") && shape.corners) {
      const scale = shape.scale ?? 1;
      this.batches.add(`mesh ${body} ${shape.name}`, () => meshGeometry(shape), {
        body,
        local: new Matrix4().makeScale(scale, scale, scale),
        color,
        name,
      });
    } else if (type === "profile" && shape.outline) {
      this.batches.add(`profile ${body} ${shape.name}`, () => profileGeometry(shape), {
        body,
        local: profileFrame(shape),
        color,
        name,
      });
    } else if (type === "terrain" && shape.points) {
      this.batches.add(`terrain ${body} ${shape.name}`, () => terrainGeometry(shape), {
        body,
        local: new Matrix4().setPosition(vector(shape.at)),
        color,
        name,
      });
    } else if (type === "line" && shape.points) {
      this.path(body, shape.points, color, name);
    }
  }

  private path(body: number, numbers: number[], color: string, name: string): void {
    for (let i = 3; i + 2 < numbers.length; i += 3) {
      const from = vector(numbers.slice(i - 3, i)),
        to = vector(numbers.slice(i, i + 3));
      this.add("cylinder", body, between(from, to, 0.004 * this.extent), color, name);
    }
  }

  private ball(body: number, at: Vector3, radius: number, color: string, name: string): void {
    this.add(
      "sphere",
      body,
      placed(at, new Quaternion(), new Vector3(radius, radius, radius)),
      color,
      name,
    );
  }

  /** A body without shapes: rods from its centre to what is fixed to it. */
  sticks(body: number, ends: Vector3[]): void {
    const color = this.colorOf(body),
      { name, com, radius: given } = this.scene.bodies[body];
    const centre = vector(com),
      radius = this.rod;
    const isPlain = this.scene.bodies.length > many && isThrough(ends, centre);
    if (!isPlain) this.ball(body, centre, given ?? 1.6 * radius, color, name);
    if (isPlain) this.add("cylinder", body, between(ends[0], ends[1], radius), color, name);
    for (const end of isPlain ? [] : ends) {
      if (end.distanceTo(centre) < 1e-9 * this.extent) continue;
      this.add("cylinder", body, between(centre, end, radius), color, name);
    }
  }

  /** Thin rods to joints that lie outside of a body's shapes. */
  rods(body: number, ends: Vector3[]): void {
    const color = this.colorOf(body);
    const { name, com } = this.scene.bodies[body];
    for (const end of ends) {
      this.add("cylinder", body, between(vector(com), end, 0.4 * this.rod), color, name);
    }
  }

  /** A symbol on the first body: a pin along the axis, a ball, a block, or a diamond. */
  joint(joint: Link): void {
    if (this.scene.joints.length > many) return;
    if (joint.type === "fixed") return;
    const size = this.symbol,
      color = "#55595e";
    const at = vector(joint.A.at),
      turn = turnOf(joint.A),
      { body } = joint.A;
    const put = (kind: string, ...lengths: [number, number, number]) =>
      this.add(
        kind,
        body,
        placed(at, turn, new Vector3(...lengths).multiplyScalar(size)),
        color,
        joint.name,
      );
    const pin = turn.clone().multiply(new Quaternion().setFromUnitVectors(unitY, unitZ));
    if (["revolute", "cylindrical", "screw"].includes(joint.type)) {
      this.add(
        "cylinder",
        body,
        placed(at, pin, new Vector3(0.6, 3, 0.6).multiplyScalar(size)),
        color,
        joint.name,
      );
    } else if (["spherical", "universal", "constant-velocity"].includes(joint.type)) {
      put("sphere", 1, 1, 1);
    } else if (["translational", "inline", "planar"].includes(joint.type)) {
      put("box", 1.4, 1.4, 3);
    } else {
      put("diamond", 1, 1, 1);
    }
  }
}

/** Rotation of a frame on its body; its axes are rows. */
export function turnOf(frame: Frame): Quaternion {
  const [a, b, c, d, e, f, g, h, i] = frame.axes;
  return new Quaternion().setFromRotationMatrix(
    new Matrix4().set(a, d, g, 0, b, e, h, 0, c, f, i, 0, 0, 0, 0, 1),
  );
}
