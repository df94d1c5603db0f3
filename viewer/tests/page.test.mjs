// page.test.mjs - the page as a person would use it. TRAMMEL is the program.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import {
  closeBrowser,
  columnsOf,
  filmFacts,
  folder,
  open,
  openBrowser,
  pageOf,
  picture,
  seek,
  trammel,
  writeModel,
} from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

before(openBrowser);
after(closeBrowser);

// fails in its first step: the force has no value where the block goes
const failing = `trammel: 1
name: Fails at once
bodies: {block: {mass: 1, velocity: [1, 0, 0], shape: {box: {size: [1, 1, 1]}}, inertia: [1, 1, 1]}}
forces: {push: {type: force, body: block, at: [0, 0, 0], force: ["sqrt(1e-5 - block.x)", 0, 0]}}
simulate: {end: 1}
`;
const hostile = `trammel: 1
name: "<img src=x onerror=alert(1)></script><b>bold"
equations: {coordinates: {"x": {value: 1}}, kinetic: 0.5*x'^2, potential: 0.5*x^2}
simulate: {end: 1}
`;

const models = {
  beam: ["slider-crank-beam", "--end", "0.2"],
  modal: ["slider-crank-modal"],
  chain: ["chain-elements", "--set", "links=20"],
  robot: ["robot-arm", "--end", "1"],
  contact: ["newton-cradle"],
  typed: ["stiff-spring"],
  plots: ["servo-typed"],
};

for (const [name, [model, ...options]] of Object.entries(models)) {
  test(`${name}: opens offline, without a fault`, async () => {
    const { page, faults, requests, close } = await open(pageOf(name, model, ...options));
    assert.deepEqual(faults, []);
    assert.equal(requests.length, 1, `asked for ${requests}`);
    assert.ok((await page.title()).endsWith("Trammel"));
    await close();
  });
}

for (const name of ["beam", "modal", "chain", "robot", "contact", "typed"]) {
  test(`${name}: the scene is a function of time`, async () => {
    const { page, close } = await open(`${folder}/${name}.html`);
    const end = await page.evaluate(() => window.trammel.player.to);
    const at = async (t) => (await seek(page, t), picture(page));
    const [first, middle, again] = [await at(0), await at(0.4 * end), await at(0)];
    assert.notEqual(first, middle);
    assert.equal(first, again);
    await close();
  });
}

test("values at the cursor are those of the run file", async () => {
  const columns = columnsOf("robot");
  const { page, close } = await open(`${folder}/robot.html`);
  for (const name of ["angle1", "tool.x", "kinetic"]) {
    const list = columns[name];
    const range = Math.max(...list) - Math.min(...list);
    for (const k of [0, 37, 100]) {
      await seek(page, columns.t[k]);
      const shown = await page.evaluate(async (signal) => {
        const { run, player } = window.trammel;
        await run.load(run.find(signal));
        return run.value(run.find(signal), player.t);
      }, name);
      // half of the 65000th part of its range, and rounding of the time
      assert.ok(Math.abs(shown - list[k]) <= range / 65000, `${name}: ${shown}, ${list[k]}`);
    }
  }
  await close();
});

test("points and lines of `show` move as the run file says", async () => {
  const columns = columnsOf("typed");
  const { page, close } = await open(`${folder}/typed.html`);
  for (const k of [0, 37, 250]) {
    await seek(page, columns.t[k]);
    const { mass, spring } = await page.evaluate(() => {
      const { scene, poses } = window.trammel.machines[0];
      const number = scene.bodies.findIndex((body) => body.name === "mass");
      return {
        mass: poses[number].x.toArray(),
        spring: scene.lines[0].points.map((point) => scene.bodies[point].name),
      };
    });
    assert.deepEqual(spring, ["pivot", "mass"]);
    // x and -y within 1.1 of the pivot: the 65000th part of that
    [columns.x[k], 0, -columns.y[k]].forEach((right, i) => {
      assert.ok(Math.abs(mass[i] - right) <= 2.2 / 65000, `${mass}, not ${right}`);
    });
  }
  await close();
});

test("arrows are the loads of the run file, and can be hidden", async () => {
  const columns = columnsOf("beam");
  const { page, close } = await open(`${folder}/beam.html`);
  const largest = (name, parts) =>
    Math.max(
      ...columns.t.map((_, k) => Math.hypot(...parts.map((p) => columns[`${name}.${p}`][k]))),
    );
  for (const k of [3, 50, 120]) {
    await seek(page, columns.t[k]);
    const shown = await page.evaluate(() => {
      const { machines, player } = window.trammel;
      const bodies = machines[0].scene.bodies.map((_, i) => i);
      return bodies.flatMap((body) => machines[0].loads.of(body, player.t));
    });
    assert.ok(shown.length > 0);
    for (const { name, kind, size } of shown) {
      const axes = ["x", "y", "z"].map((axis) => `${kind}.${axis}`);
      const right = Math.hypot(...axes.map((axis) => columns[`${name}.${axis}`][k]));
      // each component is quantized to the 65000th part of its range, at most twice the largest
      const error = (4 * largest(name, axes)) / 65000;
      assert.ok(Math.abs(size - right) <= error, `${name} ${kind}: ${size}, ${right}`);
    }
  }
  const drawn = () => page.evaluate(() => window.trammel.view.draw()).then(() => picture(page));
  const before = await drawn();
  await page.keyboard.press("l");
  const without = await drawn();
  await page.keyboard.press("l");
  assert.ok(before !== without, "arrows are seen");
  assert.ok(before === (await drawn()), "and come back");
  assert.match(await page.locator("#legend").innerText(), /longest arrow .* N.*bending moment/s);
  await close();
});

test("stress is that of `trammel stress`, and its list leads to the place", async () => {
  const said = JSON.parse(trammel("stress", "modal.h5", "--top", "1", "--json").out);
  const [hottest] = said.flexible.rod.hot_spots;
  const { page, close } = await open(`${folder}/modal.html`);
  const { spots, largest, ...body } = await page.evaluate(
    () => window.trammel.machines[0].scene.flexible[0],
  );
  assert.equal(body.modes, 29);
  assert.ok(body.stress_scales.length <= 16, `${body.stress_scales.length} shapes`);
  assert.ok(body.stress_error > 0 && body.stress_error < 1e-3, `off by ${body.stress_error}`);
  assert.equal(spots[0].node, hottest.node);
  assert.ok(Math.abs(largest - hottest.mises) <= 1e-6 * largest);
  const gap = await page.evaluate(() => {
    const [machine] = window.trammel.machines;
    const { A, B } = machine.scene.joints.find((joint) => joint.name === "knee");
    return machine.placeOf(A).distanceTo(machine.placeOf(B));
  });
  assert.ok(gap < 1e-4, `a joint on the body is ${gap} off`); // displacement of the node beside it
  await page.getByRole("tab", { name: "Stress" }).click();
  const before = await picture(page);
  await page.getByRole("button", { name: `Show node ${spots[0].node}` }).click();
  const shown = await page.evaluate((point) => {
    const { machines, player, view } = window.trammel;
    view.draw();
    return { t: player.t, stress: machines[0].flexible[0].stressOf(point) };
  }, spots[0].point);
  assert.ok(Math.abs(shown.t - spots[0].t) < 1e-9);
  // 29 modes, each rounded to 1/65534 of its largest, amplitudes to 1/65000 of their range
  assert.ok(Math.abs(shown.stress - spots[0].stress) < 2e-3 * largest, `${shown.stress}`);
  assert.ok((await picture(page)) !== before, "the view has moved");
  await close();
});

test("modes are those of `trammel modes`, and move", async () => {
  const said = JSON.parse(trammel("modes", "slider-crank-modal", "--count", "20", "--json").out);
  const right = said.modes
    .filter((mode) => mode.eigenvalue[1] > 0 && mode.frequency_hz > 1e-3)
    .map((mode) => mode.frequency_hz);
  const { page, faults, close } = await open(`${folder}/modal.html`);
  const { list } = await page.evaluate(() => window.trammel.machines[0].scene.modes);
  assert.ok(list.length > 5 && list.length === right.length, `${list.length}, ${right.length}`);
  // the run's start is completed to its own tolerance, of 1e-5
  list.forEach(({ frequency }, i) => {
    assert.ok(Math.abs(frequency / right[i] - 1) < 1e-5, `${frequency}, ${right[i]} Hz`);
  });
  await seek(page, 0);
  const still = await picture(page);
  await page.getByRole("tab", { name: "Modes" }).click();
  const button = page.getByRole("button", { name: "Show mode 2", exact: true });
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  // as far as a mode is to be seen: .06 of the size of the mechanism
  const farthest = await page.evaluate(() => {
    const [machine] = window.trammel.machines;
    return [0, 0.25].map((phase) => {
      machine.shake(null);
      machine.update(0);
      const places = () => [0, 100, 200].map((i) => machine.flexible[0].at(i).toArray());
      const before = places();
      window.trammel.modes.pose(phase);
      machine.update(0);
      const far = places().map((place, i) => Math.hypot(...place.map((x, k) => x - before[i][k])));
      return Math.max(...far) / machine.extent;
    });
  });
  assert.ok(Math.max(...farthest) > 0.005 && Math.max(...farthest) <= 0.0601, String(farthest));
  await button.click();
  await seek(page, 0);
  assert.ok((await picture(page)) === still, "the motion is back");
  assert.deepEqual(faults, []);
  await close();
});

test("poses between samples follow a finer run", async () => {
  pageOf("fine", "slider-crank-spatial", "--outputs", "400");
  const columns = columnsOf("fine");
  const coarse = pageOf("coarse", "slider-crank-spatial", "--outputs", "40");
  const { page, close } = await open(coarse);
  const body = await page.evaluate(() =>
    window.trammel.machines[0].scene.bodies.findIndex((one) => one.name === "rod"),
  );
  for (let k = 3; k < 400; k += 17) {
    await seek(page, columns.t[k]);
    const pose = await page.evaluate((i) => {
      const { x, q } = window.trammel.machines[0].poses[i];
      return [x.x, x.y, x.z, q.w, q.x, q.y, q.z];
    }, body);
    const names = ["x", "y", "z", "q0", "q1", "q2", "q3"].map((part) => `rod.${part}`);
    const right = names.map((name) => columns[name][k]);
    const sign = pose.slice(3).reduce((sum, q, i) => sum + q * right[3 + i], 0) < 0 ? -1 : 1;
    right.forEach((value, i) => {
      const error = Math.abs((i < 3 ? 1 : sign) * pose[i] - value);
      // h^4/384 of the fourth derivative, with 40 samples a turn: 2e-6; quantized to 2e-5
      assert.ok(error < 1e-4, `${names[i]} at ${columns.t[k]}: off by ${error}`);
    });
  }
  await close();
});

test("a part of the run is played again and again", async () => {
  const { page, close } = await open(`${folder}/beam.html`);
  const seekAndPress = async (t, key) => {
    await seek(page, t);
    await page.keyboard.press(key);
  };
  await seekAndPress(0.05, "i");
  await seekAndPress(0.08, "o");
  const times = await page.evaluate(() => {
    const { player } = window.trammel;
    player.play(true);
    player.speed = 0.1;
    const seen = [];
    for (let now = 1; now < 4000; now += 16) {
      player.frame(now);
      seen.push(player.t);
    }
    player.play(false);
    return seen;
  });
  assert.ok(Math.min(...times) >= 0.05 && Math.max(...times) <= 0.08);
  assert.ok(
    times.some((t, k) => k > 0 && t < times[k - 1]),
    "it begins again",
  );
  await page.keyboard.press("u");
  assert.equal(await page.evaluate(() => window.trammel.player.loop), null);
  await close();
});

test("the bar and the plots move the same time", async () => {
  const { page, close } = await open(`${folder}/beam.html`);
  const before = await picture(page);
  await page.getByLabel("Time", { exact: true }).focus();
  await page.keyboard.press("End");
  const t = await page.evaluate(() => (window.trammel.view.draw(), window.trammel.player.t));
  assert.ok(Math.abs(t - 0.2) < 1e-9);
  assert.notEqual(before, await picture(page));
  const plot = await page.locator(".u-over").first().boundingBox();
  await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
  const middle = await page.evaluate(() => window.trammel.player.t);
  assert.ok(Math.abs(middle - 0.1) < 0.002, `clicked in the middle: ${middle}`);
  await close();
});

test("a click finds the part", async () => {
  const { page, close } = await open(`${folder}/contact.html`);
  for (const body of [1, 5]) {
    const at = await page.evaluate((i) => window.trammel.view.screenOf(i), body);
    const name = await page.evaluate((i) => window.trammel.machines[0].scene.bodies[i].name, body);
    await page.mouse.click(at.x, at.y);
    assert.equal(await page.locator("#card h2").textContent(), name);
  }
  await close();
});

test("keys alone are enough", async () => {
  const { page, close } = await open(`${folder}/robot.html`);
  const time = () => page.evaluate(() => window.trammel.player.t);
  await page.locator("body").press("ArrowRight");
  assert.ok((await time()) > 0);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.equal(await time(), 0);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.trammel.player.isPlaying), true);
  await page.keyboard.press("Space");
  await page.keyboard.press("/");
  await page.keyboard.type("tool.y");
  await page.keyboard.press("Tab");
  const names = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    names.add(await page.evaluate(() => document.activeElement.textContent.trim()));
  }
  for (const name of ["Plots", "tool.ym"]) assert.ok(names.has(name), `${name} in ${[...names]}`);
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog[open]").isVisible());
  await close();
});

for (const [what, size] of Object.entries({ phone: [390, 844], laptop: [1280, 720] })) {
  test(`${what}: nothing overlaps, nothing sticks out`, async () => {
    const { page, close } = await open(`${folder}/robot.html`, { width: size[0], height: size[1] });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    const boxes = await page.evaluate(() =>
      ["header", "#view", "aside"].map((name) => {
        const { top, bottom, left, right } = document.querySelector(name).getBoundingClientRect();
        return { name, top, bottom, left, right };
      }),
    );
    for (const a of boxes) {
      for (const b of boxes) {
        if (a === b) continue;
        const overlap =
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        assert.ok(!overlap, `${a.name} and ${b.name} overlap`);
      }
    }
    await close();
  });
}

for (const dark of [false, true]) {
  test(`labels and contrast, ${dark ? "dark" : "light"}`, async () => {
    const { page, close } = await open(`${folder}/robot.html`, { dark });
    await page.addScriptTag({ content: axe }).catch(() => page.evaluate(axe));
    for (let tab = 0; tab < 6; tab++) {
      await page.locator("[role=tab]").nth(tab).click();
      const found = await page.evaluate(async () => (await window.axe.run()).violations);
      assert.deepEqual(
        found.map((one) => `${one.id}: ${one.nodes[0].html}`),
        [],
      );
    }
    await close();
  });
}

test("a chain of 1000 links: how fast it is", async (context) => {
  const path = pageOf("long", "chain-elements", "--set", "links=1000", "--end", "0.02");
  const began = Date.now();
  const { page, faults, close } = await open(path);
  const ready = Date.now() - began;
  const frames = await page.evaluate(async () => {
    const { player } = window.trammel;
    player.play(true);
    const from = performance.now();
    let count = 0;
    while (performance.now() - from < 2000) {
      await new Promise(requestAnimationFrame);
      count++;
    }
    player.play(false);
    return count / 2;
  });
  // no limit: machines differ
  context.diagnostic(`ready after ${ready} ms, ${frames} frames a second`);
  assert.deepEqual(faults, []);
  await close();
});

test("a failed run opens where it failed", async () => {
  const { page, faults, close } = await open(pageOf("failed", writeModel("failing.yaml", failing)));
  assert.deepEqual(faults, []);
  assert.match(await page.locator("#banner [role=alert]").textContent(), /root of/);
  assert.match(await page.locator(".line.marked").textContent(), /^forces:/);
  await close();
});

test("markup in a model is shown, not executed", async () => {
  const { page, faults, close } = await open(
    pageOf("hostile", writeModel("hostile.yaml", hostile)),
  );
  assert.deepEqual(faults, []);
  assert.match(await page.locator("h1").textContent(), /^<img src=x/);
  assert.equal(await page.locator("h1 img, h1 b").count(), 0);
  await close();
});

test("two runs in one page", async () => {
  pageOf("other", "robot-arm", "--end", "1", "--tolerance", "1e-3");
  const page2 = `${folder}/both.html`;
  assert.equal(trammel("report", "robot.h5", "other.h5", "--out", page2, "--quiet").code, 0);
  const { page, faults, close } = await open(page2);
  assert.deepEqual(faults, []);
  assert.equal(await page.evaluate(() => window.trammel.machines.length), 2);
  assert.equal(await page.getByRole("button", { name: "ghost" }).count(), 1);
  await close();
});

test("curves over frequency and over each other", async () => {
  const path = pageOf("masses", "oscillators", "--end", "30", "--outputs", "2000");
  const { page, faults, close } = await open(path);
  const { peak, pair } = await page.evaluate(async () => {
    const { run, plots } = window.trammel;
    for (const name of ["x1", "x2"]) if (!plots.has(run.find(name))) await plots.add(name);
    const shown = () =>
      plots.panels.find((one) => one.curves.some((c) => c.signal === run.find("x1")));
    await plots.chooseAxis("frequency");
    const [frequencies, amplitudes] = shown().plot.data;
    const highest = frequencies[amplitudes.indexOf(Math.max(...amplitudes))];
    await plots.chooseAxis("signal:x2");
    const over = shown().plot.data[0];
    return { peak: highest, pair: [over[7], run.loaded(run.find("x2"))[7]] };
  });
  // the slowest or the fastest mode, as docs/guide/plots.md says; a line is 1/30 Hz wide
  assert.ok(Math.min(Math.abs(peak - 0.984), Math.abs(peak - 3.027)) < 1 / 30, `${peak} Hz`);
  assert.equal(pair[0], pair[1]);
  assert.deepEqual(faults, []);
  await close();
});

test("pictures are drawn by the page and take the place of older ones when complete", () => {
  writeModel("a.png", "older");
  linkSync(`${folder}/a.png`, `${folder}/older.png`); // written in place it would change as well
  for (const [time, name] of [
    ["0", "a.png"],
    ["1", "b.png"],
  ]) {
    const words = ["report", "robot.h5", "--png", name, "--at", time, "--size", "320x200"];
    const { code, said } = trammel(...words);
    assert.equal(code, 0, said);
  }
  const [a, b] = ["a.png", "b.png"].map((name) => readFileSync(`${folder}/${name}`));
  assert.equal(a.toString("latin1", 1, 4), "PNG");
  assert.equal(readFileSync(`${folder}/older.png`, "utf8"), "older");
  assert.deepEqual([a.readUInt32BE(16), a.readUInt32BE(20)], [320, 200]);
  assert.notDeepEqual(a, b);
  assert.equal(trammel("report", "robot.h5", "--png", "a.png", "--size", "3x").code, 2);
  assert.equal(trammel("report", "robot.h5", "--png", "a.jpg").code, 2);
});

test("a film plays", async () => {
  const { code, said } = trammel("report", "chain.h5", "--webm", "f.webm", "--size", "160x120");
  assert.equal(code, 0, said);
  const film = await filmFacts(readFileSync(`${folder}/f.webm`));
  assert.deepEqual([film.width, film.height], [160, 120]);
  assert.ok(Math.abs(film.duration - 2) < 0.1, `two seconds, not ${film.duration}`);
});

test("what is no run file gives a sentence and no page", () => {
  writeModel("broken.h5", "no HDF5");
  const { code, said } = trammel("report", "broken.h5");
  assert.equal(code, 4);
  assert.match(said, /broken\.h5/);
  assert.equal(trammel("report", "robot.h5", "--out", "robot.h5").code, 2);
  assert.equal(trammel("report", "robot.h5", "--out", "page.txt").code, 2);
});

test("a mesh is drawn; one whose file is gone is named", async () => {
  writeModel(
    "tetra.obj",
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
  );
  const solid = "bodies: {a: {density: 1000, shape: {mesh: {file: tetra.obj}}}}\n";
  writeModel("tetra.yaml", `trammel: 1\n${solid}simulate: {end: 1}\n`);
  assert.equal(trammel("run", "tetra.yaml", "--out", "tetra.h5", "--quiet").code, 0);
  for (const isThere of [true, false]) {
    if (!isThere) rmSync(`${folder}/tetra.obj`);
    assert.equal(trammel("report", "tetra.h5", "--quiet").code, 0);
    const { page, close } = await open(`${folder}/tetra.html`);
    const corners = await page.evaluate(
      () => window.trammel.run.head.scene?.shapes[0].corners?.length ?? 0,
    );
    assert.equal(corners, isThere ? 12 : 0);
    assert.equal(await page.locator("#panel-4 .failure").count(), isThere ? 0 : 1);
    await close();
  }
});
