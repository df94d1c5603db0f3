// plots.ts - which curves are shown, and over what.
import uplotStyle from "uplot/dist/uPlot.min.css";
import type { Run } from "./data.js";
import { make } from "./dom.js";
import { Axis, Panel } from "./panel.js";
import type { Player } from "./player.js";

export { uplotStyle };

export class Plots {
  readonly element = make("div", { class: "plots" });
  low: number;
  high: number;
  private panels: Panel[] = [];
  private reached: number; // time at the last drawing of a run that goes on
  private shown: { run: number; signal: number }[] = [];
  private axis: Axis = { kind: "time" };
  readonly choice = make("select", {
    "aria-label": "Draw over",
    change: () => void this.chooseAxis(this.choice.value),
  });
  onChange: () => void = () => undefined;

  constructor(
    readonly runs: Run[],
    readonly player: Player,
  ) {
    this.low = player.from;
    this.reached = player.to;
    this.high = player.to > player.from ? player.to : player.from + 1;
    player.listen((t) => this.panels.forEach((panel) => panel.show(t)));
  }

  /** Over the time, the frequency, or the signal of that name. */
  async chooseAxis(name: string): Promise<void> {
    const index = this.runs[0].find(name.replace(/^signal:/, ""));
    if (name.startsWith("signal:") && index >= 0) {
      await this.runs[0].load(index);
      this.axis = { kind: "signal", index };
    } else this.axis = { kind: name === "frequency" ? "frequency" : "time" };
    this.rebuild();
  }

  /** Signals that are shown may be what others are drawn over. */
  private offerAxes(): void {
    const names = [...new Set(this.shown.map((e) => this.runs[e.run].head.signals[e.signal].name))];
    const now = this.axis.kind === "signal" ? this.runs[0].head.signals[this.axis.index].name : "";
    if (now && !names.includes(now)) names.push(now);
    this.choice.replaceChildren(
      make("option", { value: "time", selected: this.axis.kind === "time" }, "over time"),
      make("option", { value: "frequency", selected: this.axis.kind === "frequency" }, "spectrum"),
      ...names.map((name) =>
        make("option", { value: `signal:${name}`, selected: name === now }, `over ${name}`),
      ),
    );
  }

  get height(): number {
    return this.panels.length > 2 ? 150 : 210;
  }

  has(signal: number): boolean {
    return this.shown.some((entry) => entry.signal === signal);
  }

  async add(name: string): Promise<void> {
    for (let run = 0; run < this.runs.length; run++) {
      const signal = this.runs[run].find(name);
      if (signal < 0 || this.shown.some((e) => e.run === run && e.signal === signal)) continue;
      await this.runs[run].load(signal);
      this.shown.push({ run, signal });
    }
    this.rebuild();
  }

  remove(run: number, signal: number): void {
    this.shown = this.shown.filter((entry) => entry.run !== run || entry.signal !== signal);
    this.rebuild();
  }

  toggle(name: string): void {
    const signal = this.runs[0].find(name);
    if (this.has(signal)) {
      this.shown = this.shown.filter((e) => this.runs[e.run].head.signals[e.signal].name !== name);
      this.rebuild();
    } else void this.add(name);
  }

  rebuild(): void {
    this.panels.forEach((panel) => panel.free());
    this.panels = [];
    for (const { run, signal } of this.shown) {
      const { unit } = this.runs[run].head.signals[signal];
      let panel = this.panels.find((one) => one.unit === unit);
      if (!panel) this.panels.push((panel = new Panel(unit, this.axis, this)));
      panel.add(run, signal);
    }
    if (this.panels.length === 0) {
      this.element.replaceChildren(
        make("p", { class: "hint" }, "Choose signals in the list below."),
      );
    } else {
      this.offerAxes();
      this.element.replaceChildren(this.choice, ...this.panels.map((panel) => panel.element));
    }
    this.panels.forEach((panel) => panel.draw());
    this.onChange();
  }

  /** New samples: curves are drawn anew, and grow with the time if all of it was in sight. */
  refresh(): void {
    if (this.high >= this.reached) this.high = Math.max(this.player.to, this.low + 1e-12);
    this.reached = this.player.to;
    this.panels.forEach((panel) => panel.draw());
  }

  private setRange(low: number, high: number): void {
    const { from, to } = this.player;
    const width = Math.min(high - low, to - from);
    if (!(width > 0)) return;
    this.low = Math.min(Math.max(low, from), to - width);
    this.high = this.low + width;
    this.panels.forEach((panel) => panel.rescale());
  }

  zoom(t: number, factor: number): void {
    this.setRange(t - (t - this.low) * factor, t + (this.high - t) * factor);
  }

  pan(shift: number): void {
    this.setRange(this.low + shift, this.high + shift);
  }

  showAll(): void {
    this.setRange(this.player.from, this.player.to);
  }
}
