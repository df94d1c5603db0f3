// pose.ts - where a body is between two samples.
//
// Positions: cubic Hermite, from positions x and velocities v at both samples. Rotations: the
// vector phi of the rotation since the first sample, q(t) = q0 exp(phi), as a cubic Hermite of
//     phi(0) = 0,   phi'(0) = w0,   phi(h) = log(q0* q1),   phi'(h) = T(phi)^-1 w1
// (body axes). Of the logarithms that differ by full turns the one nearest to h (w0 + w1)/2 counts,
// so that fast rotation is followed over intervals longer than half a turn.
import { Quaternion, Vector3 } from "three";
import type { Body, Run } from "./data.js";

export interface Pose {
  x: Vector3;
  q: Quaternion;
}

export function hermite(
  s: number,
  h: number,
  y0: number,
  d0: number,
  y1: number,
  d1: number,
): number {
  const s2 = s * s,
    s3 = s2 * s;
  return (
    (2 * s3 - 3 * s2 + 1) * y0 +
    (s3 - 2 * s2 + s) * h * d0 +
    (3 * s2 - 2 * s3) * y1 +
    (s3 - s2) * h * d1
  );
}

/** Rotation vector of a quaternion, at most half a turn. */
function log(q: Quaternion, out: Vector3): Vector3 {
  const sign = q.w < 0 ? -1 : 1;
  out.set(q.x * sign, q.y * sign, q.z * sign);
  const sine = out.length();
  const angle = 2 * Math.atan2(sine, q.w * sign);
  return sine > 1e-12 ? out.multiplyScalar(angle / sine) : out.multiplyScalar(2);
}

export function exp(phi: Vector3, out: Quaternion): Quaternion {
  const angle = phi.length();
  const factor = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  return out.set(phi.x * factor, phi.y * factor, phi.z * factor, Math.cos(angle / 2));
}

/** The same rotation with the number of turns that is nearest to what the rates say. */
function unwind(phi: Vector3, expected: Vector3): void {
  const angle = phi.length();
  if (angle < 1e-9) {
    const turns = Math.round(expected.length() / (2 * Math.PI));
    if (turns > 0) phi.copy(expected).setLength(2 * Math.PI * turns);
    return;
  }
  const along = expected.dot(phi) / angle;
  const turns = Math.round((along - angle) / (2 * Math.PI));
  phi.multiplyScalar((angle + 2 * Math.PI * turns) / angle);
}

/** T(phi)^-1 w: the rate of the rotation vector, from the angular velocity in body axes. */
function rateOf(phi: Vector3, w: Vector3, out: Vector3): Vector3 {
  const angle = phi.length();
  const half = angle / 2;
  const third = angle > 1e-4 ? (1 - half / Math.tan(half)) / (angle * angle) : 1 / 12;
  const cross = new Vector3().crossVectors(phi, w);
  const twice = new Vector3().crossVectors(phi, cross);
  return out.copy(w).addScaledVector(cross, 0.5).addScaledVector(twice, third);
}

const none = new Float64Array(0);

/** The motion of one body of a run. */
export class Track {
  /** Numbers of signals; of a run that goes on their lists grow. -1: always zero. */
  private constructor(
    private readonly run: Run,
    private readonly x: number[],
    private readonly v: number[],
    private readonly q: number[],
    private readonly w: number[],
  ) {}

  static async load(run: Run, body: Body): Promise<Track | null> {
    if (body.x === undefined || body.x < 0) return null;
    const list = (first: number, count: number) =>
      Array.from({ length: count }, (_, i) => first + i);
    const hasRates = body.vx !== undefined && body.vx >= 0;
    const track = new Track(
      run,
      list(body.x, 3),
      hasRates ? list(body.vx!, 3) : [],
      body.turns ? list(body.x + 3, 4) : [],
      body.turns && hasRates ? list(body.vx! + 3, 3) : [],
    );
    await Promise.all(
      [...track.x, ...track.v, ...track.q, ...track.w].map((index) => run.load(index)),
    );
    return track;
  }

  /** A body that only has a place: signals of x, y and perhaps z. */
  static async point(run: Run, signals: number[]): Promise<Track> {
    await Promise.all(signals.map((i) => run.load(i)));
    const [x, y, z] = [...signals, -1];
    return new Track(run, [x, y, z], [], [], []);
  }

  private kept: Float64Array[][] | null = null;

  /** Lists of x, v, q, w; those of a run that goes on are others after each sample. */
  private lists(): Float64Array[][] {
    if (this.kept && !this.run.head.live) return this.kept;
    return (this.kept = [this.x, this.v, this.q, this.w].map((signals) =>
      signals.map((index) => this.run.loaded(index) ?? none),
    ));
  }

  private readonly phi = new Vector3();
  private readonly rate = new Vector3();
  private readonly turn = new Quaternion();

  at(t: number, out: Pose): Pose {
    const { k, s, h } = this.run.place(t);
    const next = Math.min(k + 1, this.run.times.length - 1);
    const [x, v, q, w] = this.lists();
    for (let i = 0; i < 3; i++) {
      const [a, b] = [x[i][k] ?? 0, x[i][next] ?? 0];
      const value =
        s === 0 ? a : v.length === 3 ? hermite(s, h, a, v[i][k], b, v[i][next]) : a + s * (b - a);
      out.x.setComponent(i, value);
    }
    if (q.length === 4) this.rotate(q, w, k, next, s, h, out.q);
    return out;
  }

  private rotate(
    [q0, q1, q2, q3]: Float64Array[],
    w: Float64Array[],
    k: number,
    next: number,
    s: number,
    h: number,
    out: Quaternion,
  ): void {
    out.set(q1[k], q2[k], q3[k], q0[k]).normalize();
    if (s === 0 || k === next) return;
    const turn = this.turn
      .copy(out)
      .conjugate()
      .multiply(new Quaternion(q1[next], q2[next], q3[next], q0[next]).normalize());
    const phi = log(turn, this.phi);
    if (w.length !== 3) {
      out.multiply(exp(phi.multiplyScalar(s), turn));
      return;
    }
    const [wx, wy, wz] = w;
    const w0 = new Vector3(wx[k], wy[k], wz[k]);
    const w1 = new Vector3(wx[next], wy[next], wz[next]);
    unwind(phi, new Vector3().addVectors(w0, w1).multiplyScalar(h / 2));
    const rate = rateOf(phi, w1, this.rate);
    phi.set(
      hermite(s, h, 0, w0.x, phi.x, rate.x),
      hermite(s, h, 0, w0.y, phi.y, rate.y),
      hermite(s, h, 0, w0.z, phi.z, rate.z),
    );
    out.multiply(exp(phi, turn));
  }
}
