// Draws a board with stones and marks into an <svg>. Knows no game: it is told what to draw.

const FILLS = ["", "#111", "#f8f8f4"];

// `marks`: last (a place), numbers (a Map from places to numbers), letters (a Map from places to letters), owners (a
// function from places to -1..1, or null). `choose` is called with the place of a letter that is clicked.
function drawBoard(svg, size, stones, marks, choose) {
  svg.replaceChildren();
  const x = (place) => ((place % size.width) + 1) * STEP;
  const y = (place) => (Math.floor(place / size.width) + 1) * STEP;
  drawGrid(svg, size, STEP / 2, {});
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
