// The behaviour of the page: which position is shown, and what is told of it. `stones` knows the moves, `board` draws.

const review = JSON.parse(document.getElementById("review").textContent);
const element = (id) => document.getElementById(id);
const size = sizeOf(review.size);
const count = review.moves.length;

// The position that is shown: after `turn` moves, or in a line that leaves the game there.
const state = { turn: 0, line: null, showsOwners: false, showsMoves: true };

const nameOf = (color) => (color === 1 ? "Black" : "White");
const colorOf = (letter) => (letter === "B" ? 1 : 2);
const points = (lead) => `${lead < 0 ? "W" : "B"}+${Math.abs(lead).toFixed(1)}`;

function rating(winrate, lead) {
  const side = winrate < 0.5 ? "White" : "Black";
  const rate = winrate < 0.5 ? 1 - winrate : winrate;
  return `${side} wins ${(rate * 100).toFixed(1)} %, ${points(lead)}`;
}

// The side to move after so many moves.
function toMove(turn) {
  return turn < count ? colorOf(review.moves[turn].color) : 0;
}

function goTo(turn) {
  state.turn = Math.min(Math.max(turn, 0), count);
  state.line = null;
  draw();
}

// Shows the first `length` moves of a line that leaves the game after `turn` moves.
function showLine(turn, moves) {
  state.turn = turn;
  state.line = { moves, color: toMove(turn) };
  draw();
}

function draw() {
  const { turn, line } = state;
  const finding = review.findings[turn];
  let stones = stonesAfter(review.changes, turn, size);
  const marks = { last: -1, numbers: new Map(), letters: new Map(), owners: null };
  if (line) {
    let color = line.color;
    line.moves.forEach((name, index) => {
      const place = placeOf(name, size);
      stones = play(stones, size, place, color);
      if (place >= 0 && !marks.numbers.has(place)) marks.numbers.set(place, index + 1);
      color = 3 - color;
    });
    for (const place of [...marks.numbers.keys()]) if (stones[place] === 0) marks.numbers.delete(place);
  } else {
    if (turn > 0) marks.last = placeOf(review.moves[turn - 1].move, size);
    if (state.showsMoves && finding && turn < count) {
      finding.moves.slice(0, 3).forEach((move, index) => {
        const place = placeOf(move.move, size);
        if (place >= 0) marks.letters.set(place, "ABC"[index]);
      });
    }
    if (state.showsOwners && finding && finding.owners.length === size.width * size.height) {
      marks.owners = (place) => (finding.owners.charCodeAt(place) - 97) / 12 - 1;
    }
  }
  const choose = (place) => {
    const chosen = finding.moves.find((move) => placeOf(move.move, size) === place);
    if (chosen) showLine(turn, chosen.pv);
  };
  drawBoard(element("board"), size, stones, marks, choose);
  const at = (turn * 1000) / Math.max(count, 1);
  element("here").setAttribute("d", `M${at} 0V200`);
  element("turn").value = turn;
  element("turn").setAttribute("aria-valuetext", `after ${turn} moves`);
  element("leave").hidden = !line;
  element("owners").setAttribute("aria-pressed", state.showsOwners);
  element("candidates").setAttribute("aria-pressed", state.showsMoves);
  tell(turn, finding);
  const address = turn > 0 ? `#move-${turn}` : "#";
  if (location.hash !== address && `#${location.hash}` !== address) history.replaceState(null, "", address);
}

function paragraph(parent, text, name) {
  const made = document.createElement("p");
  made.textContent = text;
  if (name) made.className = name;
  parent.append(made);
}

// What is known of the position, in words.
function tell(turn, finding) {
  const told = element("told");
  told.replaceChildren();
  const heading = document.createElement("h2");
  const last = turn > 0 ? review.moves[turn - 1] : null;
  heading.textContent = last ? `Move ${turn}: ${nameOf(colorOf(last.color))} ${last.move}` : "The beginning";
  told.append(heading);
  if (state.line) paragraph(told, `Instead: ${state.line.moves.join(" ")}`);
  if (!finding) return;
  paragraph(told, `${rating(finding.winrate, finding.lead)} (${finding.visits} visits)`);
  const loss = review.losses.find((loss) => loss.number === turn);
  if (loss && loss.better && (loss.points >= 0.05 || loss.winrate >= 0.0005)) {
    const rate = (loss.winrate * 100).toFixed(1);
    paragraph(told, `${loss.move} lost ${loss.points.toFixed(1)} points and ${rate} % of the wins.`, "lost");
    lines(told, turn - 1, [loss.better], ["Better"]);
  } else if (loss && !loss.better) {
    paragraph(told, `${loss.move} is Kosumi's choice, too.`);
  }
  if (turn < count) lines(told, turn, finding.moves.slice(0, 3), ["A", "B", "C"]);
}

// A list of lines that can be shown on the board.
function lines(parent, turn, moves, names) {
  const list = document.createElement("ol");
  list.className = "lines";
  moves.forEach((move, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${names[index]} ${move.move}`;
    button.addEventListener("click", () => showLine(turn, move.pv));
    item.append(button, ` ${rating(move.winrate, move.lead)}: ${move.pv.join(" ")}`);
    list.append(item);
  });
  parent.append(list);
}

element("first").addEventListener("click", () => goTo(0));
element("back").addEventListener("click", () => goTo(state.turn - 1));
element("forward").addEventListener("click", () => goTo(state.turn + 1));
element("last").addEventListener("click", () => goTo(count));
element("leave").addEventListener("click", () => goTo(state.turn));
element("turn").addEventListener("input", (event) => goTo(Number(event.target.value)));
element("owners").addEventListener("click", () => {
  state.showsOwners = !state.showsOwners;
  draw();
});
element("candidates").addEventListener("click", () => {
  state.showsMoves = !state.showsMoves;
  draw();
});
// A click on the right half of the board goes on, one on the left half goes back.
element("board").addEventListener("click", (event) => {
  const box = element("board").getBoundingClientRect();
  goTo(state.turn + (event.clientX < box.left + box.width / 2 ? -1 : 1));
});
element("curve").addEventListener("click", (event) => {
  const box = element("curve").getBoundingClientRect();
  goTo(Math.round(((event.clientX - box.left) / box.width) * count));
});
for (const button of document.querySelectorAll("button[data-turn]")) {
  button.addEventListener("click", () => goTo(Number(button.dataset.turn)));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isSlider = event.target === element("turn");
  const keys = {
    ArrowLeft: () => goTo(state.turn - 1),
    ArrowRight: () => goTo(state.turn + 1),
    Home: () => goTo(0),
    End: () => goTo(count),
    o: () => element("owners").click(),
    b: () => element("candidates").click(),
  };
  const act = keys[event.key];
  if (!act || (isSlider && event.key.length > 1)) return;
  event.preventDefault();
  act();
});
function fromAddress() {
  const found = /^#move-(\d+)$/.exec(location.hash);
  goTo(found ? Number(found[1]) : 0);
}
window.addEventListener("hashchange", fromAddress);
fromAddress();
