// tabs.ts - what a run says about itself: summary, steps, energy, messages, the model's text.
import type { Vector3 } from "three";
import uPlot from "uplot";
import { curveColor, isDark } from "./colors.js";
import type { Head, RunHead } from "./data.js";
import { format, make, table } from "./dom.js";
import type { Machine } from "./machine.js";
import type { Player } from "./player.js";

declare const LICENCES: { name: string; version: string; licence: string; text: string }[];

const reasons = [
  "fixed, or none",
  "local error",
  "Newton",
  "domain",
  "event",
  "growth",
  "largest step or end",
  "stop or contact",
  "friction turning over",
];

/** Is the run to be trusted? One line for the top of the page. */
export function headline(run: RunHead): string {
  const parts = [
    `${run.integrator}${run.tolerance !== null ? ` ${run.tolerance.toExponential(0)}` : ""}`,
  ];
  if (run.counters) {
    const seconds = run.counters.cpu_seconds ?? 0;
    parts.push(
      `${run.counters.steps} steps`,
      seconds < 1 ? `${format(seconds * 1e3, 3)} ms` : `${format(seconds, 3)} s`,
    );
  }
  const { imbalance, scale } = run.audit ?? {};
  if (imbalance != null && scale != null && scale > 0) {
    parts.push(`energy audit ${format(Math.abs(imbalance) / scale, 2)}`);
  }
  if (run.status === "unfinished" && !run.live)
    parts.push("unfinished: it was killed, or is still going on");
  return parts.join(" · ");
}

export function summaryTab(head: Head): HTMLElement {
  const element = make("div", { class: "text" });
  head.runs.forEach((run) => {
    const counters = Object.entries(run.counters ?? {}).map(([name, value]) => [
      name.replaceAll("_", " "),
      format(value, 6),
    ]);
    element.append(
      make("h2", {}, run.model),
      table(
        ["fact", "value"],
        [
          ["file", run.file],
          ["method", `${run.integrator} ${run.formulation}, solver ${run.solver}`],
          ["tolerance", format(run.tolerance)],
          ["end", `${format(run.end)}`],
          ["status", run.status],
          ...counters,
        ],
      ),
    );
    if (run.parameters.length > 0) {
      element.append(make("h3", {}, "Parameters"), table(["name", "value"], run.parameters));
    }
    if (run.options.length > 0) {
      element.append(make("h3", {}, "Options"), table(["name", "value"], run.options));
    }
  });
  element.append(
    make(
      "p",
      { class: "hint" },
      `Curves are shown to 1/${Math.round(
        1 / head.resolution,
      )} of the range of each. Written by Trammel ${head.trammel}.`,
    ),
    about(),
  );
  return element;
}

function about(): HTMLElement {
  return make(
    "details",
    {},
    make("summary", {}, "Licences of what is in this page"),
    ...LICENCES.map((one) =>
      make(
        "details",
        {},
        make("summary", {}, `${one.name} ${one.version}, ${one.licence}`),
        make("pre", {}, one.text),
      ),
    ),
  );
}

/** A small plot over time that can be clicked. */
function timePlot(
  player: Player,
  label: string,
  t: number[],
  y: (number | null)[],
  isLog: boolean,
): HTMLElement {
  const holder = make("div", { class: "curves" });
  const ink = isDark() ? "#c9ced6" : "#3b4148",
    faint = isDark() ? "#2b3138" : "#e3e6ea";
  const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
  let plot: uPlot | null = null;
  new ResizeObserver(() => {
    if (holder.clientWidth === 0) return;
    if (plot) {
      plot.setSize({ width: holder.clientWidth, height: 220 });
      return;
    }
    plot = new uPlot(
      {
        width: holder.clientWidth,
        height: 220,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false }, y: { distr: isLog ? 3 : 1 } },
        axes: [
          { ...axis, size: 32 },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => format(tick, 3)) },
        ],
        series: [
          {},
          { label, stroke: curveColor(0), width: 1.2, points: { show: t.length < 200 } },
        ],
      },
      [t, y],
      holder,
    );
    plot.over.addEventListener("pointerdown", (event) =>
      player.seek(plot!.posToVal(event.clientX - plot!.over.getBoundingClientRect().left, "x")),
    );
  }).observe(holder);
  return holder;
}

export function stepsTab(run: RunHead, player: Player): HTMLElement {
  const element = make("div", { class: "text" });
  if (run.steps.length === 0) return make("p", { class: "hint" }, "The run took no step.");
  const accepted = run.steps.filter((step) => step[1] > 0);
  element.append(
    make("h2", {}, "Step size"),
    timePlot(
      player,
      "h",
      accepted.map((s) => s[0]),
      accepted.map((s) => s[1]),
      true,
    ),
  );
  const counts = new Map<string, number>();
  for (const step of run.steps) {
    const what = `${reasons[step[3]] ?? "?"}${step[4] ? `: ${step[4]}` : ""}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const rows = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 20)
    .map(([what, count]) => [
      what,
      String(count),
      `${((100 * count) / run.steps.length).toFixed(1)} %`,
    ]);
  element.append(
    make("h2", {}, "What limited the steps"),
    table(["limit", "steps", "share"], rows),
  );
  if (run.attempts_of_row > 1) {
    element.append(
      make(
        "p",
        { class: "hint" },
        `Each point stands for ${run.attempts_of_row} attempts: their smallest accepted step.`,
      ),
    );
  }
  return element;
}

const energyNames: Record<string, string> = {
  initial: "energy at the start",
  motions: "work of motions",
  forces: "work of forces",
  dampers: "work of dampers",
  friction: "work of friction",
  events: "jumps at events",
  imbalance: "nothing accounts for",
  scale: "largest energy exchanged",
};

export function energyTab(
  run: RunHead,
  player: Player,
  total: { t: number[]; y: number[] } | null,
  unit: string,
): HTMLElement {
  const element = make("div", { class: "text" });
  if (total) {
    element.append(
      make("h2", {}, `Kinetic + potential energy [${unit}]`),
      timePlot(player, "energy", total.t, total.y, false),
    );
  }
  const rows = Object.entries(run.audit ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [energyNames[name] ?? name, `${format(value)} ${unit}`]);
  if (rows.length > 0)
    element.append(make("h2", {}, "Balance over the run"), table(["part", "energy"], rows));
  else element.append(make("p", { class: "hint" }, "The run kept no balance of its energy."));
  return element;
}

export function messagesTab(run: RunHead, player: Player): HTMLElement {
  const element = make("div", { class: "text" });
  const faults = (run.scene?.shapes ?? [])
    .filter((shape) => shape.fault)
    .map(
      (shape) => `The mesh of '${run.scene!.bodies[shape.body].name}' is not shown: ${shape.fault}`,
    );
  for (const { name, fault } of run.scene?.flexible ?? []) {
    if (fault) faults.push(`The flexible body '${name}' is not shown: ${fault}`);
  }
  if (run.scene_fault)
    faults.push(`The mechanism is shown by its points alone: ${run.scene_fault}`);
  faults.forEach((fault) => element.append(make("p", { class: "failure" }, fault)));
  if (run.error) element.append(make("p", { class: "failure" }, run.error));
  const link = (t: number | null) =>
    t === null
      ? ""
      : make(
          "button",
          {
            class: "time",
            click: () => player.seek(t),
          },
          format(t),
        );
  if (run.messages.length > 0) {
    const hidden = run.nmessages - run.messages.length;
    element.append(
      make("h2", {}, `Messages (${run.nmessages})`),
      hidden > 0 ? make("p", { class: "hint" }, `${hidden} of them are not shown here.`) : "",
      table(
        ["time", "what"],
        run.messages.map((message) => [link(message.t), message.text]),
      ),
    );
  }
  if (run.events.length > 0) {
    element.append(
      make("h2", {}, `Events (${run.nevents})`),
      run.nevents > 500 ? make("p", { class: "hint" }, "The first 500 are shown.") : "",
      table(
        ["time", "what"],
        run.events.slice(0, 500).map((event) => [link(event.t), event.name]),
      ),
    );
  }
  if (element.childElementCount === 0)
    element.append(make("p", { class: "hint" }, "No messages, no events."));
  return element;
}

/** The model's text; the lines of a part can be marked. */
export class ModelTab {
  readonly element = make("div", { class: "text" });
  private readonly lines: HTMLElement[];

  constructor(run: RunHead) {
    const text = run.text || "This model is built into the program and has no text.";
    this.lines = text.split("\n").map((line) => make("span", { class: "line" }, line || " "));
    this.element.append(
      make(
        "pre",
        { class: "model", tabindex: "0", "aria-label": "Text of the model" },
        ...this.lines,
      ),
    );
  }

  /** Mark the line that the message of a failed run names, "at arm.yaml:7:65", or its object. */
  markFailure({ error, object }: RunHead): void {
    const line = Number(/:(\d+):\d+/.exec(error)?.[1]);
    const name = /'(.*)'/.exec(object)?.[1];
    if (line >= 1 && line <= this.lines.length) this.lines[line - 1].classList.add("marked");
    else if (name !== undefined) this.mark(name);
  }

  /** Mark the block of a name: its line, and those indented deeper; of node "rod.3" that of rod. */
  mark(name: string): void {
    const quoted = name.split(".")[0].replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const begin = this.lines.findIndex((line) =>
      new RegExp(`^\\s*["']?${quoted}["']?\\s*:`).test(line.textContent ?? ""),
    );
    const depth = (line: HTMLElement) => (line.textContent ?? "").search(/\S/);
    this.lines.forEach((line, i) => {
      const isInside =
        begin >= 0 &&
        i > begin &&
        this.lines.slice(begin + 1, i + 1).every((one) => depth(one) > depth(this.lines[begin]));
      line.classList.toggle("marked", begin >= 0 && (i === begin || isInside));
    });
    if (begin >= 0) this.lines[begin].scrollIntoView({ block: "center" });
  }
}

/** The hottest points of flexible bodies; a click goes to the instant and looks there. */
export function stressTab(
  machine: Machine,
  player: Player,
  flyTo: (place: Vector3) => void,
): HTMLElement {
  const element = make("div", { class: "text" });
  for (const body of machine.flexible) {
    const { name, spots, unit, modes, stress_scales, stress_error, displacement_error } = body.data;
    const places =
      displacement_error === undefined
        ? ""
        : `Displacements by the same shapes are off by ${format(displacement_error, 2)} of the ` +
          "largest. ";
    const go = (point: number, t: number) => {
      player.play(false);
      player.seek(t);
      flyTo(body.at(point));
    };
    element.append(
      make("h2", {}, name),
      table(
        ["node", "von Mises stress", "time", "place"],
        (spots ?? []).map((spot) => [
          String(spot.node),
          `${format(spot.stress, 4)} ${unit}`,
          format(spot.t),
          make(
            "button",
            { "aria-label": `Show node ${spot.node}`, click: () => go(spot.point, spot.t) },
            "show",
          ),
        ]),
      ),
      make(
        "p",
        { class: "hint" },
        `Colours by ${stress_scales!.length} shapes for ${modes} modes, each rounded to ` +
          "1/65534 of its largest value: compared at 50 instants they are off by " +
          `${format(stress_error, 2)} of the largest stress. ${places}This list is exact. Nodes ` +
          "at rigid interfaces are left out: their rigidity raises the stress beside them.",
      ),
    );
  }
  return element;
}
