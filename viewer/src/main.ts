// main.ts - puts the page together: the view, the plots, the tabs, the bar of time, the keys.
import { chooseTheme, systemTheme } from "./colors.js";
import { Chunks, Head, Run } from "./data.js";
import { format, make, table } from "./dom.js";
import { LiveBar, LiveFeed, LiveState } from "./live.js";
import { Machine } from "./machine.js";
import { Modes } from "./modes.js";
import { Player } from "./player.js";
import { Plots, uplotStyle } from "./plots.js";
import style from "./style.css";
import {
  energyTab,
  headline,
  messagesTab,
  ModelTab,
  stepsTab,
  stressTab,
  summaryTab,
} from "./tabs.js";
import { Tree } from "./tree.js";
import { Picture } from "./picture.js";
import { View } from "./view.js";
import { Bar, helpDialog, TabList, Tools } from "./controls.js";

/** Signals of the part that a failed run blames; else outputs; else energies; else coordinates. */
function tellingSignals(run: Run): string[] {
  const { signals, object } = run.head;
  const of = (group: string) => signals.filter((s) => s.group === group).map((s) => s.name);
  const blamed = signals.filter((s) => object !== "" && s.object === object).map((s) => s.name);
  if (blamed.length > 0) return blamed.slice(0, 3);
  const list = [...of("outputs"), ...of("variables")];
  if (list.length > 0) return list.slice(0, 3);
  return (of("energy").length > 0 ? of("energy") : of("coordinates")).slice(0, 3);
}

async function totalEnergy(run: Run): Promise<{ t: number[]; y: number[]; unit: string } | null> {
  const parts = run.head.signals
    .map((signal, i) => ({ signal, i }))
    .filter(({ signal }) => signal.group === "energy");
  if (parts.length === 0) return null;
  const lists = await Promise.all(parts.map(({ i }) => run.load(i)));
  const y = Array.from(run.times, (_, k) => lists.reduce((sum, list) => sum + list[k], 0));
  return y.some(Number.isFinite)
    ? { t: Array.from(run.times), y, unit: parts[0].signal.unit }
    : null;
}

/** What is known of a body that was picked. */
function showCard(
  card: HTMLElement,
  machine: Machine,
  run: Run,
  plots: Plots,
  body: number,
  t: number,
): void {
  card.classList.toggle("open", body > 0);
  if (body <= 0) return;
  const { name, mass } = machine.scene.bodies[body];
  const plot = (signal: string) =>
    make("button", { click: () => void plots.add(signal) }, "plot this");
  const signals = run.head.signals.filter((signal) => signal.label.startsWith(`${name}.`));
  const rows = signals.slice(0, 3).map((signal) => [signal.name, plot(signal.name)]);
  const loads = machine.loads?.of(body, t) ?? [];
  card.replaceChildren(
    make("h2", {}, name),
    make("p", {}, mass !== undefined ? `mass ${format(mass)}` : ""),
    table(["signal", "action"], rows),
    loads.length > 0
      ? table(
          ["load", "size now"],
          loads
            .slice(0, 8)
            .map((load) => [`${load.name} ${load.kind}`, `${format(load.size, 3)} ${load.unit}`]),
        )
      : "",
  );
}

/** The body that a failed run blames, or that its joint, force or contact acts on; -1: none. */
function blamedBody(run: Run, machine: Machine | undefined): number {
  const name = /'(.*)'/.exec(run.head.object)?.[1];
  if (!machine || name === undefined) return -1;
  const { bodies, joints, forces } = machine.scene;
  const link = [...joints, ...forces].find((one) => one.name === name);
  return link ? Math.max(link.B.body, link.A.body) : bodies.findIndex((one) => one.name === name);
}

async function build(head: Head, chunks: Chunks): Promise<void> {
  const runs = head.runs.map((run) => new Run(run, chunks));
  await Promise.all(runs.map((run) => run.open()));
  const [run] = runs;
  const feed = run.head.live ? new LiveFeed(run, (state) => onNews(state)) : null;
  await feed?.ready();
  const machines = (await Promise.all(runs.map((one, i) => Machine.make(one, i > 0)))).filter(
    (machine): machine is Machine => machine !== null,
  );
  const player = new Player(run.times[0], run.times[run.times.length - 1], run.head.seconds);
  const plots = new Plots(runs, player);
  const tree = new Tree(run.head, plots);
  const model = new ModelTab(run.head);
  const energy = run.head.live ? null : await totalEnergy(run);
  const messages = make("div", {}, messagesTab(run.head, player));
  const stress: [string, HTMLElement][] =
    machines[0]?.flexible.some((body) => body.data.spots) === true
      ? [["Stress", stressTab(machines[0], player, (place) => view?.flyTo(place))]]
      : [];
  const modes = machines[0]
    ? await Modes.make(run, machines[0], {
        pause: () => bar.play(false),
        redraw: () => view?.refresh(),
      })
    : null;
  const liveBar = run.head.live ? new LiveBar(run) : null;
  const tabs = new TabList([
    ["Plots", make("div", {}, plots.element, tree.element)],
    ["Summary", summaryTab(head)],
    ["Steps", stepsTab(run.head, player)],
    ["Energy", energyTab(run.head, player, energy, energy?.unit ?? "")],
    ...(modes ? [["Modes", modes.element] as [string, HTMLElement]] : []),
    ...stress,
    ["Messages", messages],
    ["Model", model.element],
  ]);
  const card = make("div", { id: "card", role: "status" });
  const holder = make("main", { id: "view", "aria-label": "Mechanism" }, card);
  const app = document.getElementById("app")!;
  const bar = new Bar(player, run.head);
  const help = helpDialog();
  const tools = new Tools(help);
  app.append(
    make(
      "header",
      {},
      make("h1", {}, run.head.model),
      make("span", { class: "facts" }, headline(run.head)),
      tree.search,
      ...tools.buttons,
    ),
    make(
      "div",
      { id: "banner" },
      ...(run.head.status === "error"
        ? [make("p", { class: "failure", role: "alert" }, run.head.error)]
        : []),
      ...(liveBar ? [liveBar.element] : []),
    ),
    holder,
    make("aside", {}, tabs.list, ...tabs.panels),
    bar.element,
    help,
  );
  const hover = (body: number) => {
    const name = body > 0 ? machines[0].scene.bodies[body].name : "";
    if (holder.title === name) return;
    holder.title = name;
    if (name) model.mark(name);
  };
  const view = machines.length > 0 ? new View(holder, machines, (body) => pick(body), hover) : null;
  app.classList.toggle("plain", view === null);
  let picked = -1;
  const pick = (body: number) => {
    view?.mark(body);
    picked = body;
    showCard(card, machines[0], run, plots, body, player.t);
    if (body > 0) model.mark(machines[0].scene.bodies[body].name);
    tools.picked = body;
    tools.update();
  };
  tools.attach(view, machines.length > 1, holder, () => plots.rebuild());
  player.listen((t) => {
    modes?.choose(-1);
    view?.update(t);
    if (picked > 0 && !player.isPlaying) showCard(card, machines[0], run, plots, picked, t);
  });
  addEventListener("keydown", (event) => bar.key(event, tools, tree.search));
  for (const name of tellingSignals(run)) await plots.add(name);
  player.seek(run.head.status === "error" ? player.to : player.from);
  const blamed = run.head.status === "error" ? blamedBody(run, machines[0]) : -1;
  if (blamed > 0) pick(blamed);
  if (run.head.status === "error") model.markFailure(run.head);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  bar.play(run.head.status !== "error" && !isStill && !feed && player.to > player.from);
  let drawn = 0;
  const onNews = (state: LiveState) => {
    player.extend(run.times[run.times.length - 1]);
    liveBar!.show(state, run.head.signals[0].unit);
    const now = performance.now();
    if (now - drawn > 600 || state.status !== "unfinished") {
      drawn = now;
      plots.refresh();
      tools.explainLoads();
      const { messages: list, nmessages, error } = state;
      const head = { ...run.head, messages: list, nmessages, error };
      messages.replaceChildren(messagesTab(head, player));
    }
  };
  if (feed) {
    onNews(feed.state!);
    player.seek(player.to);
    void feed.follow();
  }
  const frame = (now: number) => {
    player.frame(now);
    modes?.frame(now);
    view?.draw();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const picture = new Picture(player, view);
  Object.assign(window, {
    trammel: {
      run,
      runs,
      player,
      view,
      machines,
      plots,
      modes,
      pick,
      canvas: () => view?.canvas,
      pose: (t: number) => picture.pose(t),
      times: (rate: number) => picture.times(rate),
    },
  });
  document.body.dataset.ready = "true";
}

async function start(): Promise<void> {
  chooseTheme(systemTheme());
  document.head.append(make("style", {}, uplotStyle, style));
  const chunks = new Chunks(document.querySelectorAll("script.chunk"));
  try {
    const head = await chunks.head();
    document.title = `${head.runs[0].model} · Trammel`;
    await build(head, chunks);
  } catch (reason) {
    document
      .getElementById("app")!
      .append(
        make(
          "p",
          { class: "failure", role: "alert" },
          `This page cannot be shown: ${reason instanceof Error ? reason.message : String(reason)}`,
        ),
      );
    throw reason;
  }
}

void start();
