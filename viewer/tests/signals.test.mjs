// signals.test.mjs - the list of signals by kinds of parts, values as a table, loads that a run
// does not record, modes of points of `show`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  closeBrowser,
  columnsOf,
  folder,
  open,
  openBrowser,
  pageOf,
  program,
  seek,
  trammel,
  writeModel,
} from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

test("signals stand under the kind of their part", async () => {
  const { page, faults, close } = await open(pageOf("cradle", "newton-cradle", "--end", "0.1"));
  const headings = await page.locator(".tree h2").allTextContents();
  assert.deepEqual(headings, ["Outputs", "Bodies", "Joints and motions", "Contacts", "Others"]);
  const under = await page.evaluate(() =>
    Object.fromEntries(
      Array.from(document.querySelectorAll(".tree details"), (element) => {
        let heading = element;
        while (heading.tagName !== "H2") heading = heading.previousElementSibling;
        return [element.dataset.part, heading.textContent];
      }),
    ),
  );
  assert.equal(under.b1, "Bodies");
  assert.equal(under.p1, "Joints and motions");
  assert.equal(under.c2, "Contacts");
  assert.deepEqual(faults, []);
  await close();
});

test("curves are there as a table, too", async () => {
  const file = pageOf("arm", "robot-arm", "--end", "1");
  const columns = columnsOf("arm");
  const { page, close } = await open(file);
  const list = page.locator("details.values").first();
  await list.locator("summary").click();
  await list.locator("table").waitFor();
  const head = await list.locator("th").allTextContents();
  const cells = await list.locator("tbody tr").last().locator("td").allTextContents();
  assert.equal(Number(cells[0]), columns.t.at(-1));
  head.slice(1).forEach((name, i) => {
    const right = columns[name].at(-1);
    // five digits, and 1/65000 of the range
    const range = Math.max(...columns[name]) - Math.min(...columns[name]);
    assert.ok(
      Math.abs(Number(cells[i + 1]) - right) <= 1e-4 * Math.abs(right) + range / 6e4,
      `${name}: ${cells[i + 1]}, ${right}`,
    );
  });
  await close();
});

/** Balls in a row above a floor: their contacts have more loads than a run records. */
function manyContacts() {
  const numbers = Array.from({ length: 130 }, (_, i) => i);
  const bodies = numbers.map(
    (i) =>
      `  b${i}: {mass: 1, inertia: [1, 1, 1], at: [${i}, 0, 1], shape: {sphere: {radius: 0.4}}}`,
  );
  const contacts = numbers.map((i) => `  c${i}: {between: [b${i}, ground.floor], stiffness: 1e6}`);
  return `trammel: 1
gravity: [0, 0, -9.81]
bodies:
  ground: {shapes: {floor: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}}
${bodies.join("\n")}
joints:
  hold: {type: revolute, bodies: [ground, b0], at: [0, 0, 1], axis: [0, 1, 0]}
contacts:
${contacts.join("\n")}
simulate: {end: 0.01}
`;
}

test("loads that are too many are named", async () => {
  const file = pageOf("many", writeModel("many.yaml", manyContacts()));
  const { page, close } = await open(file);
  const signals = await page.evaluate(() =>
    window.trammel.run.head.signals.filter(({ group }) => group === "loads").map((s) => s.object),
  );
  assert.ok(signals.includes("joint 'hold'") && !signals.includes("contact 'c1'"));
  assert.match(await page.locator("#legend").textContent(), /without loads of 130 contacts/);
  await close();
});

/** Curves that nothing packs: 300 outputs that look like noise. */
function noise() {
  const outputs = Array.from({ length: 300 }, (_, i) => `  o${i}: sin(${1 + i}e4*time^2)`);
  return `trammel: 1
equations: {coordinates: {x: 1}, kinetic: 0.5*x'^2, potential: 0.5*x^2}
outputs:
${outputs.join("\n")}
simulate: {end: 600, step: 0.1, integrator: hht}
`;
}

test("a page as large as pages may be: how soon it answers", async (context) => {
  const path = pageOf("large", writeModel("large.yaml", noise()), "--outputs", "36000");
  const megabytes = statSync(path).size / 1e6;
  assert.ok(megabytes > 15 && megabytes < 20.5, `${megabytes} MB`);
  const began = Date.now();
  const { page, faults, close } = await open(path);
  await seek(page, 300);
  // no limit: machines differ
  context.diagnostic(`${megabytes.toFixed(1)} MB, ready after ${Date.now() - began} ms`);
  assert.deepEqual(faults, []);
  await close();
});

test("flexible bodies and beams are found by the mouse", async () => {
  for (const [name, model, body] of [
    ["rod", "slider-crank-modal", /^rod$/],
    ["bar", "slider-crank-beam", /^rod\.5$/],
  ]) {
    const { page, faults, close } = await open(pageOf(name, model, "--end", "0.05"));
    await seek(page, 0.02);
    await page.evaluate(() => window.trammel.machines[0].showLoads(false));
    const at = await page.evaluate((text) => {
      const { machines, view } = window.trammel;
      const number = machines[0].scene.bodies.findIndex((one) => new RegExp(text).test(one.name));
      return view.screenOf(number);
    }, body.source);
    await page.mouse.move(at.x, at.y);
    await page.waitForFunction(() => document.getElementById("view").title !== "");
    assert.match(await page.locator("#view").getAttribute("title"), body);
    const [line] = await page.locator(".line.marked").allTextContents();
    assert.match(line.trim(), /^rod:/);
    await page.mouse.click(at.x, at.y);
    assert.match(await page.locator("#card h2").textContent(), body);
    assert.deepEqual(faults, []);
    await close();
  }
});

test("the file of a killed run gives its page with a note; a damaged one a sentence", async () => {
  const file = `${folder}/killed.h5`;
  const words = [
    "run",
    "pendulum",
    "--end",
    "1e6",
    "--output-step",
    "0.1",
    "--out",
    file,
    "--quiet",
  ];
  const child = spawn(program, words);
  const ended = new Promise((done) => child.on("close", done));
  while (!existsSync(file) || statSync(file).size < 1e6) {
    await new Promise((done) => setTimeout(done, 50));
  }
  child.kill("SIGKILL");
  await ended;
  assert.equal(trammel("report", file, "--quiet").code, 0);
  const { page, faults, close } = await open(`${folder}/killed.html`);
  assert.match(await page.locator("header .facts").textContent(), /unfinished: it was killed/);
  assert.ok((await page.evaluate(() => window.trammel.player.to)) > 1);
  assert.deepEqual(faults, []);
  await close();
  writeFileSync(`${folder}/cut.h5`, readFileSync(file).subarray(0, 4096));
  const { code, said } = trammel("report", "cut.h5");
  assert.equal(code, 4);
  assert.match(said, /cut\.h5/);
  assert.ok(!existsSync(`${folder}/cut.html`));
});

/** A crank that is driven farther than its rod allows. */
const beyondReach = `trammel: 1
bodies:
  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.5, 0, 0]}
  rod: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [1.25, 0, 0]}
  slider: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [1.5, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  knee: {type: revolute, bodies: [crank, rod], at: [1, 0, 0], axis: [0, 0, 1]}
  wrist: {type: revolute, bodies: [rod, slider], at: [1.5, 0, 0], axis: [0, 0, 1]}
  guide: {type: translational, bodies: [ground, slider], at: [1.5, 0, 0], axis: [1, 0, 0]}
motions: {drive: {joint: pin, position: 2*time}}
simulate: {end: 2}
`;

test("a failed run shows the part that its message blames", async () => {
  const file = pageOf("reach", writeModel("reach.yaml", beyondReach));
  const { page, faults, close } = await open(file);
  const blamed = await page.evaluate(() => /'(.*)'/.exec(window.trammel.run.head.object)[1]);
  assert.equal(await page.locator("#card h2").textContent(), blamed);
  const curves = await page.locator(".legend .entry").allTextContents();
  assert.ok(
    curves.length > 0 && curves.every((text) => text.includes(`${blamed}.`)),
    curves.join(),
  );
  const lines = await page.locator(".line.marked").allTextContents();
  assert.ok(lines.length === 1 && lines[0].trim().startsWith(`${blamed}:`), lines.join());
  assert.deepEqual(faults, []);
  await close();
});

test("a large flexible body is drawn by few shapes of the run", async () => {
  const path = pageOf("vehicle", "vehicle", "--at", "static", "--end", "0.02", "--outputs", "10");
  const { page, faults, close } = await open(path);
  await seek(page, 0.02);
  const { error, shapes, modes, far } = await page.evaluate(() => {
    const [body] = window.trammel.machines[0].flexible;
    const size = window.trammel.machines[0].extent;
    const places = Array.from({ length: 100 }, (_, i) => body.at(180 * i));
    return {
      error: body.data.displacement_error,
      shapes: body.data.displacement_scales.length,
      modes: body.data.modes,
      far: Math.max(...places.map((place) => place.distanceTo(body.pose.x))) / size,
    };
  });
  assert.equal(modes, 134);
  assert.ok(shapes <= 16 && error < 1e-2, `${shapes} shapes, off by ${error}`);
  assert.ok(far > 0.1 && far < 1, `${far}`); // where the frame is
  assert.deepEqual(faults, []);
  await close();
});

test("a mode moves the points of `show`", async () => {
  const { page, faults, close } = await open(pageOf("spring", "stiff-spring"));
  await seek(page, 0);
  // the fast mode of a mass on a stiff spring moves it along the spring, at rest in the origin
  const { along, count } = await page.evaluate(() => {
    const { machines, modes } = window.trammel;
    const [machine] = machines;
    const { list } = machine.scene.modes;
    const body = machine.scene.bodies.findIndex(({ name }) => name === "mass");
    const before = machine.poses[body].x.clone();
    modes.choose(list.length - 1);
    const moves = [0, 0.25].map((phase) => {
      modes.pose(phase);
      machine.update(0);
      return machine.poses[body].x.clone().sub(before);
    });
    modes.choose(-1);
    const far = moves.sort((a, b) => b.length() - a.length())[0];
    return {
      along: Math.abs(far.dot(before)) / far.length() / before.length(),
      count: list.length,
    };
  });
  assert.ok(count >= 1);
  assert.ok(along > 0.999, `moves along the spring: ${along}`);
  assert.deepEqual(faults, []);
  await close();
});
