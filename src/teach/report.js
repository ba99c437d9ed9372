// The games of the page: which one is shown, and how far. `stones` knows the moves, `board` draws.

const games = JSON.parse(document.getElementById("games").textContent);
const element = (id) => document.getElementById(id);
const state = { game: 0, turn: 0 };

function draw() {
  const game = games[state.game];
  if (!game) return;
  const size = sizeOf(game.size);
  let stones = new Array(size.width * size.height).fill(0);
  for (const name of game.black) stones[placeOf(name, size)] = 1;
  let last = -1;
  for (const [color, name] of game.moves.slice(0, state.turn)) {
    last = placeOf(name, size);
    stones = play(stones, size, last, color === "B" ? 1 : 2);
  }
  element("board").setAttribute("viewBox", `0 0 ${(size.width + 1) * STEP} ${(size.height + 1) * STEP}`);
  drawBoard(element("board"), size, stones, { last, numbers: new Map(), letters: new Map(), owners: null }, () => {});
  element("turn").max = game.moves.length;
  element("turn").value = state.turn;
  const made = state.turn > 0 ? game.moves[state.turn - 1] : null;
  const move = made ? `move ${state.turn}: ${made[0] === "B" ? "Black" : "White"} ${made[1]}` : "the beginning";
  element("told").textContent = `${game.about} · ${move}`;
}

function goTo(turn) {
  const game = games[state.game];
  if (!game) return;
  state.turn = Math.min(Math.max(turn, 0), game.moves.length);
  draw();
}

games.forEach((game, index) => {
  const option = document.createElement("option");
  option.value = index;
  option.textContent = game.name;
  element("game").append(option);
});
element("game").addEventListener("change", (event) => {
  state.game = Number(event.target.value);
  goTo(0);
});
element("first").addEventListener("click", () => goTo(0));
element("back").addEventListener("click", () => goTo(state.turn - 1));
element("forward").addEventListener("click", () => goTo(state.turn + 1));
element("last").addEventListener("click", () => goTo(Infinity));
element("turn").addEventListener("input", (event) => goTo(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
  const keys = {
    ArrowLeft: () => goTo(state.turn - 1),
    ArrowRight: () => goTo(state.turn + 1),
    Home: () => goTo(0),
    End: () => goTo(Infinity),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
draw();
