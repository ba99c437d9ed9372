// The curve of a game: Black's win rate, and Black's lead, for the positions that are known.

const WIDTH = 300;
const HEIGHT = 80;
const SHAPES = "http://www.w3.org/2000/svg";

// `line` has [move, [winrate, lead] or null] for each node.
export function drawCurve(svg, line, place) {
  const last = Math.max(line.length - 1, 1);
  const known = line.map(([, value], at) => value && { at, rate: value[0], lead: value[1] }).filter(Boolean);
  const scale = Math.max(10, ...known.map((value) => Math.abs(value.lead)));
  const x = (at) => (at / last) * WIDTH;
  const path = (y) => known.map((value, index) => `${index ? "L" : "M"}${x(value.at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const parts = [
    ["middle", `M0 ${HEIGHT / 2}H${WIDTH}`],
    ["lead", path((value) => ((1 - value.lead / scale) / 2) * HEIGHT)],
    ["rate", path((value) => (1 - value.rate) * HEIGHT)],
    ["here", `M${x(place)} 0V${HEIGHT}`],
  ];
  svg.replaceChildren();
  for (const [name, d] of parts) {
    const element = document.createElementNS(SHAPES, "path");
    element.setAttribute("class", name);
    element.setAttribute("d", d);
    svg.append(element);
  }
  const now = known.filter((value) => value.at <= place).at(-1);
  const told = now ? `, Black wins ${(now.rate * 100).toFixed(0)} % at move ${now.at}` : "";
  const text = known.length ? `Black's win rate and lead, known at ${known.length} positions${told}` : "No win rates are known yet";
  svg.setAttribute("aria-label", text);
}

// The node of the line at a click.
export function placeAt(svg, event, count) {
  const area = svg.getBoundingClientRect();
  return Math.round(((event.clientX - area.left) / area.width) * Math.max(count - 1, 0));
}
