// panel.ts - curves of one unit: over time, over frequency, or over another signal. Over time
// dragging scrubs, the wheel zooms, shift and dragging pan, a double click shows all.
import uPlot from "uplot";
import { curveColor, isDark } from "./colors.js";
import { format, make, table } from "./dom.js";
import type { Plots } from "./plots.js";
import { spectrumOf } from "./spectrum.js";

/** What curves are drawn over. */
export type Axis = { kind: "time" } | { kind: "frequency" } | { kind: "signal"; index: number };

interface Curve {
  run: number;
  signal: number;
  color: string;
  value: HTMLElement;
}

const rows = 21; // of the table of values

/** Points in their order, also where x goes back. */
const path: uPlot.Series.PathBuilder = (plot, series) => {
  const stroke = new Path2D();
  let isDown = false;
  plot.data[0].forEach((x, i) => {
    const y = plot.data[series][i];
    if (y == null || !Number.isFinite(y)) {
      isDown = false;
      return;
    }
    const [px, py] = [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
    if (isDown) stroke.lineTo(px, py);
    else stroke.moveTo(px, py);
    isDown = true;
  });
  return { stroke };
};

export class Panel {
  readonly element = make("section", { class: "panel" });
  readonly curves: Curve[] = [];
  private readonly legend = make("div", { class: "legend" });
  private readonly holder = make("div", { class: "curves" });
  private readonly line = make("div", { class: "now-line" });
  private readonly list = make(
    "details",
    { class: "values", toggle: () => this.fillList() },
    make("summary", {}, "values"),
  );
  private plot: uPlot | null = null;

  constructor(
    readonly unit: string,
    private readonly axis: Axis,
    private readonly owner: Plots,
  ) {
    this.element.setAttribute("aria-label", `Curves in ${unit || "no unit"}`);
    this.element.append(this.legend, this.holder);
    if (axis.kind === "time") this.element.append(this.list);
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

  /** The curves in sight as a table, for those who do not see them. */
  private fillList(): void {
    this.list.querySelector("table")?.remove();
    if (!this.list.open) return;
    const { low, high, runs } = this.owner;
    const names = this.curves.map(({ run, signal }) => runs[run].head.signals[signal].name);
    const times = Array.from({ length: rows }, (_, i) => low + (i * (high - low)) / (rows - 1));
    this.list.append(
      table(
        ["t", ...names],
        times.map((t) =>
          [t, ...this.curves.map((curve) => this.valueAt(curve, t))].map((x) => format(x)),
        ),
      ),
    );
  }

  private data(): uPlot.AlignedData {
    if (this.axis.kind === "time") return this.overTime();
    return this.axis.kind === "frequency" ? this.overFrequency() : this.overSignal(this.axis.index);
  }

  /** Spectra of what is in sight; those of a second run at the frequencies of the first. */
  private overFrequency(): uPlot.AlignedData {
    const { runs, low, high } = this.owner;
    const spectra = this.curves.map(({ run, signal }) => spectrumOf(runs[run], signal, low, high));
    const { frequencies } = spectra.reduce((a, b) =>
      a.frequencies.length >= b.frequencies.length ? a : b,
    );
    return [
      frequencies,
      ...spectra.map(({ amplitudes }) => frequencies.map((_, i) => amplitudes[i] ?? null)),
    ];
  }

  /** In order of time: uPlot only asks that the first list is there, the path is drawn by hand. */
  private overSignal(index: number): uPlot.AlignedData {
    const run = this.owner.runs[0];
    return [
      Array.from(run.loaded(index)!),
      ...this.curves.map((curve) => Array.from(run.times, (t) => this.valueAt(curve, t))),
    ];
  }

  private valueAt(curve: Curve, t: number): number {
    return this.owner.runs[curve.run].value(curve.signal, t);
  }

  /** Times of both runs together, values between samples on straight lines. */
  private overTime(): uPlot.AlignedData {
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
      paths: this.axis.kind === "signal" ? path : undefined,
    }));
    this.plot = new uPlot(
      {
        width: Math.max(this.holder.clientWidth, 120),
        height: this.owner.height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false, range: (_, low, high) => this.range(low, high) } },
        axes: [
          {
            ...axis,
            size: this.axis.kind === "time" ? 32 : 50,
            label: this.label(),
            labelSize: 18,
          },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => format(tick)) },
        ],
        series: [{ label: "t" }, ...series],
        hooks: { draw: [(plot) => this.drawNow(plot)] },
      },
      this.data(),
      this.holder,
    );
    if (this.axis.kind === "time") this.plot.over.append(this.line);
    this.listen(this.plot);
    this.fillList();
    this.show(this.owner.player.t);
  }

  private range(low: number, high: number): [number, number] {
    if (this.axis.kind === "time") return [this.owner.low, this.owner.high];
    if (this.axis.kind === "frequency") return [0, high];
    const list = this.owner.runs[0].loaded(this.axis.index)!.filter(Number.isFinite);
    const [a, b] = [
      list.reduce((x, y) => Math.min(x, y), Infinity),
      list.reduce((x, y) => Math.max(x, y), -Infinity),
    ];
    return b > a ? [a, b] : [low - 1, high + 1];
  }

  private label(): string | undefined {
    if (this.axis.kind === "time") return undefined;
    if (this.axis.kind === "frequency") return "frequency [Hz]";
    const { name, unit } = this.owner.runs[0].head.signals[this.axis.index];
    return unit ? `${name} [${unit}]` : name;
  }

  private drawNow(plot: uPlot): void {
    if (this.axis.kind === "time") this.placeTime(plot);
    if (this.axis.kind === "signal") this.drawPoint(plot, this.axis.index);
  }

  /** Where the curves are now. */
  private drawPoint(plot: uPlot, index: number): void {
    const { t } = this.owner.player;
    const x = plot.valToPos(this.owner.runs[0].value(index, t), "x", true);
    plot.ctx.save();
    for (const curve of this.curves) {
      plot.ctx.fillStyle = curve.color;
      plot.ctx.beginPath();
      plot.ctx.arc(x, plot.valToPos(this.valueAt(curve, t), "y", true), 4 * devicePixelRatio, 0, 7);
      plot.ctx.fill();
    }
    plot.ctx.restore();
  }

  /** The line of the present time lies over the curves, so that these are not drawn again. */
  private placeTime(plot: uPlot): void {
    const x = plot.valToPos(this.owner.player.t, "x");
    const isInside = x >= 0 && x <= plot.over.clientWidth;
    this.line.style.display = isInside ? "block" : "none";
    this.line.style.transform = `translateX(${x}px)`;
  }

  private listen(plot: uPlot): void {
    if (this.axis.kind !== "time") return;
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
      curve.value.textContent = format(this.valueAt(curve, t));
    });
    if (!this.plot) return;
    if (this.axis.kind === "time") this.placeTime(this.plot);
    if (this.axis.kind === "signal") this.plot.redraw(false, false);
  }

  rescale(): void {
    if (this.axis.kind === "time") {
      this.plot?.setScale("x", { min: this.owner.low, max: this.owner.high });
      this.fillList();
    } else if (this.axis.kind === "frequency") this.draw();
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
