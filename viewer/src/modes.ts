// modes.ts - vibrations about the first sample of a run, animated: page_modes.c says what the
// page holds of them.
import { Quaternion, Vector3 } from "three";
import type { Run } from "./data.js";
import { format, make, table } from "./dom.js";
import { exp, Pose } from "./pose.js";

/** Displacements of all velocities, then of all recorded numbers, at one phase of one mode. */
export type Displacement = (index: number) => number;

/** A pose moved by three numbers in ground axes and, if it turns, by three in body axes. */
export function displace(pose: Pose, turns: boolean, index: number, by: Displacement): void {
  const part = (i: number) => new Vector3(by(index + i), by(index + i + 1), by(index + i + 2));
  pose.x.add(part(0));
  if (turns) pose.q.multiply(exp(part(3), new Quaternion()));
}

/** What a machine does with a displacement. */
export interface Shaken {
  extent: number;
  shake(by: Displacement | null): void;
  /** How far the farthest body goes, with a displacement as it is. */
  sizeOf(by: Displacement): number;
}

const seconds = 1.5; // of one period on the screen

export class Modes {
  readonly element = make("div", { class: "text" });
  private chosen = -1;
  private readonly buttons: HTMLButtonElement[] = [];
  private amplitude = 1;
  private scale = 1;

  private constructor(
    private readonly run: Run,
    private readonly shapes: Float32Array,
    private readonly machine: Shaken,
    private readonly page: { pause(): void; redraw(): void },
  ) {
    const { list = [], note, fault } = run.head.scene!.modes!;
    if (fault) this.element.append(make("p", { class: "failure" }, fault));
    this.element.append(
      table(
        ["mode", "frequency", "damping", "motion"],
        list.map(({ frequency, damping }, i) => [
          String(i + 1),
          `${format(frequency, 6)} Hz`,
          `${format(100 * damping, 3)} %`,
          this.button(i),
        ]),
      ),
    );
    if (list.length === 0 && !fault)
      this.element.append(make("p", { class: "hint" }, "Nothing vibrates about the start."));
    else this.element.append(this.slider());
    this.element.append(
      make("p", { class: "hint" }, `Modes are those about the first sample. ${note ?? ""}`),
    );
  }

  /** Null if the page has none. */
  static async make(
    run: Run,
    machine: Shaken,
    page: { pause(): void; redraw(): void },
  ): Promise<Modes | null> {
    const modes = run.head.scene?.modes;
    if (!modes) return null;
    const bytes = modes.chunk === undefined ? new ArrayBuffer(0) : await run.chunk(modes.chunk);
    return new Modes(run, new Float32Array(bytes), machine, page);
  }

  private button(mode: number): HTMLElement {
    const button = make(
      "button",
      { "aria-pressed": "false", click: () => this.choose(this.chosen === mode ? -1 : mode) },
      "show",
    ) as HTMLButtonElement;
    button.setAttribute("aria-label", `Show mode ${mode + 1}`);
    this.buttons.push(button);
    return button;
  }

  private slider(): HTMLElement {
    const input = make("input", { type: "range", min: "0.1", max: "5", step: "0.1", value: "1" });
    input.addEventListener("input", () => {
      this.amplitude = Number((input as HTMLInputElement).value);
    });
    return make("label", { class: "amplitude" }, "amplitude ", input);
  }

  get isShown(): boolean {
    return this.chosen >= 0;
  }

  /** Show a mode; -1: the motion of the run again. */
  choose(mode: number): void {
    if (mode === this.chosen) return;
    if (mode >= 0) this.page.pause();
    this.chosen = mode;
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === mode));
      button.textContent = i === mode ? "stop" : "show";
    });
    if (mode >= 0) {
      const sizes = [0, 0.25].map((phase) => this.machine.sizeOf(this.at(phase, 1)));
      this.scale = (0.06 * this.machine.extent) / Math.max(...sizes, 1e-300);
    } else this.machine.shake(null);
    this.page.redraw();
  }

  /** Re(shape exp(2 pi i phase)), times a factor. */
  private at(phase: number, factor: number): Displacement {
    const { velocities, recorded } = this.run.head.scene!.modes!;
    const count = velocities! + recorded!;
    const re = 2 * this.chosen * count,
      im = re + count;
    const [c, s] = [Math.cos(2 * Math.PI * phase), Math.sin(2 * Math.PI * phase)];
    return (i) => factor * (this.shapes[re + i] * c - this.shapes[im + i] * s);
  }

  /** One frame of the browser at a time in milliseconds. */
  frame(now: number): void {
    if (!this.isShown) return;
    this.pose(now / 1000 / seconds);
    this.page.redraw();
  }

  /** The machine at a phase, in periods. */
  pose(phase: number): void {
    this.machine.shake(this.at(phase, this.amplitude * this.scale));
  }
}
