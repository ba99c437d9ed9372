// Draws the empty board into an <svg>: wood, lines, star points, coordinates. The page of `kosumi web` uses this file, too.

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const STEP = 24;
const SHAPES = "http://www.w3.org/2000/svg";

function shape(parent, name, attributes, text) {
  const element = document.createElementNS(SHAPES, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// The lines that boards mark, as columns or rows counted from the edge.
function starLines(size) {
  if (size < 7) return [];
  const low = size < 13 ? 2 : 3;
  return size % 2 === 1 && size > 7 ? [low, (size - 1) / 2, size - 1 - low] : [low, size - 1 - low];
}

// `label` are attributes of the coordinates, which stand so far from the edge.
function drawGrid(svg, size, distance, label) {
  const side = (size + 1) * STEP;
  shape(svg, "rect", { width: side, height: side, fill: "#e3b66b", rx: 4 });
  let lines = "";
  for (let i = 1; i <= size; i++) {
    lines += `M${STEP} ${i * STEP}H${size * STEP}M${i * STEP} ${STEP}V${size * STEP}`;
    for (const at of [distance, side - distance]) {
      shape(svg, "text", { x: i * STEP, y: at + 3, fill: "#3b2a0c", ...label }, LETTERS[i - 1]);
      shape(svg, "text", { x: at, y: i * STEP + 3, fill: "#3b2a0c", ...label }, String(size + 1 - i));
    }
  }
  shape(svg, "path", { d: lines, stroke: "#6b4a17", fill: "none" });
  for (const row of starLines(size)) {
    for (const column of starLines(size)) {
      shape(svg, "circle", { cx: (column + 1) * STEP, cy: (row + 1) * STEP, r: 3, fill: "#6b4a17" });
    }
  }
}
