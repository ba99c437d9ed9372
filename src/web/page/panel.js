// What stands beside the board: players, best moves, count, review, log. It only shows; `main` decides.

import { boardInWords } from "./words.js";
import { rating, sideOf } from "./stones.js";

const element = (id) => document.getElementById(id);

// Sets a text only where it differs, so that a screen reader does not read it again.
function tell(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function showPlayers(state) {
  ["black", "white"].forEach((side, index) => {
    const letter = "BW"[index];
    const box = element(side);
    const level = state.level === "max" ? "" : ` ${state.level}`;
    const given = state.players[index];
    // The level may be another one than the record says.
    const name = state.kosumi === letter ? `Kosumi${level}` : given || (state.kosumi ? "You" : sideOf(letter));
    tell(box.querySelector(".name"), name);
    tell(box.querySelector(".prisoners"), `captured ${state.captured[index]}`);
    box.classList.toggle("turn", !state.over && state.toMove === letter);
  });
}

export function statusOf(state) {
  if (state.result) return state.result.text;
  if (state.over) return "The game is over.";
  if (state.thinking) return "Kosumi thinks …";
  return `Move ${state.moves + 1}: ${sideOf(state.toMove)} to play`;
}

export function showStatus(state) {
  tell(element("status"), statusOf(state));
  element("described").hidden = false;
  tell(element("words"), boardInWords(state));
  element("commented").hidden = !state.comment;
  tell(element("comment"), state.comment || "");
}

// `play` is called with the name of a move that is chosen.
export function showFinding(state, play) {
  const finding = state.finding;
  tell(element("rating"), finding ? `${rating(finding.winrate, finding.lead)} (${finding.visits} visits)` : "");
  const list = element("candidates");
  const moves = finding && !state.ended && (!state.over || state.analyzing) ? finding.moves : [];
  while (list.children.length > moves.length) list.lastChild.remove();
  moves.forEach((move, index) => {
    let item = list.children[index];
    if (!item) {
      item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => play(button.textContent));
      const values = document.createElement("span");
      const line = document.createElement("span");
      line.className = "pv";
      item.append(button, values, line);
      list.append(item);
    }
    const [button, values, line] = item.children;
    tell(button, move.move);
    button.disabled = state.over;
    tell(values, `${rating(move.winrate, move.lead)} (${move.visits})`);
    tell(line, move.pv.slice(1, 7).join(" "));
  });
}

export function showCount(state) {
  element("counted").hidden = !state.count;
  if (!state.count) return;
  const dead = state.count.dead.length ? ` Dead: ${state.count.dead.join(" ")}.` : " No stones are dead.";
  const still_open = state.count.open ? "The game is still open, so a count says little. " : "";
  const if_over = state.ended ? "" : `${still_open}If both sides passed now: `;
  tell(element("counted-text"), `${if_over}${state.count.text}${dead}`);
  const by = state.count.corrected ? "You have corrected the count." : "Kosumi has judged which stones are dead.";
  tell(element("counted-help"), `${by} A click on a stone corrects it; on the keyboard, Enter on the stone.`);
}

export function showReview(state, server) {
  const review = state.review;
  element("reviewing").hidden = !review;
  if (!review) return;
  const isDone = review.done === review.all;
  const left = Math.ceil(review.secondsLeft);
  tell(element("review-text"), isDone ? "The review is complete." : `${review.done} of ${review.all} positions, about ${left} s left.`);
  element("review-bar").hidden = isDone;
  element("review-bar").max = review.all;
  element("review-bar").value = review.done;
  element("review-done").hidden = !isDone;
  element("review-stop").hidden = isDone;
  element("review-open").href = server.address("review");
  element("review-page").href = server.address("review-page");
  element("review-record").href = server.address("review-record");
}

let told = 0;
let toldGame = null;

export function showLog(state) {
  const log = element("log");
  if (toldGame !== state.game) {
    toldGame = state.game;
    told = 0;
    log.replaceChildren();
  }
  for (const { number, text } of state.log) {
    if (number <= told) continue;
    told = number;
    const item = document.createElement("p");
    item.textContent = text;
    log.append(item);
    while (log.children.length > 200) log.firstChild.remove();
    log.scrollTop = log.scrollHeight;
  }
}

// A sentence of the page itself.
export function say(text) {
  const item = document.createElement("p");
  item.textContent = text;
  element("log").append(item);
  element("log").scrollTop = element("log").scrollHeight;
}

export function showVariations(state, choose) {
  const box = element("variations");
  const { variations, siblings, sibling } = state;
  // After moves were taken back, the line ends here, and the record goes on.
  const goesOn = variations.length === 1 && state.place === state.line.length - 1;
  const isBranch = variations.length > 1 || goesOn;
  box.hidden = !isBranch && siblings < 2;
  const text = JSON.stringify([isBranch, variations, siblings, sibling]);
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.replaceChildren();
  const button = (label, order) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", () => choose(order));
    box.append(made);
  };
  if (siblings > 1) button(`Variation ${sibling} of ${siblings}: next`, { do: "sibling", by: 1 });
  if (isBranch) variations.forEach((name, number) => button(`→ ${name || "set-up"}`, { do: "variation", number }));
}
