// signals.test.mjs - the list of signals by kinds of parts, values as a table, loads that a run does
// not record, modes of points of `show`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, columnsOf, open, openBrowser, pageOf, seek, writeModel } from "./browser.mjs";

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

/** Masses in a row, each on two stops of contacts: more numbers than a run records. */
function manyContacts() {
  const numbers = Array.from({ length: 130 }, (_, i) => i);
  const bodies = numbers.map(
    (i) => `  b${i}: {mass: 1, inertia: [1, 1, 1], at: [${i}, 0, 1], shape: {sphere: {radius: 0.4}}}`,
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
    return { along: Math.abs(far.dot(before)) / far.length() / before.length(), count: list.length };
  });
  assert.ok(count >= 1);
  assert.ok(along > 0.999, `moves along the spring: ${along}`);
  assert.deepEqual(faults, []);
  await close();
});
