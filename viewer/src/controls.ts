// controls.ts - tabs, tools of the view, the bar of time, keys, help.
import { chooseTheme, isDark } from "./colors.js";
import type { RunHead } from "./data.js";
import { format, make } from "./dom.js";
import { heatStrip } from "./heat.js";
import type { Player } from "./player.js";
import type { View } from "./view.js";

export class TabList {
  readonly list = make("div", { role: "tablist", "aria-label": "What to show" });
  readonly panels: HTMLElement[];
  private readonly tabs: HTMLElement[];

  constructor(content: [string, HTMLElement][]) {
    this.tabs = content.map(([name], i) =>
      make(
        "button",
        {
          role: "tab",
          id: `tab-${i}`,
          "aria-controls": `panel-${i}`,
          click: () => this.select(i),
          keydown: (event: KeyboardEvent) => this.move(event, i),
        },
        name,
      ),
    );
    this.panels = content.map(([, element], i) =>
      make(
        "div",
        {
          role: "tabpanel",
          id: `panel-${i}`,
          "aria-labelledby": `tab-${i}`,
          tabindex: "0",
        },
        element,
      ),
    );
    this.list.append(...this.tabs);
    this.select(0);
  }

  select(index: number): void {
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      this.panels[i].hidden = i !== index;
    });
  }

  private move(event: KeyboardEvent, index: number): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.stopPropagation();
    const next = (index + step + this.tabs.length) % this.tabs.length;
    this.select(next);
    this.tabs[next].focus();
  }
}

const keys: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one sample back or on; with shift ten"],
  ["home end", "first, last instant"],
  ["+ −", "faster, slower"],
  ["i o u", "loop begins here, ends here, no loop"],
  ["/", "search signals"],
  ["f", "fit into the view"],
  ["1 2 3 4", "look along x, y, z, at an angle"],
  ["t", "trail of the part"],
  ["l", "loads as arrows, and colours of beams"],
  ["d", "light or dark"],
  ["?", "this help"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = make("dialog", { "aria-label": "Help" });
  dialog.append(
    make("h2", {}, "Keys and mouse"),
    make(
      "table",
      {},
      make(
        "tbody",
        {},
        ...keys.map(([key, what]) =>
          make(
            "tr",
            {},
            make("td", {}, ...key.split(" ").map((one) => make("kbd", {}, one))),
            make("td", {}, what),
          ),
        ),
      ),
    ),
    make(
      "p",
      {},
      "In the view: drag to orbit, right button or two fingers to pan, scroll to zoom, " +
        "click a part for its name. In a plot: drag to scrub, scroll to zoom, shift and drag " +
        "to pan, double click to see all.",
    ),
    make("button", { click: () => dialog.close() }, "Close"),
  );
  return dialog;
}

export class Tools {
  readonly buttons: HTMLElement[];
  picked = -1;
  private view: View | null = null;
  private hasTrail = false;
  private onTheme: () => void = () => undefined;
  private readonly trail = make(
    "button",
    { "aria-pressed": "false", click: () => this.toggleTrail() },
    "trail",
  );
  private readonly loads = make("button", { click: () => this.toggleLoads() }, "loads");
  private readonly legend = make("div", { id: "legend" });

  constructor(private readonly help: HTMLDialogElement) {
    this.buttons = [
      make("button", { "aria-label": "Light or dark", click: () => this.theme() }, "☀"),
      make("button", { "aria-label": "Help", click: () => this.showHelp() }, "?"),
    ];
  }

  attach(view: View | null, hasGhost: boolean, holder: HTMLElement, onTheme: () => void): void {
    this.view = view;
    this.onTheme = onTheme;
    if (!view) return;
    const side = (name: string, text: string) =>
      make("button", { "aria-label": `Look ${text}`, click: () => view.show(name) }, name);
    const ghost = make(
      "button",
      {
        "aria-pressed": "true",
        click: () => {
          const isShown = ghost.getAttribute("aria-pressed") !== "true";
          ghost.setAttribute("aria-pressed", String(isShown));
          view.showGhost(isShown);
        },
      },
      "ghost",
    );
    holder.append(
      make(
        "div",
        { id: "tools", role: "toolbar", "aria-label": "View" },
        make("button", { "aria-label": "Fit into the view", click: () => view.show("iso") }, "⌂"),
        side("x", "along x"),
        side("y", "along y"),
        side("z", "along z"),
        this.trail,
        view.machine.hasAnyLoads ? this.loads : null,
        hasGhost ? ghost : null,
      ),
      this.legend,
    );
    this.explainLoads();
  }

  /** What arrows and colours stand for. */
  explainLoads(): void {
    if (!this.view) return;
    const { loads, beamLoads, areLoadsShown, flexible, largestStress } = this.view.machine;
    this.loads.setAttribute("aria-pressed", String(areLoadsShown));
    this.legend.replaceChildren();
    if (!areLoadsShown) return;
    if (loads) this.legend.append(make("p", {}, loads.legend()));
    const { missingLoads } = this.view.machine;
    if (missingLoads) this.legend.append(make("p", {}, missingLoads));
    if (beamLoads) {
      const { largest, unit } = beamLoads;
      this.legend.append(heatStrip("bending moment", largest, unit));
    }
    if (flexible.length > 0) {
      this.legend.append(heatStrip("von Mises stress", largestStress, flexible[0].data.unit));
    }
  }

  toggleLoads(): void {
    if (!this.view?.machine.hasAnyLoads) return;
    this.view.showLoads(!this.view.machine.areLoadsShown);
    this.explainLoads();
  }

  update(): void {
    if (this.hasTrail) this.view?.showTrail(this.picked);
  }

  toggleTrail(): void {
    this.hasTrail = !this.hasTrail;
    this.trail.setAttribute("aria-pressed", String(this.hasTrail));
    const body = this.picked > 0 ? this.picked : 1;
    this.view?.showTrail(this.hasTrail ? body : -1);
  }

  show(side: string): void {
    this.view?.show(side);
  }

  theme(): void {
    chooseTheme(isDark() ? "light" : "dark");
    this.view?.theme();
    this.onTheme();
  }

  showHelp(): void {
    this.help.showModal();
  }
}

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Bar {
  readonly element: HTMLElement;
  private readonly button = make(
    "button",
    { "aria-label": "Play", click: () => this.play(!this.player.isPlaying) },
    "▶",
  );
  private readonly slider = make("input", {
    type: "range",
    min: "0",
    max: "1000",
    step: "any",
    "aria-label": "Time",
    input: () => this.player.seek(this.timeOf(Number(this.slider.value))),
  });
  private readonly now = make("span", { class: "now" });
  private readonly loop = make("i", { class: "loop", "aria-hidden": "true" });
  private readonly speed: HTMLSelectElement;
  private readonly unit: string;
  private readonly times: number;

  constructor(
    private readonly player: Player,
    run: RunHead,
  ) {
    this.unit = run.signals[0]?.unit ?? "s";
    this.times = run.samples || 400; // of a run that goes on
    const list = speeds.includes(player.speed) ? speeds : [player.speed, ...speeds];
    this.speed = make(
      "select",
      {
        "aria-label": "Speed",
        change: () => {
          this.player.speed = Number(this.speed.value);
        },
      },
      ...list.map((value) =>
        make(
          "option",
          { value: String(value), selected: value === player.speed },
          speeds.includes(value) ? `${value}×` : `auto ${format(value, 2)}×`,
        ),
      ),
    );
    const step = (count: number, text: string, label: string) =>
      make("button", { "aria-label": label, click: () => this.step(count) }, text);
    this.element = make(
      "footer",
      {},
      this.button,
      step(-1, "◀|", "One sample back"),
      step(1, "|▶", "One sample on"),
      this.speed,
      make("div", { class: "bar" }, this.slider, this.loop, this.ticks(run)),
      this.now,
      make(
        "button",
        { "aria-label": "Loop begins here", click: () => this.player.setLoop("from") },
        "[",
      ),
      make(
        "button",
        { "aria-label": "Loop ends here", click: () => this.player.setLoop("to") },
        "]",
      ),
      make("button", { "aria-label": "No loop", click: () => this.player.clearLoop() }, "⟲"),
    );
    player.listen((t) => this.show(t));
  }

  /** Marks of events and messages. */
  private ticks(run: RunHead): HTMLElement {
    const { from, to } = this.player;
    const marks = [...run.events.slice(0, 300), ...run.messages].filter(
      (one) => one.t !== null && one.t >= from && one.t <= to && to > from,
    );
    return make(
      "div",
      { class: "ticks", "aria-hidden": "true" },
      ...marks.map((one) =>
        make("i", { style: `left:${(100 * ((one.t as number) - from)) / (to - from)}%` }),
      ),
    );
  }

  private timeOf(value: number): number {
    return this.player.from + (value / 1000) * (this.player.to - this.player.from);
  }

  private show(t: number): void {
    const { from, to } = this.player;
    this.slider.value = String(to > from ? (1000 * (t - from)) / (to - from) : 0);
    const text = `${format(t)} ${this.unit} / ${format(to)} ${this.unit}`;
    this.now.textContent = text;
    this.button.textContent = this.player.isPlaying ? "❚❚" : "▶";
    this.button.setAttribute("aria-label", this.player.isPlaying ? "Pause" : "Play");
    this.slider.setAttribute("aria-valuetext", text);
    const { loop } = this.player;
    const part = (time: number) => (to > from ? (100 * (time - from)) / (to - from) : 0);
    this.loop.hidden = loop === null;
    if (loop) {
      this.loop.style.left = `${part(loop.from)}%`;
      this.loop.style.width = `${part(loop.to) - part(loop.from)}%`;
    }
  }

  play(isPlaying: boolean): void {
    this.player.play(isPlaying);
  }

  step(count: number): void {
    this.play(false);
    const interval = (this.player.to - this.player.from) / Math.max(this.times - 1, 1);
    this.player.seek(this.player.t + count * interval);
  }

  private faster(direction: number): void {
    const index = speeds.findIndex((value) => value >= this.player.speed);
    const at = Math.min(
      speeds.length - 1,
      Math.max(0, (index < 0 ? speeds.length - 1 : index) + direction),
    );
    this.player.speed = speeds[at];
    this.speed.value = String(speeds[at]);
  }

  key(event: KeyboardEvent, tools: Tools, search: HTMLInputElement): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.tagName === "INPUT" && (target as HTMLInputElement).type === "search") {
      if (event.key === "Escape") target.blur();
      return;
    }
    const isControl = ["INPUT", "SELECT", "BUTTON", "SUMMARY"].includes(target.tagName);
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.player.isPlaying),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.player.seek(this.player.from),
      End: () => this.player.seek(this.player.to),
      i: () => this.player.setLoop("from"),
      o: () => this.player.setLoop("to"),
      u: () => this.player.clearLoop(),
      "+": () => this.faster(1),
      "-": () => this.faster(-1),
      "/": () => search.focus(),
      f: () => tools.show("iso"),
      1: () => tools.show("x"),
      2: () => tools.show("y"),
      3: () => tools.show("z"),
      4: () => tools.show("iso"),
      t: () => tools.toggleTrail(),
      l: () => tools.toggleLoads(),
      d: () => tools.theme(),
      "?": () => tools.showHelp(),
    };
    const action = actions[event.key];
    if (
      !action ||
      (isControl && [" ", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key))
    )
      return;
    event.preventDefault();
    action();
  }
}
