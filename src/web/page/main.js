// The page: the server's state is drawn, and what a person does becomes orders.

import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { drawCurve, placeAt } from "./curve.js";
import { prepareNewGame, prepareReview, show } from "./dialog.js";
import { sizeOf } from "./grid.js";
import { boardKeys, pageKeys } from "./keys.js";
import * as panel from "./panel.js";
import { Server } from "./server.js";
import { placeOf } from "./stones.js";
import { pointInWords } from "./words.js";

const element = (id) => document.getElementById(id);
const TWICE = "kosumi-tap-twice";

// The last state of the server, and what the page alone decides. `asked` is a point that waits for a second tap.
const view = { state: null, showsOwners: false, asked: null, sliding: null };

// Tells positions apart, and the games that they belong to.
const positionOf = ({ game, kosumi, place, toMove, stones, over }) => [game, kosumi, place, toMove, stones, over].join();

const server = new Server(
  (state) => {
    // Findings of an analysis come again and again. They leave the point that waits alone.
    if (view.state && positionOf(view.state) !== positionOf(state)) {
      view.asked = null;
      // Nothing tells the owners of this position, and nothing looks for them.
      if (!state.finding && !state.analyzing && !state.thinking) view.showsOwners = false;
    }
    view.state = { ...state, size: sizeOf(state.size) };
    // Only news tell the time: an old state would set the clocks back.
    clocks.set(state.clocks);
    draw();
  },
  (trouble) => {
    element("trouble").hidden = !trouble;
    if (trouble) element("trouble").textContent = trouble;
    // A stone that was shown too early goes away.
    if (trouble && view.state) draw();
  },
);
const board = new Board(element("board"), (name) => choose(name));
const clocks = new Clocks([...document.querySelectorAll(".clock")]);

function marksOf(state) {
  const { finding, count } = state;
  const marks = { last: state.last ? state.last.move : null, dead: [], owners: null, moves: [] };
  if (count) {
    marks.dead = count.dead;
    marks.owners = (place) => ({ X: 1, O: -1 })[count.owners[place]] || 0;
    // Living stones show their own side.
    const dead = new Set(count.dead.map((name) => placeOf(name, state.size)));
    const owner = marks.owners;
    marks.owners = (place) => (state.stones[place] !== "." && !dead.has(place) ? 0 : owner(place));
  } else if (view.showsOwners && finding && finding.owners.length === state.stones.length) {
    marks.owners = (place) => (finding.owners.charCodeAt(place) - 97) / 12 - 1;
  }
  if (state.analyzing && finding && !state.ended) {
    const rate = (move) => Math.round((state.toMove === "B" ? move.winrate : 1 - move.winrate) * 100);
    marks.moves = finding.moves.map((move) => ({ name: move.move, text: String(rate(move)) }));
  }
  return marks;
}

function draw() {
  const state = view.state;
  const mayPlay = !state.over && !state.thinking;
  board.draw(state.size, state.stones, marksOf(state), mayPlay ? (state.toMove === "B" ? "X" : "O") : null);
  board.ask(view.asked);
  element("board").setAttribute("aria-label", `Go board. ${panel.statusOf(state)}`);
  panel.showPlayers(state);
  panel.showStatus(state);
  panel.showFinding(state, (name) => server.order({ do: "move", to: name }));
  panel.showCount(state);
  panel.showReview(state, server);
  panel.showVariations(state, (order) => server.order(order));
  panel.showLog(state);
  drawCurve(element("curve"), state.line, state.place);
  const slider = element("place");
  slider.max = state.line.length - 1;
  slider.value = view.sliding ?? state.place;
  slider.setAttribute("aria-valuetext", `after ${state.moves} moves`);
  element("analyze").setAttribute("aria-pressed", state.analyzing);
  element("owners").setAttribute("aria-pressed", view.showsOwners);
  element("count").setAttribute("aria-pressed", state.count !== null);
  element("save").href = server.address("record");
  for (const id of ["pass", "hint", "answer", "resign"]) element(id).disabled = !mayPlay;
  // The count of a game that has ended stays.
  element("count").disabled = state.ended && state.count !== null;
  element("undo").disabled = state.moves === 0 && !state.over;
}

// A point was clicked: a stone to mark, a move to make, or a move to ask about first.
function choose(name, isSure = false) {
  const { state } = view;
  if (!state) return;
  const place = placeOf(name, state.size);
  if (state.count && state.stones[place] !== ".") return server.order({ do: "toggle", at: name });
  if (state.over || state.thinking) return panel.say(panel.statusOf(state));
  if (element("twice").checked && view.asked !== name && !isSure) {
    view.asked = name;
    return board.ask(name);
  }
  view.asked = null;
  board.ask(null);
  board.expect(name, state.toMove === "B" ? "X" : "O");
  return server.order({ do: "move", to: name });
}

function toggleAnalysis() {
  return server.order({ do: "analyze", on: !view.state.analyzing });
}

function toggleOwners() {
  view.showsOwners = !view.showsOwners;
  if (view.showsOwners && !view.state.analyzing && !view.state.finding) toggleAnalysis();
  else draw();
}

function openReview() {
  if (view.state.line.length < 2) return panel.say("There is no move to review yet.");
  return show("new-review");
}

async function load(input) {
  const [file] = input.files;
  input.value = "";
  if (file) await server.load(await file.arrayBuffer());
}

// Goes where the slider is. While an order is on its way, only the last place counts.
async function slide(to) {
  const isOnItsWay = view.sliding !== null;
  view.sliding = to;
  if (isOnItsWay) return;
  for (let sent = null; sent !== view.sliding; ) {
    sent = view.sliding;
    await server.order({ do: "go", to: sent });
  }
  view.sliding = null;
}

function click(id, act) {
  element(id).addEventListener("click", act);
}

const orders = {
  pass: { do: "move", to: "pass" },
  undo: { do: "undo" },
  hint: { do: "hint" },
  answer: { do: "answer" },
  resign: { do: "resign" },
  back: { do: "step", by: -1 },
  forward: { do: "step", by: 1 },
  first: { do: "go", to: 0 },
  last: { do: "go", to: 100000 },
  "review-stop": { do: "stop-review" },
};
for (const [id, order] of Object.entries(orders)) click(id, () => server.order(order));
click("new", () => show("new-game"));
click("review", openReview);
click("count", () => server.order({ do: view.state.count ? "hide-count" : "count" }));
click("analyze", toggleAnalysis);
click("owners", toggleOwners);
element("file").addEventListener("change", (event) => load(event.target));
element("place").addEventListener("input", (event) => slide(Number(event.target.value)));
element("curve").addEventListener("click", (event) => {
  server.order({ do: "go", to: placeAt(element("curve"), event, view.state.line.length) });
});
element("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = element("line");
  if (line.value.trim() && (await server.order({ do: "type", line: line.value }))) line.value = "";
});
// A record can be dropped anywhere.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) await server.load(await file.arrayBuffer());
});

const isCoarse = matchMedia("(pointer: coarse)").matches;
const twice = element("twice");
twice.checked = (localStorage.getItem(TWICE) ?? String(isCoarse)) === "true";
twice.addEventListener("change", () => localStorage.setItem(TWICE, twice.checked));

// A click gives the board no focus: the arrow keys would then move over the points, and not through the game.
element("board").addEventListener("mousedown", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
});
boardKeys(element("board"), board, (name) => panel.say(pointInWords(view.state, name)), (name) => choose(name, true));
pageKeys({
  ArrowLeft: () => server.order(orders.back),
  ArrowRight: () => server.order(orders.forward),
  Home: () => server.order(orders.first),
  End: () => server.order(orders.last),
  p: () => element("pass").click(),
  u: () => element("undo").click(),
  h: () => element("hint").click(),
  a: toggleAnalysis,
  o: toggleOwners,
  n: () => show("new-game"),
});
prepareNewGame((order) => server.order(order));
prepareReview((order) => server.order(order));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && view.state) server.look();
});
server.open();
