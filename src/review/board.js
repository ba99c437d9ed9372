// Draws a board into an <svg>. Knows no game: it is told what to draw.

const STEP = 24;
const SHAPES = "http://www.w3.org/2000/svg";
const FILLS = ["", "#111", "#f8f8f4"];

function shape(parent, name, attributes, text) {
  const element = document.createElementNS(SHAPES, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// The points that boards mark, as columns or rows counted from the edge.
function starLines(size) {
  if (size < 7) return [];
  const low = size < 13 ? 2 : 3;
  return size % 2 === 1 && size > 7 ? [low, (size - 1) / 2, size - 1 - low] : [low, size - 1 - low];
}

// `marks`: last (a place), numbers (a Map from places to numbers), letters (a Map from places to letters), owners (a
// function from places to -1..1, or null). `choose` is called with the place of a letter that is clicked.
function drawBoard(svg, size, stones, marks, choose) {
  svg.replaceChildren();
  const side = (size + 1) * STEP;
  const x = (place) => ((place % size) + 1) * STEP;
  const y = (place) => (Math.floor(place / size) + 1) * STEP;
  shape(svg, "rect", { width: side, height: side, fill: "#e3b66b", rx: 4 });
  let lines = "";
  for (let i = 1; i <= size; i++) {
    lines += `M${STEP} ${i * STEP}H${size * STEP}M${i * STEP} ${STEP}V${size * STEP}`;
    for (const at of [STEP / 2, side - STEP / 2]) {
      shape(svg, "text", { x: i * STEP, y: at + 3, fill: "#3b2a0c" }, LETTERS[i - 1]);
      shape(svg, "text", { x: at, y: i * STEP + 3, fill: "#3b2a0c" }, String(size + 1 - i));
    }
  }
  shape(svg, "path", { d: lines, stroke: "#6b4a17", fill: "none" });
  for (const row of starLines(size)) {
    for (const column of starLines(size)) {
      shape(svg, "circle", { cx: (column + 1) * STEP, cy: (row + 1) * STEP, r: 3, fill: "#6b4a17" });
    }
  }
  stones.forEach((stone, place) => {
    if (stone !== 0) {
      shape(svg, "circle", { cx: x(place), cy: y(place), r: 11, fill: FILLS[stone], stroke: "#222" });
    }
    const owner = marks.owners ? marks.owners(place) : 0;
    if (Math.abs(owner) >= 0.15) {
      const half = 8 * Math.abs(owner);
      const attributes = { x: x(place) - half, y: y(place) - half, width: 2 * half, height: 2 * half };
      shape(svg, "rect", { ...attributes, fill: FILLS[owner > 0 ? 1 : 2], opacity: 0.6 });
    }
  });
  if (marks.last >= 0) {
    const attributes = { cx: x(marks.last), cy: y(marks.last), r: 6, fill: "none" };
    shape(svg, "circle", { ...attributes, stroke: "#c22", "stroke-width": 2 });
  }
  for (const [place, number] of marks.numbers) {
    const fill = stones[place] === 1 ? "#fff" : "#111";
    shape(svg, "text", { x: x(place), y: y(place) + 4, fill, style: "font-size:11px" }, String(number));
  }
  for (const [place, letter] of marks.letters) {
    const group = shape(svg, "g", { style: "cursor:pointer" });
    shape(group, "circle", { cx: x(place), cy: y(place), r: 9.5, fill: "#1f8a5f" });
    shape(group, "text", { x: x(place), y: y(place) + 5, fill: "#fff", style: "font-size:13px" }, letter);
    group.addEventListener("click", (event) => {
      event.stopPropagation();
      choose(place);
    });
  }
}
