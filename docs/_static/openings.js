// The board of docs/openings.md: place stones, and see what each placement is worth. scripts/openings_page.py writes the
// values, openings.json: for each turn one number a position, up to symmetry, in the order of the positions' keys.

/** The points as the engine numbers them: three squares around d4, rank by rank from above. */
export const POINTS = (
  "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
).split(" ");

const place = (name) => [name.charCodeAt(0) - 100, Number(name[1]) - 4];
const number = new Map(POINTS.map((name, index) => [place(name).join(), index]));

/** The sixteen symmetries of the board: for each point, the point that it goes to. */
const MAPS = Array.from({ length: 16 }, (_, kind) =>
  POINTS.map((name) => {
    let [x, y] = place(name);
    if (kind & 1) x = -x;
    if (kind & 2) y = -y;
    if (kind & 4) [x, y] = [y, x];
    const ring = Math.max(Math.abs(x), Math.abs(y));
    if (kind & 8) [x, y] = [(x * (4 - ring)) / ring, (y * (4 - ring)) / ring];
    return number.get([x, y].map((each) => each || 0).join());
  }),
);
const POWERS = POINTS.map((_, point) => 3 ** point);

/** The key of a position up to symmetry; `stones` are the points in the order in which they were taken. */
export function key(stones) {
  let least = Infinity;
  for (const map of MAPS) {
    let sum = 0;
    stones.forEach((point, turn) => (sum += (1 + (turn % 2)) * POWERS[map[point]]));
    if (sum < least) least = sum;
  }
  return least;
}

/** The values of the file by key, one Map a turn: a pair of 1, 0 or -1 for who places, and the turns to the end. */
export function table({ palette, turns }) {
  let layer = new Map([[key([]), []]]);
  return turns.map((text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const keys = [...layer.keys()].sort((one, other) => one - other);
    if (keys.length !== bytes.length) throw new Error("these values are of other positions");
    const next = new Map();
    for (const stones of layer.values())
      for (let point = 0; point < POINTS.length; point++) {
        if (stones.includes(point)) continue;
        const after = key([...stones, point]);
        if (!next.has(after)) next.set(after, [...stones, point]);
      }
    layer = next;
    return new Map(keys.map((each, index) => [each, palette[bytes[index]]]));
  });
}

const PLAYERS = ["first", "second"];

/** What a value says, in words. */
export function words([value, turns], turn) {
  if (!value) return "neither player can force a win";
  const winner = PLAYERS[value > 0 ? turn % 2 : 1 - (turn % 2)];
  return `the ${winner} player wins in ${turns} turn${turns === 1 ? "" : "s"}`;
}

const LINES = [3, 2, 1].map((ring) => `M${-ring} ${-ring}H${ring}V${ring}H${-ring}Z`).join("") +
  "M-3 0H-1M1 0H3M0 -3V-1M0 1V3";

function element(parent, tag, attributes = {}, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

/** Show the board in an element, with these values. */
export function show(root, data) {
  const values = table(data);
  const stones = [];
  root.textContent = "";
  const status = element(root, "p", { role: "status" });
  const board = element(root, "div", { class: "board", role: "group", "aria-label": "Board of Shah" });
  board.innerHTML = `<svg viewBox="-3.5 -3.5 7 7" aria-hidden="true"><path d="${LINES}"/></svg>`;
  const points = POINTS.map((name, point) => {
    const [x, y] = place(name);
    const button = element(board, "button", { type: "button" });
    button.style.left = `${((x + 3.5) / 7) * 100}%`;
    button.style.top = `${((3.5 - y) / 7) * 100}%`;
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") === "true") return;
      stones.push(point);
      draw();
    });
    return button;
  });
  const controls = element(root, "p");
  const back = element(controls, "button", { type: "button" }, "Back");
  const restart = element(controls, "button", { type: "button" }, "Start again");
  back.addEventListener("click", () => {
    stones.pop();
    draw();
  });
  restart.addEventListener("click", () => {
    stones.length = 0;
    draw();
  });

  function draw() {
    const turn = stones.length;
    const ends = turn + 1 >= values.length;
    const worth = values[turn].get(key(stones));
    const here = words(worth, turn);
    const line = stones.length ? `After ${stones.map((point) => POINTS[point]).join(" ")}: ` : "The empty board: ";
    const next = ends ? "The values of this page end here; sarai explore goes on." : `The ${PLAYERS[turn % 2]} player places.`;
    status.textContent = `${line}${here}. ${next}`;
    back.disabled = restart.disabled = !turn;
    points.forEach((button, point) => {
      const taken = stones.indexOf(point);
      button.className = "";
      button.textContent = "";
      button.setAttribute("aria-disabled", String(taken >= 0 || ends));
      if (taken >= 0) {
        button.className = `stone ${PLAYERS[taken % 2]}`;
        button.setAttribute("aria-label", `${POINTS[point]}: a stone of the ${PLAYERS[taken % 2]} player`);
        return;
      }
      button.setAttribute("aria-label", POINTS[point]);
      if (ends) return;
      // The value after a placement is the other player's, and this turn counts too.
      const after = values[turn + 1].get(key([...stones, point]));
      const value = -after[0] || 0;
      const turns = value ? after[1] + 1 : null;
      const best = value === worth[0] && turns === worth[1];
      button.className = ["loses", "draws", "wins"][value + 1] + (best ? " best" : "");
      button.textContent = value ? `${value > 0 ? "+" : "−"}${turns}` : "=";
      button.setAttribute("aria-label", `${POINTS[point]}: ${words([value, turns], turn)}${best ? ", the best" : ""}`);
    });
  }
  draw();
}

if (typeof document !== "undefined") {
  for (const root of document.querySelectorAll(".sarai-openings")) {
    fetch(root.dataset.values)
      .then((answer) => answer.json())
      .then((data) => show(root, data))
      .catch(() => (root.textContent = "The board could not be loaded; the tables below have the same values."));
  }
}
