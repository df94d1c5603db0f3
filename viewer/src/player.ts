// player.ts - the one time of the page, and how it runs on.

export type Listener = (t: number) => void;

export class Player {
  t: number;
  speed: number;
  isPlaying = false;
  /** Part of the run that is played again and again; null: all of it. */
  loop: { from: number; to: number } | null = null;
  private readonly listeners: Listener[] = [];
  private last = 0;

  constructor(
    readonly from: number,
    public to: number,
    readonly seconds: number,
  ) {
    this.t = from;
    // a run that would be over in a moment, or last for ever, is shown in about eight seconds
    const length = (to - from) * seconds;
    this.speed = length > 0 && (length < 2 || length > 60) ? length / 8 : 1;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  seek(t: number): void {
    this.t = Math.min(this.to, Math.max(this.from, t));
    this.listeners.forEach((listener) => listener(this.t));
  }

  /** The loop begins or ends now; where that leaves nothing, its other end goes back. */
  setLoop(end: "from" | "to"): void {
    const loop = this.loop ?? { from: this.from, to: this.to };
    loop[end] = this.t;
    if (loop.from >= loop.to)
      loop[end === "from" ? "to" : "from"] = this[end === "from" ? "to" : "from"];
    this.loop = loop.from < loop.to ? loop : null;
    this.seek(this.t);
  }

  clearLoop(): void {
    this.loop = null;
    this.seek(this.t);
  }

  play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.last = 0;
    if (isPlaying && this.t >= this.to) this.t = this.from;
    this.seek(this.t);
  }

  /** A run that goes on has reached a time; who looked at its end goes with it. */
  extend(to: number): void {
    const isAtEnd = this.t >= this.to;
    this.to = to;
    this.seek(isAtEnd ? to : this.t);
  }

  /** One frame of the browser at a time in milliseconds. */
  frame(now: number): void {
    if (!this.isPlaying) return;
    const passed = this.last > 0 ? Math.min(now - this.last, 200) / 1000 : 0;
    this.last = now;
    let t = this.t + (passed * this.speed) / this.seconds;
    const { from, to } = this.loop ?? this;
    const length = to - from;
    if (t > to || t < from) t = length > 0 && t > to ? from + ((t - from) % length) : from;
    this.seek(t);
  }
}
