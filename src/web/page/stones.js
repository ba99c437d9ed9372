// Points and their names. A board is a text with a letter for each point, row by row from the top: "." "X" "O".

import { LETTERS } from "./grid.js";

// The place of a point's name in the text; -1 for a pass and for what is no point.
export function placeOf(name, size) {
  const column = LETTERS.indexOf((name || " ")[0].toUpperCase());
  const row = Number(name.slice(1));
  const isPoint = column >= 0 && column < size.width && row >= 1 && row <= size.height;
  return isPoint ? (size.height - row) * size.width + column : -1;
}

export function nameOf(place, size) {
  return LETTERS[place % size.width] + (size.height - Math.floor(place / size.width));
}

export const sideOf = (letter) => (letter === "B" || letter === "X" ? "Black" : "White");

// "B+3.5" from Black's lead.
export const points = (lead) => `${lead < 0 ? "W" : "B"}+${Math.abs(lead).toFixed(1)}`;

// Who wins how often, and by how much.
export function rating(winrate, lead) {
  const side = winrate < 0.5 ? "White" : "Black";
  const rate = winrate < 0.5 ? 1 - winrate : winrate;
  return `${side} wins ${(rate * 100).toFixed(1)} %, ${points(lead)}`;
}
