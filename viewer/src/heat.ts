// heat.ts - a perceptually uniform scale of colours (viridis, by its ends and seven points between)
// and the strip that explains it.
import { Color } from "three";
import { format, make } from "./dom.js";

const stops = [
  "#440154",
  "#472d7b",
  "#3b528b",
  "#2c728e",
  "#21918c",
  "#28ae80",
  "#5ec962",
  "#addc30",
  "#fde725",
].map((text) => new Color(text));

/** Colour of a part of the whole; above one is capped. */
export function heat(part: number, out: Color): Color {
  const place = Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  return out.copy(stops[i]).lerp(stops[i + 1], place - i);
}

/** A strip of the colours with its ends: what is coloured, from 0 to the largest value. */
export function heatStrip(what: string, largest: number, unit: string): HTMLElement {
  const colors = stops.map((color) => `#${color.getHexString()}`).join(",");
  const end = `${format(largest, 3)} ${unit}`;
  return make(
    "div",
    { class: "heat", role: "img", "aria-label": `${what}: 0 to ${end}` },
    make("span", {}, what),
    make("i", { style: `background:linear-gradient(to right,${colors})` }),
    make("span", { class: "ends" }, make("b", {}, "0"), make("b", {}, end)),
  );
}
