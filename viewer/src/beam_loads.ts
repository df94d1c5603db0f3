// beam_loads.ts - bending moments of the elements of beams over time, for their colours.
import type { Beam, Run } from "./data.js";

export class BeamLoads {
  /** Largest moment of all elements over the run. */
  readonly largest: number;
  readonly unit: string;

  /** @param signals the two bending moments of each element, by beam */
  private constructor(
    private readonly run: Run,
    private readonly signals: [number, number][][],
  ) {
    const first = signals.flat()[0];
    this.unit = run.head.signals[first[0]].unit;
    let square = 0;
    for (const [y, z] of signals.flat()) {
      const a = run.loaded(y)!,
        b = run.loaded(z)!;
      for (let k = 0; k < a.length; k++) {
        const sum = a[k] ** 2 + b[k] ** 2;
        if (sum > square) square = sum;
      }
    }
    this.largest = Math.sqrt(square);
  }

  /** Null if the run recorded none. */
  static async make(run: Run, beams: Beam[]): Promise<BeamLoads | null> {
    const known = new Map<string, number>();
    run.head.signals.forEach((signal, i) => {
      if (signal.group === "loads") known.set(signal.label, i);
    });
    const signals = beams.map(({ name, nodes }) => {
      const list: [number, number][] = [];
      for (let i = 1; i < nodes; i++) {
        const y = known.get(`${name}.element${i}.moment.y`),
          z = known.get(`${name}.element${i}.moment.z`);
        if (y !== undefined && z !== undefined) list.push([y, z]);
      }
      return list;
    });
    const all = signals.flat(2);
    if (all.length === 0) return null;
    await Promise.all(all.map((index) => run.load(index)));
    return new BeamLoads(run, signals);
  }

  /** Bending moments of the elements of a beam; empty if they are not known. */
  at(beam: number, t: number): number[] {
    return (this.signals[beam] ?? []).map(([y, z]) =>
      Math.hypot(this.run.value(y, t), this.run.value(z, t)),
    );
  }
}
