// grid.ts - the ground: squares of a round size about the origin.
import { BufferGeometry, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";

const half = 12;

/** The largest of 1, 2, 5 times a power of ten that is not above a number. */
export function roundBelow(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number));
  const digit = number / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/** Lines in pieces of one square: some drivers drop a line that ends behind the camera. */
export function makeGrid(extent: number, up: Vector3): LineSegments {
  const size = roundBelow(extent / 4);
  const points: Vector3[] = [];
  for (let i = -half; i <= half; i++) {
    for (let k = -half; k < half; k++) {
      points.push(new Vector3(i, k, 0), new Vector3(i, k + 1, 0));
      points.push(new Vector3(k, i, 0), new Vector3(k + 1, i, 0));
    }
  }
  const geometry = new BufferGeometry().setFromPoints(points);
  const grid = new LineSegments(
    geometry,
    new LineBasicMaterial({ color: "#9aa0a6", transparent: true, opacity: 0.35 }),
  );
  grid.scale.setScalar(size);
  grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
  return grid;
}
