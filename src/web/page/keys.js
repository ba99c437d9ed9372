// Keys: on the board, and elsewhere on the page.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `say` gets the name of the point under the cursor, `choose` the name of the chosen one.
export function boardKeys(box, board, say, choose) {
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) say(board.moveCursor(...arrow));
    else if (event.key === "Enter" || event.key === " ") {
      const name = board.chosen();
      if (name) choose(name);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const name of ["focus", "blur"]) box.addEventListener(name, () => board.showCursor());
}

// Where all keys belong to what has the focus. A slider has some of them, and the other inputs none that acts here.
const TYPED = "input:not([type=range], [type=checkbox], [type=file]), select, textarea, summary, [role=log]";
const SLIDES = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

// `acts` has a function for each key.
export function pageKeys(acts) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest(TYPED) || (event.target.closest("[type=range]") && SLIDES.has(event.key))) return;
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
