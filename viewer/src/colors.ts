// colors.ts - calm colours for parts, and a palette for curves that is safe for colour blindness:
// that of Okabe and Ito, as in src/plot.

export const curves = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
export const curvesDark = [
  "#56a8e0",
  "#f08848",
  "#35c79c",
  "#e39cc4",
  "#f2b840",
  "#8fd0f5",
  "#b0b0b0",
];

const parts = ["#7c93a8", "#b59a72", "#86a487", "#a38aa8", "#c08d84", "#7fa6a8", "#a5a377"];

export function partColor(index: number): string {
  return parts[index % parts.length];
}

/** The style knows the theme by this attribute: that of the system until the user chooses. */
export function chooseTheme(theme: "light" | "dark"): void {
  document.documentElement.dataset.theme = theme;
}

export function systemTheme(): "light" | "dark" {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

export function curveColor(index: number): string {
  const list = isDark() ? curvesDark : curves;
  return list[index % list.length];
}
