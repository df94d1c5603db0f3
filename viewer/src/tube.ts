// tube.ts - a beam as a round tube through its nodes, bent anew at each instant. The frame of a
// ring is carried along the line without turning about it.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Material,
  Mesh,
  Vector3,
} from "three";
import { heat } from "./heat.js";

const sides = 10,
  between = 3;

export class Tube {
  readonly mesh: Mesh;
  private readonly rings: number;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly colors: Float32Array;
  private readonly plain: Color;

  constructor(
    private readonly nodes: number,
    private readonly radius: number,
    material: Material,
    color: string,
  ) {
    this.rings = (nodes - 1) * between + 1;
    const geometry = new BufferGeometry();
    const count = this.rings * sides;
    this.positions = new Float32Array(3 * count);
    this.normals = new Float32Array(3 * count);
    this.colors = new Float32Array(3 * count);
    this.plain = new Color(color);
    for (let i = 0; i < count; i++) this.plain.toArray(this.colors, 3 * i);
    for (const [name, list] of [
      ["position", this.positions],
      ["normal", this.normals],
      ["color", this.colors],
    ] as const) {
      const attribute = new BufferAttribute(list, 3);
      attribute.setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    }
    geometry.setIndex(this.triangles());
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  private triangles(): number[] {
    const list: number[] = [];
    for (let i = 0; i + 1 < this.rings; i++) {
      for (let k = 0; k < sides; k++) {
        const a = i * sides + k,
          b = i * sides + ((k + 1) % sides);
        list.push(a, a + sides, b, b, a + sides, b + sides);
      }
    }
    return list;
  }

  /** A point of the smooth line through the nodes (Catmull-Rom). */
  private point(nodes: Vector3[], ring: number, out: Vector3): Vector3 {
    const i = Math.min(Math.floor(ring / between), this.nodes - 2);
    const s = (ring - i * between) / between;
    const p0 = nodes[Math.max(i - 1, 0)],
      p1 = nodes[i],
      p2 = nodes[i + 1];
    const p3 = nodes[Math.min(i + 2, this.nodes - 1)];
    const cubic = (a: number, b: number, c: number, d: number) =>
      b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)));
    return out.set(
      cubic(p0.x, p1.x, p2.x, p3.x),
      cubic(p0.y, p1.y, p2.y, p3.y),
      cubic(p0.z, p1.z, p2.z, p3.z),
    );
  }

  update(nodes: Vector3[]): void {
    const points = Array.from({ length: this.rings }, (_, i) =>
      this.point(nodes, i, new Vector3()),
    );
    const tangent = new Vector3(),
      across = new Vector3(),
      up = new Vector3();
    for (let i = 0; i < this.rings; i++) {
      tangent.subVectors(points[Math.min(i + 1, this.rings - 1)], points[Math.max(i - 1, 0)]);
      tangent.normalize();
      if (i === 0)
        across.set(Math.abs(tangent.x) < 0.9 ? 1 : 0, Math.abs(tangent.x) < 0.9 ? 0 : 1, 0);
      across.addScaledVector(tangent, -across.dot(tangent)).normalize();
      up.crossVectors(tangent, across);
      this.ring(i, points[i], across, up);
    }
    const { position, normal } = this.mesh.geometry.attributes;
    position.needsUpdate = normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  /** Colours by parts of the largest value in the middle of each element, straight between them;
   * none: the plain colour. */
  paint(parts: number[]): void {
    const color = new Color();
    const last = parts.length - 1;
    for (let i = 0; i < this.rings; i++) {
      const place = Math.min(Math.max(i / between - 0.5, 0), last);
      const element = Math.floor(place);
      const after = parts[Math.min(element + 1, last)];
      if (last >= 0) heat(parts[element] + (place - element) * (after - parts[element]), color);
      else color.copy(this.plain);
      for (let k = 0; k < sides; k++) color.toArray(this.colors, 3 * (i * sides + k));
    }
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }

  private ring(i: number, centre: Vector3, across: Vector3, up: Vector3): void {
    const normal = new Vector3();
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      normal.copy(across).multiplyScalar(Math.cos(angle)).addScaledVector(up, Math.sin(angle));
      const at = 3 * (i * sides + k);
      normal.toArray(this.normals, at);
      this.positions[at] = centre.x + this.radius * normal.x;
      this.positions[at + 1] = centre.y + this.radius * normal.y;
      this.positions[at + 2] = centre.z + this.radius * normal.z;
    }
  }
}
