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

// Columns and rows of a board: the program gives a number for a square, else a text such as "9x13".
function sizeOf(given) {
  const [width, height] = String(given).split("x").map(Number);
  return { width, height: height || width };
}

// The points that boards mark, as pairs of a column and a row counted from the edge.
function stars({ width, height }) {
  if (Math.min(width, height) < 7) return [];
  const hasMiddle = (side) => side % 2 === 1 && side > 7;
  const lines = (side) => {
    const low = side < 13 ? 2 : 3;
    const ends = [low, side - 1 - low];
    return hasMiddle(width) && hasMiddle(height) ? [...ends, (side - 1) / 2] : ends;
  };
  return lines(width).flatMap((column) => lines(height).map((row) => [column, row]));
}

// `label` are attributes of the coordinates, which stand so far from the edge.
function drawGrid(svg, size, distance, label) {
  const { width, height } = size;
  const [right, bottom] = [(width + 1) * STEP, (height + 1) * STEP];
  shape(svg, "rect", { width: right, height: bottom, fill: "#e3b66b", rx: 4 });
  const text = (x, y, name) => shape(svg, "text", { x, y: y + 3, fill: "#3b2a0c", ...label }, name);
  let lines = "";
  for (let i = 1; i <= width; i++) {
    lines += `M${i * STEP} ${STEP}V${height * STEP}`;
    for (const y of [distance, bottom - distance]) text(i * STEP, y, LETTERS[i - 1]);
  }
  for (let i = 1; i <= height; i++) {
    lines += `M${STEP} ${i * STEP}H${width * STEP}`;
    for (const x of [distance, right - distance]) text(x, i * STEP, String(height + 1 - i));
  }
  shape(svg, "path", { d: lines, stroke: "#6b4a17", fill: "none" });
  for (const [column, row] of stars(size)) {
    shape(svg, "circle", { cx: (column + 1) * STEP, cy: (row + 1) * STEP, r: 3, fill: "#6b4a17" });
  }
}
