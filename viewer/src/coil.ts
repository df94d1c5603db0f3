// coil.ts - a spring between two points: a coil that stretches, drawn as a line.
import {
  BufferAttribute,
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Quaternion,
  Vector3,
} from "three";

const turns = 7,
  points = 140;
const unitZ = new Vector3(0, 0, 1);

/** Of length one along z, with straight ends. */
function coilGeometry(): BufferGeometry {
  const list = new Float32Array(3 * (points + 1));
  for (let i = 0; i <= points; i++) {
    const s = i / points;
    const body = Math.min(1, Math.max(0, (s - 0.1) / 0.8));
    const radius = s > 0.1 && s < 0.9 ? 1 : 0;
    const angle = 2 * Math.PI * turns * body;
    list.set([radius * Math.cos(angle), radius * Math.sin(angle), s], 3 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(list, 3));
  return geometry;
}

export class Coil {
  readonly line: Line;
  private readonly axis = new Vector3();

  constructor(
    private readonly radius: number,
    color: string,
    isStraight: boolean,
  ) {
    const geometry = isStraight
      ? new BufferGeometry().setFromPoints([new Vector3(), unitZ])
      : coilGeometry();
    this.line = new Line(geometry, new LineBasicMaterial({ color }));
    this.line.frustumCulled = false;
  }

  update(from: Vector3, to: Vector3): void {
    const length = this.axis.subVectors(to, from).length();
    this.line.position.copy(from);
    this.line.scale.set(this.radius, this.radius, Math.max(length, 1e-12));
    if (length > 0) {
      this.line.quaternion.copy(
        new Quaternion().setFromUnitVectors(unitZ, this.axis.divideScalar(length)),
      );
    }
  }
}
