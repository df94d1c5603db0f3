// plots.ts - curves: a panel for each unit. Dragging scrubs, the wheel zooms, shift and dragging
// pan, a double click shows all.
import uPlot from "uplot";
import uplotStyle from "uplot/dist/uPlot.min.css";
import { curveColor, isDark } from "./colors.js";
import type { Run } from "./data.js";
import { format, make } from "./dom.js";
import type { Player } from "./player.js";

export { uplotStyle };

interface Curve {
  run: number;
  signal: number;
  color: string;
  value: HTMLElement;
}

class Panel {
  readonly element = make("section", { class: "panel" });
  readonly curves: Curve[] = [];
  private readonly legend = make("div", { class: "legend" });
  private readonly holder = make("div", { class: "curves" });
  private plot: uPlot | null = null;

  constructor(
    readonly unit: string,
    private readonly owner: Plots,
  ) {
    this.element.setAttribute("aria-label", `Curves in ${unit || "no unit"}`);
    this.element.append(this.legend, this.holder);
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  add(run: number, signal: number): void {
    const color = curveColor(this.curves.length);
    const head = this.owner.runs[run].head.signals[signal];
    const value = make("output", {});
    const name = this.owner.runs.length > 1 ? `${head.name} (${run + 1})` : head.name;
    const entry = make(
      "span",
      { class: "entry" },
      make("span", { class: "swatch", style: `background:${color}` }),
      name,
      value,
      make("span", { class: "unit" }, head.unit),
      make(
        "button",
        {
          class: "close",
          "aria-label": `Remove ${name}`,
          click: () => this.owner.remove(run, signal),
        },
        "×",
      ),
    );
    this.legend.append(entry);
    this.curves.push({ run, signal, color, value });
  }

  /** Times of both runs together, values between samples on straight lines. */
  private data(): uPlot.AlignedData {
    const runs = [...new Set(this.curves.map((curve) => curve.run))];
    const times =
      runs.length === 1
        ? Array.from(this.owner.runs[runs[0]].times)
        : Array.from(new Set(runs.flatMap((run) => Array.from(this.owner.runs[run].times)))).sort(
            (a, b) => a - b,
          );
    return [
      times,
      ...this.curves.map(({ run, signal }) =>
        runs.length === 1
          ? Array.from(this.owner.runs[run].loaded(signal)!)
          : times.map((t) => this.owner.runs[run].value(signal, t)),
      ),
    ];
  }

  draw(): void {
    this.plot?.destroy();
    const ink = isDark() ? "#c9ced6" : "#3b4148",
      faint = isDark() ? "#2b3138" : "#e3e6ea";
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    const series = this.curves.map((curve) => ({
      label: this.owner.runs[curve.run].head.signals[curve.signal].name,
      stroke: curve.color,
      width: 1.5,
      pxAlign: 0,
      dash: curve.run > 0 ? [6, 4] : undefined,
      points: { show: false },
    }));
    this.plot = new uPlot(
      {
        width: Math.max(this.holder.clientWidth, 120),
        height: this.owner.height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false, range: () => [this.owner.low, this.owner.high] } },
        axes: [
          { ...axis, size: 32 },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => format(tick)) },
        ],
        series: [{ label: "t" }, ...series],
        hooks: { draw: [(plot) => this.drawTime(plot)] },
      },
      this.data(),
      this.holder,
    );
    this.listen(this.plot);
    this.show(this.owner.player.t);
  }

  private drawTime(plot: uPlot): void {
    const x = plot.valToPos(this.owner.player.t, "x", true);
    if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) return;
    plot.ctx.save();
    plot.ctx.strokeStyle = "#c2742c";
    plot.ctx.lineWidth = 1.5 * devicePixelRatio;
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, plot.bbox.top);
    plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  private listen(plot: uPlot): void {
    const area = plot.over;
    const timeAt = (event: PointerEvent | WheelEvent) =>
      plot.posToVal(event.clientX - area.getBoundingClientRect().left, "x");
    let from: number | null = null;
    area.addEventListener("pointerdown", (event) => {
      area.setPointerCapture(event.pointerId);
      from = event.shiftKey ? timeAt(event) : null;
      if (from === null) this.owner.player.seek(timeAt(event));
    });
    area.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      if (from === null) this.owner.player.seek(timeAt(event));
      else this.owner.pan(from - timeAt(event));
    });
    area.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.owner.zoom(timeAt(event), event.deltaY > 0 ? 1.25 : 0.8);
      },
      { passive: false },
    );
    area.addEventListener("dblclick", () => this.owner.showAll());
  }

  show(t: number): void {
    this.curves.forEach((curve) => {
      curve.value.textContent = format(this.owner.runs[curve.run].value(curve.signal, t));
    });
    this.plot?.redraw(false, false);
  }

  rescale(): void {
    this.plot?.setScale("x", { min: this.owner.low, max: this.owner.high });
  }

  private resize(): void {
    if (this.plot && this.holder.clientWidth > 0) {
      this.plot.setSize({ width: this.holder.clientWidth, height: this.owner.height });
    }
  }

  free(): void {
    this.plot?.destroy();
    this.element.remove();
  }
}

export class Plots {
  readonly element = make("div", { class: "plots" });
  low: number;
  high: number;
  private panels: Panel[] = [];
  private shown: { run: number; signal: number }[] = [];
  onChange: () => void = () => undefined;

  constructor(
    readonly runs: Run[],
    readonly player: Player,
  ) {
    this.low = player.from;
    this.high = player.to > player.from ? player.to : player.from + 1;
    player.listen((t) => this.panels.forEach((panel) => panel.show(t)));
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
      if (!panel) this.panels.push((panel = new Panel(unit, this)));
      panel.add(run, signal);
    }
    if (this.panels.length === 0) {
      this.element.replaceChildren(
        make("p", { class: "hint" }, "Choose signals in the list below."),
      );
    } else {
      this.element.replaceChildren(...this.panels.map((panel) => panel.element));
    }
    this.panels.forEach((panel) => panel.draw());
    this.onChange();
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

  /** The values at the present time as a table, for those who do not see curves. */
  values(): [string, string, string][] {
    return this.shown.map(({ run, signal }) => {
      const head = this.runs[run].head.signals[signal];
      return [head.name, format(this.runs[run].value(signal, this.player.t)), head.unit];
    });
  }
}
