// The board in words, for people who do not see it.

import { nameOf, placeOf, sideOf } from "./stones.js";

// What is on one point.
export function pointInWords(state, name) {
  const place = placeOf(name, state.size);
  const stone = state.stones[place];
  const isDead = state.count && state.count.dead.includes(name);
  const isLast = state.last && state.last.move === name;
  const parts = [name, stone === "." ? "empty" : `${isDead ? "dead " : ""}${sideOf(stone).toLowerCase()} stone`];
  if (isLast) parts.push("last move");
  const number = state.finding ? state.finding.moves.findIndex((move) => move.move === name) : -1;
  if (number >= 0 && stone === ".") parts.push(`Kosumi's move ${number + 1}`);
  return parts.join(", ");
}

function stonesInWords(state, letter) {
  const names = [...state.stones].map((stone, place) => (stone === letter ? nameOf(place, state.size) : null)).filter(Boolean);
  const sorted = names.sort((a, b) => a[0].localeCompare(b[0]) || Number(a.slice(1)) - Number(b.slice(1)));
  return `${sideOf(letter)} has ${names.length === 1 ? "1 stone" : `${names.length} stones`}${names.length ? `: ${sorted.join(" ")}` : ""}.`;
}

// What the rule set gives White for the handicap, beside komi.
function forHandicap(state) {
  return state.handicapPoints ? ` and ${state.handicapPoints} for the handicap` : "";
}

export function boardInWords(state) {
  const last = state.last ? `The last move was ${sideOf(state.last.color)} ${state.last.move}.` : "No move has been made.";
  const turn = state.over ? "The game is over." : `${sideOf(state.toMove)} is to move.`;
  const [black, white] = state.captured;
  return [
    `${state.size.width} by ${state.size.height}, ${state.rules} rules, komi ${state.komi}${forHandicap(state)}.`,
    last,
    turn,
    stonesInWords(state, "X"),
    stonesInWords(state, "O"),
    `Black has captured ${black}, White ${white}.`,
  ].join(" ");
}
