// arrows.ts - many arrows, drawn by two calls: shafts and heads.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from "three";

const unitY = new Vector3(0, 1, 0);

export class Arrows {
  readonly group = new Group();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();

  /** @param thickness radius of the shafts */
  constructor(
    colors: string[],
    private readonly thickness: number,
  ) {
    // seen through the parts that they act on
    const material = new MeshLambertMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8), material, colors.length);
    this.heads = new InstancedMesh(new ConeGeometry(1, 1, 12), material, colors.length);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      colors.forEach((color, i) => mesh.setColorAt(i, new Color(color)));
      this.group.add(mesh);
    }
  }

  /** Arrow i from a point; one shorter than its shaft is thick is not seen. */
  set(i: number, from: Vector3, way: Vector3): void {
    const length = way.length();
    if (!(length > this.thickness)) {
      this.matrix.makeScale(0, 0, 0);
      this.shafts.setMatrixAt(i, this.matrix);
      this.heads.setMatrixAt(i, this.matrix);
      return;
    }
    const head = Math.min(6 * this.thickness, 0.5 * length),
      along = way.clone().divideScalar(length);
    this.turn.setFromUnitVectors(unitY, along);
    const put = (mesh: InstancedMesh, start: number, size: number, radius: number) => {
      const middle = from.clone().addScaledVector(along, start + size / 2);
      this.matrix.compose(middle, this.turn, new Vector3(radius, size, radius));
      mesh.setMatrixAt(i, this.matrix);
    };
    put(this.shafts, 0, length - head, this.thickness);
    put(this.heads, length - head, head, 0.4 * head);
  }

  finish(): void {
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }
}
