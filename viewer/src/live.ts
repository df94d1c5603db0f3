// live.ts - a run that goes on: new samples are asked for again and again, and what the viewer
// wishes is sent to the program. Addresses are relative to the page's own; see live_server.c.
import type { Run, RunHead } from "./data.js";
import { format, make } from "./dom.js";

export interface LiveState {
  status: string;
  error: string;
  t: number | null;
  steps: number;
  samples: number;
  paused: boolean;
  messages: RunHead["messages"];
  nmessages: number;
}

const interval = 150; // milliseconds between two questions

export class LiveFeed {
  state: LiveState | null = null;
  private stride = 1;

  constructor(
    private readonly run: Run,
    private readonly onNews: (state: LiveState) => void,
  ) {}

  /** Rows that are new, up to the last one there is. */
  private async fetchRows(): Promise<void> {
    for (;;) {
      const from = this.run.times.length;
      const answer = await fetch(`rows?from=${from}&stride=${this.stride}`);
      const bytes = await answer.arrayBuffer();
      const [rows, width, stride, first] = new Uint32Array(bytes, 0, 4);
      this.stride = stride;
      if (rows === 0) return;
      this.run.append(new Float64Array(bytes, 16, rows * width), first);
    }
  }

  private async ask(): Promise<LiveState> {
    const state = (await (await fetch("state")).json()) as LiveState;
    await this.fetchRows();
    return (this.state = state);
  }

  /** The first samples are there. */
  async ready(): Promise<void> {
    for (;;) {
      const state = await this.ask();
      if (this.run.times.length > 1 || (state.status !== "unfinished" && this.run.times.length > 0))
        return;
      await new Promise((done) => setTimeout(done, interval));
    }
  }

  /** Ask until the run has ended, or nobody answers any more. */
  async follow(): Promise<void> {
    for (;;) {
      try {
        const state = await this.ask();
        this.onNews(state);
        if (state.status !== "unfinished") return;
      } catch {
        this.onNews({ ...this.state!, status: "gone" });
        return;
      }
      await new Promise((done) => setTimeout(done, interval));
    }
  }
}

async function send(path: string): Promise<void> {
  await fetch(path, { method: "POST" }).catch(() => undefined);
}

/** A slider for an input; the number beside it may go beyond its ends. */
function inputControl(name: string, unit: string, value: number): HTMLElement {
  const reach = Math.max(1, 2 * Math.abs(value));
  const slider = make("input", {
    type: "range",
    min: String(-reach),
    max: String(reach),
    step: "any",
    value: String(value),
    "aria-label": `Input ${name}`,
    input: () => {
      number.value = format(Number(slider.value), 4);
      void send(`input?name=${encodeURIComponent(name)}&value=${slider.value}`);
    },
  });
  const number = make("input", {
    type: "number",
    step: "any",
    value: String(value),
    "aria-label": `Value of input ${name}`,
    change: () => {
      const wish = Number(number.value);
      if (!Number.isFinite(wish)) return;
      slider.min = String(Math.min(Number(slider.min), wish));
      slider.max = String(Math.max(Number(slider.max), wish));
      slider.value = String(wish);
      void send(`input?name=${encodeURIComponent(name)}&value=${wish}`);
    },
  });
  return make("label", { class: "input" }, name, slider, number, make("span", {}, unit));
}

/** Pause, stop and inputs. */
export class LiveBar {
  readonly element = make("div", { id: "live", role: "group", "aria-label": "Running simulation" });
  private isPaused = false;
  private readonly text = make("span", { role: "status" });
  private readonly pause = make("button", { click: () => this.togglePause() }, "pause the run");
  private readonly stop = make("button", { click: () => void send("stop") }, "stop the run");

  constructor(run: Run) {
    const inputs = run.head.live!.inputs.map(({ name, unit }) => {
      const signal = run.head.signals.findIndex((s) => s.group === "inputs" && s.label === name);
      return inputControl(name, unit, run.loaded(signal)?.[run.times.length - 1] ?? 0);
    });
    this.element.append(this.text, this.pause, this.stop, ...inputs);
  }

  private togglePause(): void {
    void send(`pause?on=${this.isPaused ? 0 : 1}`);
  }

  show(state: LiveState, unit: string): void {
    const words: Record<string, string> = {
      unfinished: state.paused ? "paused" : "running",
      ok: "has ended",
      error: "has failed",
      gone: "the program has gone; this page keeps what it has",
    };
    this.isPaused = state.paused;
    this.pause.textContent = state.paused ? "go on" : "pause the run";
    this.pause.disabled = state.status !== "unfinished";
    this.stop.disabled = state.status === "gone";
    this.stop.textContent = state.status === "unfinished" ? "stop the run" : "end the program";
    const time = `${format(state.t)} ${unit}`;
    this.text.textContent = `${words[state.status]} · ${time} · ${state.steps} steps`;
  }
}
