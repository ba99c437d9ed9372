// Draws a board as SVG, and says which point was chosen. It knows no game: it is told what to draw.

import { STEP, drawGrid, shape } from "./grid.js";
import { nameOf, placeOf } from "./stones.js";

const FILLS = { X: "#111", O: "#f8f8f4" };

export class Board {
  // `choose` is called with the name of a point that was clicked, or chosen by keys.
  constructor(box, choose) {
    this.box = box;
    this.choose = choose;
    this.svg = shape(box, "svg", { "aria-hidden": "true", focusable: "false" });
    this.size = { width: 0, height: 0 };
    this.cursor = -1;
    // The place under the mouse, and the one that waits for a second tap.
    this.hovered = -1;
    this.asked = -1;
    this.svg.addEventListener("click", (event) => {
      const place = this.placeAt(event);
      if (place >= 0) choose(nameOf(place, this.size));
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.hover(this.placeAt(event));
    });
    this.svg.addEventListener("pointerleave", () => this.hover(-1));
  }

  placeAt(event) {
    const area = this.svg.getBoundingClientRect();
    const { width, height } = this.size;
    const line = (at, from, length, lines) => Math.round(((at - from) / length) * (lines + 1)) - 1;
    const column = line(event.clientX, area.left, area.width, width);
    const row = line(event.clientY, area.top, area.height, height);
    const isInside = column >= 0 && row >= 0 && column < width && row < height;
    return isInside ? row * width + column : -1;
  }

  x(place) {
    return ((place % this.size.width) + 1) * STEP;
  }

  y(place) {
    return (Math.floor(place / this.size.width) + 1) * STEP;
  }

  resize(size) {
    const { width, height } = size;
    if (this.size.width === width && this.size.height === height) return;
    this.size = size;
    this.cursor = this.hovered = this.asked = -1;
    this.shown = new Array(width * height).fill(null);
    // A board with many rows stays as high as a square one.
    this.svg.style.width = `${Math.min(1, (width + 1) / (height + 1)) * 100}%`;
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${(width + 1) * STEP} ${(height + 1) * STEP}`);
    drawGrid(this.svg, size, 6, { "font-size": 8 });
    this.stones = shape(this.svg, "g", {});
    this.marks = shape(this.svg, "g", { "pointer-events": "none" });
    this.ghost = shape(this.svg, "g", { "pointer-events": "none" });
  }

  // `stones` is the text of the board. `marks`: last (a name), dead (names), owners (a function from places to -1..1, or
  // null), moves (a list of names with texts, the best first).
  draw(size, stones, marks, toMove) {
    this.resize(size);
    this.text = stones;
    this.toMove = toMove;
    for (let place = 0; place < stones.length; place++) this.put(place, stones[place]);
    this.marks.replaceChildren();
    for (const name of marks.dead) this.cross(placeOf(name, size));
    if (marks.owners) for (let place = 0; place < stones.length; place++) this.owner(place, marks.owners(place));
    const last = placeOf(marks.last || "pass", size);
    if (last >= 0) {
      const stroke = stones[last] === "X" ? "#ffd166" : "#b3261e";
      shape(this.marks, "circle", { cx: this.x(last), cy: this.y(last), r: 6, fill: "none", stroke, "stroke-width": 2 });
    }
    marks.moves.forEach(({ name, text }, index) => this.candidate(placeOf(name, size), text, index));
    this.showGhosts();
  }

  put(place, stone) {
    const there = this.shown[place];
    if ((there ? there.stone : ".") === stone) return;
    if (there) there.element.remove();
    this.shown[place] = null;
    if (stone !== ".") {
      const attributes = { cx: this.x(place), cy: this.y(place), r: 11, fill: FILLS[stone], stroke: "#222" };
      this.shown[place] = { stone, element: shape(this.stones, "circle", attributes) };
    }
  }

  // Shows a stone before the server has answered.
  expect(name, stone) {
    const place = placeOf(name, this.size);
    if (place >= 0 && this.text[place] === ".") this.put(place, stone);
  }

  cross(place) {
    if (place < 0) return;
    const [x, y] = [this.x(place), this.y(place)];
    const d = `M${x - 6} ${y - 6}L${x + 6} ${y + 6}M${x + 6} ${y - 6}L${x - 6} ${y + 6}`;
    shape(this.marks, "path", { d, stroke: "#d22", "stroke-width": 3, fill: "none" });
  }

  owner(place, owner) {
    if (Math.abs(owner) < 0.15) return;
    const half = 7 * Math.min(Math.abs(owner), 1);
    const fill = owner > 0 ? FILLS.X : FILLS.O;
    const attributes = { x: this.x(place) - half, y: this.y(place) - half, width: 2 * half, height: 2 * half };
    shape(this.marks, "rect", { ...attributes, fill, opacity: 0.65, stroke: "#777", "stroke-width": 0.5 });
  }

  candidate(place, text, index) {
    if (place < 0 || this.text[place] !== ".") return;
    const [x, y] = [this.x(place), this.y(place)];
    shape(this.marks, "circle", { cx: x, cy: y, r: 11, fill: index === 0 ? "#14694c" : "#2f5f8f", opacity: 0.93 });
    shape(this.marks, "text", { x, y: y + 4, fill: "#fff", "font-size": 11 }, text);
  }

  // The mouse is on a place; -1 for none.
  hover(place) {
    this.hovered = place;
    this.showGhosts();
  }

  // A point waits for a second tap; null for none.
  ask(name) {
    this.asked = placeOf(name || "pass", this.size);
    this.showGhosts();
  }

  // The stones that a click, and a second tap, would put there.
  showGhosts() {
    if (!this.ghost) return;
    this.ghost.replaceChildren();
    for (const place of new Set([this.asked, this.hovered])) {
      if (place < 0 || this.text[place] !== "." || !this.toMove) continue;
      const isAsked = place === this.asked;
      const attributes = { cx: this.x(place), cy: this.y(place), r: 11, fill: FILLS[this.toMove] };
      const look = { opacity: isAsked ? 0.75 : 0.45, stroke: "#b3261e", "stroke-width": isAsked ? 2 : 0 };
      shape(this.ghost, "circle", { ...attributes, ...look });
    }
    this.showCursor();
  }

  moveCursor(columns, rows) {
    const { size } = this;
    const { width, height } = size;
    const middle = Math.floor(height / 2) * width + Math.floor(width / 2);
    const from = this.cursor < 0 ? middle : this.cursor;
    const inside = (value, lines) => Math.min(Math.max(value, 0), lines - 1);
    const isFirst = this.cursor < 0;
    const column = inside((from % width) + (isFirst ? 0 : columns), width);
    const row = inside(Math.floor(from / width) + (isFirst ? 0 : rows), height);
    this.cursor = row * width + column;
    this.showCursor();
    return nameOf(this.cursor, size);
  }

  chosen() {
    return this.cursor < 0 ? null : nameOf(this.cursor, this.size);
  }

  showCursor() {
    if (this.frame) this.frame.remove();
    if (this.cursor < 0 || document.activeElement !== this.box) return;
    const attributes = { x: this.x(this.cursor) - 11, y: this.y(this.cursor) - 11, width: 22, height: 22, fill: "none" };
    this.frame = shape(this.svg, "rect", { ...attributes, stroke: "#b3261e", "stroke-width": 2, "pointer-events": "none" });
  }
}
