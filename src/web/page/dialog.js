// The dialogs: a new game, and a review. What was chosen last stays.

const element = (id) => document.getElementById(id);
const FIELDS = ["size", "color", "level", "seconds", "handicap", "rules", "komi", "clock", "main", "increment", "period", "periods"];
const KEY = "kosumi-new-game";

// Levels that the list offers, weakest first.
const LEVELS = ["30k", "25k", "20k", "18k", "15k", "12k", "10k", "8k", "6k", "5k", "4k", "3k", "2k", "1k", "1d", "2d", "max"];
const RULES = ["chinese", "japanese", "aga", "new-zealand", "tromp-taylor", "stone-scoring"];

function fill(select, values, name = (value) => value) {
  for (const value of values) select.append(new Option(name(value), value));
}

// Fields that belong to some clocks or levels only. A browser begins no game while a hidden field has a wrong value,
// unless the field is disabled.
function showClockFields() {
  const kind = element("clock").value;
  const shown = {
    seconds: element("level").value === "max" && kind === "none",
    main: kind !== "none",
    increment: kind === "fischer",
    period: kind === "byo-yomi",
    periods: kind === "byo-yomi",
  };
  // Without periods, a game needs some time at its beginning.
  element("main").min = kind === "byo-yomi" ? "0" : "0.05";
  for (const [id, isShown] of Object.entries(shown)) {
    element(id).hidden = element(id).disabled = !isShown;
    document.querySelector(`label[for="${id}"]`).hidden = !isShown;
  }
}

function clockOf() {
  const number = (id) => Number(element(id).value);
  const kind = element("clock").value;
  const main = number("main") * 60;
  if (kind === "absolute") return { kind, main };
  if (kind === "fischer") return { kind, main, increment: number("increment") };
  if (kind === "byo-yomi") return { kind, main, period: number("period"), periods: number("periods") };
  return { kind: "none" };
}

// `begin` is called with the order for a new game.
export function prepareNewGame(begin) {
  fill(element("level"), LEVELS, (level) => (level === "max" ? "full strength" : level));
  fill(element("rules"), RULES);
  fill(element("handicap"), [2, 3, 4, 5, 6, 7, 8, 9], (stones) => `${stones} stones`);
  element("level").value = "max";
  const kept = JSON.parse(localStorage.getItem(KEY) || "{}");
  for (const id of FIELDS) if (kept[id] !== undefined) element(id).value = kept[id];
  element("clock").addEventListener("change", showClockFields);
  element("level").addEventListener("change", showClockFields);
  showClockFields();
  const dialog = element("new-game");
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "begin") return;
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(FIELDS.map((id) => [id, element(id).value]))));
    const komi = element("komi").value;
    const seconds = element("seconds");
    begin({
      do: "new",
      size: element("size").value,
      color: element("color").value,
      level: element("level").value,
      seconds: seconds.disabled ? null : Number(seconds.value) || null,
      handicap: Number(element("handicap").value),
      rules: element("rules").value,
      komi: komi === "" ? null : Number(komi),
      clock: clockOf(),
    });
  });
}

export function prepareReview(begin) {
  const dialog = element("new-review");
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "begin") begin({ do: "review", seconds: Number(element("review-seconds").value) });
  });
}

export function show(id) {
  const dialog = element(id);
  dialog.returnValue = "";
  dialog.showModal();
}
