// data.ts - what the program wrote into the page: the head as JSON, lists of numbers as chunks.
// The layout is that of src/page/page_internal.h and page_signals.c.

export interface Frame {
  body: number;
  at: number[];
  axes: number[];
}
export interface Body {
  name: string;
  type: string;
  color?: string;
  turns?: boolean;
  x?: number;
  vx?: number;
  mass?: number;
  com?: number[];
  radius?: number;
}
/** A line through bodies, as `show` of a model says. */
export interface Line {
  name: string;
  color?: string;
  radius?: number;
  points: number[];
}
export interface Shape {
  name: string;
  type: string;
  body: number;
  from?: number[];
  to?: number[];
  at?: number[];
  size?: number[];
  radius?: number;
  tube?: number;
  axis?: number[];
  normal?: number[];
  radii?: number[];
  outline?: number[];
  copies?: number;
  height?: number;
  x?: number[];
  points?: number[];
  scale?: number;
  triangle_points?: number[][];
  corners?: number[];
  fault?: string;
}
export interface Link {
  name: string;
  type: string;
  A: Frame;
  B: Frame;
}
export interface Beam {
  name: string;
  color?: string;
  first: number;
  nodes: number;
  radius: number;
}
/** The surface of a flexible body; page_flexible.c says what its chunk holds. */
export interface Flexible {
  name: string;
  x: number;
  vx: number;
  mode: number;
  heat: number;
  heats: number;
  interfaces: { name: string; at: number[] }[];
  unit: string;
  fault?: string;
  points?: number;
  triangles?: number;
  modes?: number;
  displacement_scales?: number[];
  displacement_error?: number;
  stress_scales?: number[];
  stress_map?: number[];
  stress_error?: number;
  chunk?: number;
  largest?: number;
  spots?: { point: number; node: number; stress: number; t: number }[];
}
export interface SceneData {
  gravity: number[];
  bodies: Body[];
  shapes: Shape[];
  beams: Beam[];
  flexible?: Flexible[];
  joints: Link[];
  forces: Link[];
  contacts: { name: string }[];
  lines?: Line[];
  modes?: {
    list?: { frequency: number; damping: number }[];
    velocities?: number;
    recorded?: number;
    chunk?: number;
    note?: string;
    fault?: string;
  };
}
export interface SignalHead {
  name: string;
  unit: string;
  group: string;
  label: string;
  object: string;
  value?: number | null;
  chunk?: number;
  place?: number;
  low?: number;
  step?: number;
  order?: number;
}
export interface RunHead {
  file: string;
  model: string;
  text: string;
  version: string;
  integrator: string;
  formulation: string;
  solver: string;
  status: string;
  error: string;
  object: string;
  error_time: number | null;
  start: number | null;
  end: number;
  tolerance: number | null;
  seconds: number;
  parameters: [string, string][];
  options: [string, string][];
  counters?: Record<string, number | null>;
  audit?: Record<string, number | null>;
  events: { t: number; name: string }[];
  nevents: number;
  messages: { t: number | null; text: string }[];
  nmessages: number;
  steps: [number, number, number, number, string, number][];
  attempts_of_row: number;
  scene?: SceneData;
  scene_fault?: string;
  samples: number;
  times: number;
  signals: SignalHead[];
  live?: { inputs: { name: string; unit: string }[] };
}
export interface Head {
  trammel: string;
  resolution: number;
  runs: RunHead[];
}

/** Unpack base64 of zlib data with what the browser brings. */
async function unpack(text: string): Promise<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Chunks of the page, each unpacked once, when it is first needed. */
export class Chunks {
  private readonly texts: (string | null)[];
  private readonly open = new Map<number, Promise<ArrayBuffer>>();

  constructor(elements: Iterable<Element>) {
    this.texts = Array.from(elements, (element) => element.textContent);
  }

  get(index: number): Promise<ArrayBuffer> {
    let chunk = this.open.get(index);
    if (!chunk) {
      const text = this.texts[index];
      if (text == null) return Promise.reject(new Error(`the page has no chunk ${index}`));
      chunk = unpack(text);
      this.texts[index] = null;
      this.open.set(index, chunk);
    }
    return chunk;
  }

  async head(): Promise<Head> {
    const bytes = await this.get(this.texts.length - 1);
    return JSON.parse(new TextDecoder().decode(bytes)) as Head;
  }
}

/** Samples of one signal from its planes of bytes: (1) of page_signals.c backwards. */
export function decode(bytes: ArrayBuffer, head: SignalHead, n: number): Float64Array {
  const planes = new Uint8Array(bytes, head.place! * 2 * n, 2 * n);
  const code = new Uint16Array(n);
  for (let k = 0; k < n; k++) code[k] = planes[k] | (planes[n + k] << 8);
  for (let order = 0; order < head.order!; order++) {
    for (let k = 1; k < n; k++) code[k] = (code[k] + code[k - 1]) & 65535;
  }
  const values = new Float64Array(n);
  for (let k = 0; k < n; k++)
    values[k] = code[k] === 65535 ? NaN : head.low! + head.step! * code[k];
  return values;
}

/** A run with its samples. */
export class Run {
  times: Float64Array = new Float64Array(0);
  private readonly values = new Map<number, Float64Array>();
  private readonly byName = new Map<string, number>();

  constructor(
    readonly head: RunHead,
    private readonly chunks: Chunks,
  ) {
    head.signals.forEach((signal, i) => this.byName.set(signal.name, i));
  }

  async open(): Promise<void> {
    if (this.head.live) return;
    this.times = new Float64Array(await this.chunks.get(this.head.times));
  }

  chunk(index: number): Promise<ArrayBuffer> {
    return this.chunks.get(index);
  }

  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  /** Samples of a signal that has been loaded. */
  loaded(index: number): Float64Array | undefined {
    return this.values.get(index);
  }

  async load(index: number): Promise<Float64Array> {
    const known = this.values.get(index);
    if (known) return known;
    const head = this.head.signals[index];
    if (this.head.live) return new Float64Array(0);
    const values =
      head.chunk === undefined
        ? new Float64Array(this.times.length).fill(head.value ?? NaN)
        : decode(await this.chunks.get(head.chunk), head, this.times.length);
    this.values.set(index, values);
    return values;
  }

  private grown: Float64Array[] = [];

  /** Samples of a run that goes on, row by row, which follow the first `before` ones. */
  append(rows: Float64Array, before: number): void {
    const width = this.head.signals.length,
      count = rows.length / width,
      needed = before + count;
    for (let i = 0; i < width; i++) {
      let column = this.grown[i] ?? new Float64Array(256);
      if (column.length < needed) {
        const larger = new Float64Array(Math.max(needed, 2 * column.length));
        larger.set(column.subarray(0, before));
        column = larger;
      }
      for (let k = 0; k < count; k++) column[before + k] = rows[k * width + i];
      this.grown[i] = column;
      this.values.set(i, column.subarray(0, needed));
    }
    this.times = this.values.get(0)!;
  }

  /** The sample at or before a time, and the part of the interval after it. */
  place(t: number): { k: number; s: number; h: number } {
    const times = this.times;
    let low = 0,
      high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    if (times.length < 2) return { k: 0, s: 0, h: 0 };
    const h = times[low + 1] - times[low];
    return { k: low, s: h > 0 ? Math.min(1, Math.max(0, (t - times[low]) / h)) : 0, h };
  }

  /** Value between samples, on a straight line. */
  value(index: number, t: number): number {
    const y = this.values.get(index);
    if (!y) return NaN;
    const { k, s } = this.place(t);
    return s === 0 || k + 1 >= y.length ? y[k] : y[k] + s * (y[k + 1] - y[k]);
  }
}
