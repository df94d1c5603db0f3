// picture.ts - the page as a picture: the view alone, or the curves of a model without one. Called
// by `trammel report --png`, `--frames` and `--webm`.
import type { Player } from "./player.js";
import type { View } from "./view.js";

export class Picture {
  constructor(
    private readonly player: Player,
    private readonly view: View | null,
  ) {}

  /** Hide all controls and show a time, the last one if it is beyond the run. */
  pose(t: number): void {
    document.documentElement.dataset.mode = "picture";
    this.player.play(false);
    this.player.seek(t);
    this.view?.fill();
    this.view?.draw();
  }

  /** Times of the frames of a film with so many in a second, at the speed of the page. */
  times(rate: number): number[] {
    const { from, to, speed, seconds } = this.player;
    const count = Math.max(1, Math.round((((to - from) * seconds) / speed) * rate));
    return Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
  }
}
