// browser.mjs - what the tests share: pages made by the program, opened in Debian's chromium.
import { chromium } from "playwright-core";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const program = process.env.TRAMMEL;
export const folder = mkdtempSync(join(tmpdir(), "trammel-page-"));

/** Run the program; its output, or what it says when it fails. */
export function trammel(...words) {
  const done = spawnSync(program, words, { encoding: "utf8", cwd: folder });
  return { code: done.status, out: done.stdout, said: done.stderr };
}

/** Simulate a model and write its page; the path of the page. */
export function pageOf(name, model, ...options) {
  const file = join(folder, `${name}.h5`);
  const run = spawnSync(program, ["run", model, "--out", file, "--quiet", ...options]);
  if (run.status !== 0 && run.status !== 3) throw new Error(`run ${model}: ${run.stderr}`);
  execFileSync(program, ["report", file, "--quiet"]);
  return join(folder, `${name}.html`);
}

export function writeModel(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Columns of a run by name, as the program exports them. */
export function columnsOf(name) {
  const table = join(folder, `${name}.csv`);
  execFileSync(program, ["export", join(folder, `${name}.h5`), "--out", table, "--quiet"]);
  const rows = readFileSync(table, "utf8").trim().split("\n");
  const names = rows[0].split(",");
  const values = rows.slice(1).map((row) => row.split(",").map(Number));
  return Object.fromEntries(names.map((column, i) => [column, values.map((row) => row[i])]));
}

let browser = null;

export async function openBrowser() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--allow-file-access-from-files=false",
    ],
  });
}

/** At the end of all tests of a file: pages and run files go, too. */
export async function closeBrowser() {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Open a page of a running program; what it complains about is kept. */
export async function openAddress(address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(address);
  await page.waitForSelector("body[data-ready]", { timeout: 60000 });
  return { page, faults, close: () => context.close() };
}

/** Open a page from disk without a network; what it asks for and complains about is kept. */
export async function open(path, { width = 1280, height = 800, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    offline: true,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${path}`);
  await page.waitForSelector("body[data-ready]", { timeout: 60000 });
  return { page, faults, requests, close: () => context.close() };
}

/** Go to a time and draw it. */
export async function seek(page, t) {
  await page.evaluate((time) => {
    window.trammel.player.seek(time);
    window.trammel.view?.draw();
  }, t);
}

/** The picture of the mechanism. */
export function picture(page) {
  return page.evaluate(() => window.trammel.view.canvas.toDataURL());
}

/** Size and length of a film, as the browser that plays it says. */
export async function filmFacts(bytes) {
  const page = await browser.newPage();
  const facts = await page.evaluate(async (text) => {
    const video = document.createElement("video");
    video.src = `data:video/webm;base64,${text}`;
    await new Promise((done, fail) => {
      video.onloadedmetadata = done;
      video.onerror = () => fail(new Error(video.error.message));
    });
    return { width: video.videoWidth, height: video.videoHeight, duration: video.duration };
  }, bytes.toString("base64"));
  await page.close();
  return facts;
}
