// flexible.ts - a flexible body: its surface, deformed and coloured by von Mises stress at any
// instant. Displacement and stress are sums of modes times their amplitudes.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Flexible, Run } from "./data.js";
import { heat } from "./heat.js";
import { displace, Displacement } from "./modes.js";
import { Pose, Track } from "./pose.js";

/** Codes of modes back to numbers: (1) of page_flexible.c. */
function decoded(codes: Int16Array, scales: number[]): Float32Array {
  const values = new Float32Array(codes.length);
  for (let i = 0; i < codes.length; i++) values[i] = (codes[i] / 32767) * scales[i % scales.length];
  return values;
}

function mises(s: number[]): number {
  const [xx, yy, zz, xy, xz, yz] = s;
  const normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2;
  return Math.sqrt(normal / 2 + 3 * (xy * xy + xz * xz + yz * yz));
}

export class FlexibleBody {
  readonly mesh: Mesh;
  readonly pose: Pose = { x: new Vector3(), q: new Quaternion() };
  /** Largest stress so far, or of the whole run. */
  largest: number;
  private readonly plain: Color;
  private readonly amplitudes: Float64Array;
  /** Amplitudes, then temperatures: what stress is made of. */
  private readonly loaded: Float64Array;
  /** Of the shapes of displacement: those of the modes, or of the shapes of stress. */
  private readonly moving: Float64Array;
  /** Of the shapes of stress: those of the modes themselves, or a product with `stress_map`. */
  private readonly stressAmplitudes: Float64Array;

  private constructor(
    readonly data: Flexible,
    private readonly run: Run,
    private readonly track: Track,
    private readonly places: Float32Array,
    corners: Int32Array,
    private readonly displacement: Float32Array,
    private readonly stress: Float32Array,
    color: string,
    isGhost: boolean,
  ) {
    this.largest = data.largest ?? 0;
    this.plain = new Color(color);
    this.amplitudes = new Float64Array(data.modes!);
    this.loaded = new Float64Array(data.modes! + data.heats);
    this.stressAmplitudes = new Float64Array(data.stress_scales!.length);
    const isByShapes = data.displacement_error !== undefined;
    this.moving = isByShapes ? this.stressAmplitudes : this.amplitudes;
    const geometry = new BufferGeometry();
    for (const name of ["position", "color"]) {
      const attribute = new BufferAttribute(new Float32Array(places.length), 3);
      attribute.setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    }
    geometry.setIndex(Array.from(corners));
    const material = new MeshLambertMaterial({ vertexColors: true, side: 2 });
    if (isGhost) Object.assign(material, { transparent: true, opacity: 0.3 });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.name = data.name;
  }

  /** Null if the page does not hold its surface. */
  static async make(
    run: Run,
    data: Flexible,
    color: string,
    isGhost: boolean,
  ): Promise<FlexibleBody | null> {
    const track = await Track.load(run, {
      name: "",
      type: "",
      turns: true,
      x: data.x,
      vx: data.vx,
    });
    if (data.chunk === undefined || !track) return null;
    const { points, triangles, modes } = data as Required<Flexible>;
    const bytes = await run.chunk(data.chunk);
    const codes = 12 * (points + triangles),
      moving = data.displacement_scales!.length,
      rank = data.stress_scales!.length;
    await Promise.all([
      ...Array.from({ length: modes }, (_, k) => run.load(data.mode + k)),
      ...Array.from({ length: data.heats }, (_, k) => run.load(data.heat + k)),
    ]);
    return new FlexibleBody(
      data,
      run,
      track,
      new Float32Array(bytes, 0, 3 * points),
      new Int32Array(bytes, 12 * points, 3 * triangles),
      decoded(new Int16Array(bytes, codes, 3 * points * moving), data.displacement_scales!),
      decoded(
        new Int16Array(bytes, codes + 6 * points * moving, 6 * points * rank),
        data.stress_scales!,
      ),
      color,
      isGhost,
    );
  }

  /** A row of shapes times their amplitudes. */
  private sum(rows: Float32Array, row: number, amplitudes: Float64Array): number {
    let sum = 0;
    for (let k = 0, i = row * amplitudes.length; k < amplitudes.length; k++, i++)
      sum += rows[i] * amplitudes[k];
    return sum;
  }

  /** Displacement of a point in body axes, now. */
  private displacementOf(point: number): Vector3 {
    return new Vector3(
      this.sum(this.displacement, 3 * point, this.moving),
      this.sum(this.displacement, 3 * point + 1, this.moving),
      this.sum(this.displacement, 3 * point + 2, this.moving),
    );
  }

  /** Von Mises stress of a point, now. */
  stressOf(point: number): number {
    return mises(
      Array.from({ length: 6 }, (_, i) =>
        this.sum(this.stress, 6 * point + i, this.stressAmplitudes),
      ),
    );
  }

  /** Frame and amplitudes. */
  setTime(t: number): void {
    for (let k = 0; k < this.amplitudes.length; k++)
      this.amplitudes[k] = this.run.value(this.data.mode + k, t);
    for (let k = 0; k < this.data.heats; k++)
      this.loaded[this.amplitudes.length + k] = this.run.value(this.data.heat + k, t);
    this.track.at(t, this.pose);
    this.findStress();
  }

  private findStress(): void {
    const { loaded, stressAmplitudes } = this;
    const map = this.data.stress_map;
    loaded.set(this.amplitudes);
    if (!map) stressAmplitudes.set(loaded);
    else
      for (let r = 0; r < stressAmplitudes.length; r++)
        stressAmplitudes[r] = loaded.reduce((sum, a, k) => sum + a * map[r * loaded.length + k], 0);
  }

  /** Move it on, its first velocity having this number. */
  shake(velocity: number, by: Displacement): void {
    displace(this.pose, true, velocity, by);
    for (let k = 0; k < this.amplitudes.length; k++) this.amplitudes[k] += by(velocity + 6 + k);
    this.findStress();
  }

  /** The point of the surface next to a place without deformation. */
  nearest(place: Vector3): number {
    let nearest = 0,
      least = Infinity;
    for (let i = 0; i < this.data.points!; i++) {
      const distance = place.distanceToSquared(this.placeOf(i));
      if (distance < least) [least, nearest] = [distance, i];
    }
    return nearest;
  }

  /** Where a place of the body is now that moves with a point of the surface. */
  placeWith(place: Vector3, point: number): Vector3 {
    return this.toGround(place.clone().add(this.displacementOf(point)));
  }

  private placeOf(point: number): Vector3 {
    return new Vector3().fromArray(this.places, 3 * point);
  }

  private toGround(place: Vector3): Vector3 {
    return place.applyQuaternion(this.pose.q).add(this.pose.x);
  }

  /** Where a point of the surface is now. */
  at(point: number): Vector3 {
    return this.toGround(this.placeOf(point).add(this.displacementOf(point)));
  }

  /** @param scale stress with the last colour; 0: the largest of this body */
  draw(isColoured: boolean, scale: number): void {
    const { position, color } = this.mesh.geometry.attributes;
    const tone = new Color();
    for (let i = 0; i < this.data.points!; i++) {
      const place = this.placeOf(i).add(this.displacementOf(i));
      position.setXYZ(i, place.x, place.y, place.z);
      if (isColoured) {
        const stress = this.stressOf(i);
        this.largest = Math.max(this.largest, this.data.largest === undefined ? stress : 0);
        heat(stress / (scale || this.largest || 1), tone);
      } else tone.copy(this.plain);
      color.setXYZ(i, tone.r, tone.g, tone.b);
    }
    position.needsUpdate = color.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
    this.mesh.geometry.boundingSphere = null;
    this.mesh.position.copy(this.pose.x);
    this.mesh.quaternion.copy(this.pose.q);
  }
}
