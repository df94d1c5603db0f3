// spectrum.ts - amplitudes over frequency, as `trammel plot --spectrum` draws them: on an even
// grid, without the mean, with a Hann window, scaled so that a sine of amplitude 2 makes a peak
// of 2.
import FFT from "fft.js";
import type { Run } from "./data.js";

const most = 1 << 15;

export interface Spectrum {
  frequencies: number[];
  amplitudes: number[];
}

export function spectrumOf(run: Run, signal: number, from: number, to: number): Spectrum {
  const samples = run.times.filter((t) => t >= from && t <= to).length;
  const n = Math.min(most, 2 ** Math.max(3, Math.ceil(Math.log2(Math.max(samples, 2)))));
  const step = (to - from) / n;
  const values = Array.from({ length: n }, (_, i) => run.value(signal, from + i * step));
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const window = values.map((_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n));
  const fft = new FFT(n);
  const out = fft.createComplexArray() as number[];
  fft.realTransform(
    out,
    values.map((value, i) => (value - mean) * window[i]),
  );
  const count = n / 2;
  return {
    frequencies: Array.from({ length: count }, (_, i) => i / ((to - from) * run.head.seconds)),
    amplitudes: Array.from(
      { length: count },
      (_, i) => (4 * Math.hypot(out[2 * i], out[2 * i + 1])) / n,
    ),
  };
}
