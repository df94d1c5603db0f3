// batch.ts - many copies of one geometry, each fixed to a body: drawn by one call.
import { BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, Material, Matrix4 } from "three";

export interface Copy {
  body: number;
  local: Matrix4;
  color: string;
  name: string;
}

export class Batch {
  readonly mesh: InstancedMesh;
  private readonly matrix = new Matrix4();

  constructor(
    geometry: BufferGeometry,
    material: Material,
    readonly copies: Copy[],
  ) {
    this.mesh = new InstancedMesh(geometry, material, copies.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.userData.batch = this;
    copies.forEach((copy, i) => this.mesh.setColorAt(i, new Color(copy.color)));
  }

  update(bodies: Matrix4[]): void {
    this.copies.forEach((copy, i) => {
      this.mesh.setMatrixAt(i, this.matrix.multiplyMatrices(bodies[copy.body], copy.local));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  /** Copies of one body in another colour; -1: none. */
  mark(body: number, color: string): void {
    this.copies.forEach((copy, i) =>
      this.mesh.setColorAt(i, new Color(copy.body === body ? color : copy.color)),
    );
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

/** A geometry with so many sides around. */
export type Maker = (sides: number) => BufferGeometry;

/** Fewer sides for many copies: a thousand spheres are small on the screen. */
function sidesFor(copies: number): number {
  return copies > 400 ? 5 : copies > 80 ? 12 : 24;
}

/** Copies collected by geometry. */
export class Batches {
  private readonly lists = new Map<string, { geometry: Maker; copies: Copy[] }>();

  add(key: string, geometry: Maker, copy: Copy): void {
    const list = this.lists.get(key);
    if (list) list.copies.push(copy);
    else this.lists.set(key, { geometry, copies: [copy] });
  }

  make(material: Material): Batch[] {
    return Array.from(
      this.lists.values(),
      ({ geometry, copies }) => new Batch(geometry(sidesFor(copies.length)), material, copies),
    );
  }
}
