// Stones on a board: a list of its points, row by row from the top, each 0 (empty), 1 (black) or 2 (white).
// Knows nothing of the page.

// The place of a point's name in the list; -1 for a pass.
function placeOf(name, size) {
  const column = LETTERS.indexOf(name[0]);
  const row = Number(name.slice(1));
  return name === "pass" || column < 0 ? -1 : (size.height - row) * size.width + column;
}

// The stones after so many moves. `changes` has a list of [place, stone] for each position.
function stonesAfter(changes, turn, size) {
  const stones = new Array(size.width * size.height).fill(0);
  for (const change of changes.slice(0, turn + 1)) {
    for (const [place, stone] of change) stones[place] = stone;
  }
  return stones;
}

function neighbours(place, size) {
  const { width } = size;
  const column = place % width;
  const found = [];
  if (column > 0) found.push(place - 1);
  if (column < width - 1) found.push(place + 1);
  if (place >= width) found.push(place - width);
  if (place < width * (size.height - 1)) found.push(place + width);
  return found;
}

// The chain at a place, and whether it has a liberty.
function chainAt(stones, size, start) {
  const chain = new Set([start]);
  const open = [start];
  let isFree = false;
  while (open.length > 0) {
    for (const next of neighbours(open.pop(), size)) {
      if (stones[next] === 0) isFree = true;
      else if (stones[next] === stones[start] && !chain.has(next)) {
        chain.add(next);
        open.push(next);
      }
    }
  }
  return { chain, isFree };
}

// The stones after a move; a pass changes nothing. Chains without liberties are taken off, those of the other side first.
function play(stones, size, place, color) {
  const after = stones.slice();
  if (place < 0) return after;
  after[place] = color;
  const around = neighbours(place, size).filter((next) => after[next] === 3 - color);
  for (const start of [...around, place]) {
    const { chain, isFree } = chainAt(after, size, start);
    if (after[start] !== 0 && !isFree) for (const stone of chain) after[stone] = 0;
  }
  return after;
}
