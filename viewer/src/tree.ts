// tree.ts - all signals by the part they belong to, with a search.
import type { RunHead, SignalHead } from "./data.js";
import { make } from "./dom.js";
import type { Plots } from "./plots.js";

/** "crank" of crank.x and of d(crank.vx); what has no dot belongs to its group. */
function partOf(signal: SignalHead): string {
  const inner = signal.name.replace(/^d+\((.*)\)$/, "$1").replace(/^\w+:/, "");
  const dot = inner.indexOf(".");
  return dot > 0 && signal.group !== "energy" ? inner.slice(0, dot) : signal.group;
}

/** Headings of the tree in their order, by the kinds of parts that objects name. */
const kinds: [string, string[]][] = [
  ["Outputs", ["output", "outputs"]],
  ["Bodies", ["body", "node", "beam"]],
  ["Joints and motions", ["joint", "motion"]],
  ["Forces", ["force"]],
  ["Contacts", ["contact"]],
];

/** Heading of a signal: by its object "joint 'pin'", else by its group. */
function headingOf(signal: SignalHead): string {
  const kind = /^(\w+) '/.exec(signal.object)?.[1] ?? signal.group;
  return kinds.find(([, list]) => list.includes(kind))?.[0] ?? "Others";
}

export class Tree {
  readonly element = make("div", { class: "tree" });
  readonly search = make("input", {
    type: "search",
    placeholder: "search signals  /",
    "aria-label": "Search signals",
    input: () => this.build(),
  });
  private readonly list = make("div", { class: "list", role: "group", "aria-label": "Signals" });

  constructor(
    private readonly run: RunHead,
    private readonly plots: Plots,
  ) {
    this.element.append(this.list);
    plots.onChange = () => this.build();
    this.build();
  }

  private build(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const headings = new Map(
      [...kinds.map(([heading]) => heading), "Others"].map((heading) => [
        heading,
        new Map<string, number[]>(),
      ]),
    );
    this.run.signals.forEach((signal, i) => {
      if (signal.group === "time") return;
      const text = `${signal.name} ${signal.group} ${signal.object} ${signal.unit}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return;
      const parts = headings.get(headingOf(signal))!;
      const part = partOf(signal);
      parts.set(part, [...(parts.get(part) ?? []), i]);
    });
    const open = new Set(
      Array.from(
        this.list.querySelectorAll("details[open]"),
        (element) => (element as HTMLElement).dataset.part,
      ),
    );
    const shown = [...headings].filter(([, parts]) => parts.size > 0);
    const count = shown.reduce((sum, [, parts]) => sum + parts.size, 0);
    this.list.replaceChildren(
      ...shown.flatMap(([heading, parts]) => [
        make("h2", {}, heading),
        ...Array.from(parts, ([part, signals]) =>
          this.part(part, signals, words.length > 0 || open.has(part) || count === 1),
        ),
      ]),
    );
    if (count === 0) this.list.append(make("p", { class: "hint" }, "No signal has this name."));
  }

  private part(part: string, signals: number[], isOpen: boolean): HTMLElement {
    const shown = signals.filter((i) => this.plots.has(i)).length;
    const body = make("div", { class: "signals" });
    const details = make(
      "details",
      { "data-part": part, open: isOpen },
      make(
        "summary",
        {},
        part,
        make(
          "span",
          { class: "count" },
          shown > 0 ? `${shown} of ${signals.length}` : `${signals.length}`,
        ),
      ),
      body,
    );
    const fill = () => {
      if (body.childElementCount === 0)
        body.append(...signals.slice(0, 400).map((i) => this.entry(i)));
    };
    details.addEventListener("toggle", () => {
      if (details.open) fill();
    });
    if (isOpen) fill();
    return details;
  }

  private entry(index: number): HTMLElement {
    const signal = this.run.signals[index];
    return make(
      "button",
      {
        class: "signal",
        "aria-pressed": String(this.plots.has(index)),
        title: signal.object,
        click: () => this.plots.toggle(signal.name),
      },
      signal.name,
      make("span", { class: "unit" }, signal.unit),
    );
  }
}
