// live.test.mjs - a run that is watched while it goes on. TRAMMEL is the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { after, before, test } from "node:test";
import { closeBrowser, folder, openAddress, openBrowser, program, trammel } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** Start a run with --live: its address, and a promise of its code and output. */
function start(...words) {
  const child = spawn(program, ["run", ...words, "--live"], { cwd: folder });
  let out = "",
    said = "";
  child.stdout.on("data", (bytes) => (out += bytes));
  const ended = new Promise((done) => child.on("close", (code) => done({ code, out, said })));
  const address = new Promise((done, fail) => {
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/live at (http:\S+)/);
      if (found) done(new URL(found[1]));
    });
    child.on("close", () => fail(new Error(said)));
  });
  return { child, address, ended };
}

/** One request with any headers; code and body. */
function ask(url, { method = "GET", headers = {} } = {}) {
  return new Promise((done, fail) => {
    const request = http.request(url, { method, headers }, (answer) => {
      const parts = [];
      answer.on("data", (bytes) => parts.push(bytes));
      answer.on("end", () => done({ code: answer.statusCode, body: Buffer.concat(parts) }));
    });
    request.on("error", fail);
    request.end();
  });
}

const post = (url) => ask(url, { method: "POST" });
const stateOf = async (address) => JSON.parse((await ask(new URL("state", address))).body);

/** Wait until something holds; fails after two minutes. */
async function until(condition) {
  for (let i = 0; i < 4800; i++) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  assert.fail(`never: ${condition}`);
}

test("strangers are refused", async () => {
  const run = start("pushed-cart", "--quiet");
  const address = await run.address;
  const state = new URL("state", address);
  assert.equal(address.hostname, "127.0.0.1");
  assert.match(address.pathname, /^\/[0-9a-f]{32}\/$/);
  const code = async (url, options) => (await ask(url, options)).code;
  assert.equal(await code(state), 200);
  assert.equal(await code(state, { headers: { Origin: address.origin } }), 200);
  assert.equal(await code(state, { headers: { Origin: "http://evil.example" } }), 403);
  assert.equal(await code(state, { headers: { Origin: "null" } }), 403);
  assert.equal(await code(state, { headers: { Host: "evil.example" } }), 403);
  assert.equal(await code(state, { headers: { Host: `evil.example:${address.port}` } }), 403);
  const wrong = address.pathname.replace(/[0-9a-f]/, (digit) => (digit === "0" ? "1" : "0"));
  for (const path of ["/", "/state", wrong, `${wrong}state`, "/../../etc/passwd"]) {
    assert.equal(await code(new URL(path, address)), 404, path);
  }
  assert.equal(await code(new URL("nothing", address)), 404);
  assert.equal(await code(new URL("stop", address)), 404, "stopping is a POST");
  assert.equal(await code(state, { method: "PUT" }), 405);
  for (const query of ["", "?name=push", "?name=nobody&value=1", "?name=push&value=nan"]) {
    assert.equal(await code(new URL(`input${query}`, address), { method: "POST" }), 400, query);
  }
  await post(new URL("stop", address));
  assert.notEqual((await run.ended).code, 0);
});

test("the page follows the run, pauses it, sets an input, stops it", async () => {
  const run = start("pushed-cart", "--end", "1000", "--output-step", "0.05", "--quiet");
  const address = await run.address;
  const { page, faults, close } = await openAddress(address.href);
  const time = () => page.evaluate(() => window.trammel.player.to);
  const first = await time();
  await until(async () => (await time()) > first + 1.5);
  await until(() => page.evaluate(() => window.trammel.plots.high > window.trammel.player.to - 1));
  await page.getByRole("button", { name: "pause the run" }).click();
  await until(async () => (await stateOf(address)).paused);
  await until(async () => {
    const [a, b] = [await stateOf(address), await stateOf(address)];
    return a.steps === b.steps;
  });
  const { steps } = await stateOf(address);
  await new Promise((done) => setTimeout(done, 300));
  assert.equal((await stateOf(address)).steps, steps, "a paused run stands still");
  const { name } = await page.evaluate(() => window.trammel.run.head.live.inputs[0]);
  await page.getByLabel(`Value of input ${name}`).fill("3.5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "go on" }).click();
  const last = () =>
    page.evaluate((input) => {
      const { run } = window.trammel;
      const signal = run.head.signals.findIndex((s) => s.group === "inputs" && s.label === input);
      return run.loaded(signal)[run.times.length - 1];
    }, name);
  await until(async () => (await last()) === 3.5);
  assert.deepEqual(faults, []); // later nobody answers, which the browser tells
  await page.getByRole("button", { name: "stop the run" }).click();
  const { code, said } = await run.ended;
  assert.notEqual(code, 0);
  assert.match(said, /stopped on request/);
  await close();
});

test("a run that has ended is shown until the program is ended", async () => {
  const run = start("newton-cradle", "--end", "0.5", "--json");
  const address = await run.address;
  await until(async () => (await stateOf(address)).status === "ok");
  const { page, close } = await openAddress(address.href);
  assert.ok(Math.abs((await page.evaluate(() => window.trammel.player.to)) - 0.5) < 1e-9);
  await page.getByRole("button", { name: "end the program" }).click();
  const { code, out } = await run.ended;
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).status, "ok");
  await close();
});

test("spectra grow with the run", async () => {
  const run = start("oscillators", "--end", "30", "--outputs", "2000", "--pace", "20", "--json");
  const address = await run.address;
  const { page, faults, close } = await openAddress(address.href);
  await page.evaluate(async () => {
    const { run: shown, plots } = window.trammel;
    if (!plots.has(shown.find("x1"))) await plots.add("x1");
    await plots.chooseAxis("frequency");
  });
  await until(async () => (await stateOf(address)).status === "ok");
  await until(() => page.evaluate(() => window.trammel.plots.high > 29.99));
  const peak = await page.evaluate(() => {
    const { run: shown, plots } = window.trammel;
    const panel = plots.panels.find((one) =>
      one.curves.some((curve) => curve.signal === shown.find("x1")),
    );
    const [frequencies, amplitudes] = panel.plot.data;
    return frequencies[amplitudes.indexOf(Math.max(...amplitudes))];
  });
  // as in page.test.mjs
  assert.ok(Math.min(Math.abs(peak - 0.984), Math.abs(peak - 3.027)) < 1 / 30, `${peak} Hz`);
  assert.deepEqual(faults, []);
  await page.getByRole("button", { name: "end the program" }).click();
  assert.equal((await run.ended).code, 0);
  await close();
});

test("100 viewers that come and go change no bit of the run", async () => {
  const model = ["chain-elements", "--set", "links=40", "--end", "3", "--outputs", "300", "--json"];
  const alone = JSON.parse(trammel("run", ...model, "--out", "alone.h5").out);
  const run = start(...model, "--out", "watched.h5");
  const address = await run.address;
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const visit = () =>
    new Promise((done) => {
      const path = ["", "state", "rows?from=0&stride=1", "rows?from=9999999&stride=3"];
      const request = http.get(new URL(path[Math.floor(4 * random())], address), (answer) => {
        answer.on("data", () => random() < 0.5 && request.destroy());
        answer.on("error", done);
        answer.on("close", done);
      });
      request.on("error", done);
      if (random() < 0.3) setTimeout(() => request.destroy(), 30 * random());
    });
  let visits = 0;
  let isOver = false;
  const viewer = async () => {
    for (let k = 0; k < 3 || !isOver; k++, visits++) await visit();
  };
  const viewers = Array.from({ length: 100 }, viewer);
  await until(async () => (await stateOf(address)).status === "ok");
  isOver = true;
  await Promise.all(viewers);
  await post(new URL("stop", address));
  const watched = JSON.parse((await run.ended).out);
  console.log(`${visits} visits during ${watched.steps} steps`);
  const strip = (result) => ({ ...result, cpu_seconds: 0, cpu_setup_seconds: 0 });
  assert.deepEqual(strip(watched), strip(alone));
  for (const name of ["alone", "watched"]) trammel("export", `${name}.h5`, "--out", `${name}.csv`);
  const [a, b] = ["alone", "watched"].map((name) => readFileSync(`${folder}/${name}.csv`));
  assert.ok(a.equals(b), "the samples have the same bits");
});
