// A board to play on, and the table around it, for any game: this module knows no rules. It shows scenes, tells a host what
// was chosen, and shows what the host answers (docs/play.md says what that is). It needs no other file but board.css.

/** An element with attributes, handlers ("onclick") and children. What is not a string becomes a property. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (typeof value === "string") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** Words with a capital. */
export const capital = (words) => words && words[0].toUpperCase() + words.slice(1);

/** Whether a move takes something from the enemy: in every game, its name says so. */
const takes = ({ name }) => /^x|\*/.test(name);

/** A die, by which of its nine spots are pips. */
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"];
const die = (value) => make("span", { class: "sarai-die" },
  ...Array.from({ length: 9 }, (_, spot) => make("i", { class: PIPS[value].includes(spot) ? "is-pip" : "" })));

export const button = (words, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, words);

/** The picture with a labelled button on every place of it, and a bar with buttons for moves that have no place. */
export class Board {
  /** `onplay(move)` is called with the move that was chosen. */
  constructor(root, onplay) {
    this.onplay = onplay;
    this.scene = null;
    this.path = [];
    this.buttons = [];
    this.values = [];
    this.told = 0;
    /** Is called with a place in place of a move, while somebody sets up a position. */
    this.onedit = null;
    /** What moves are worth, in words, by their actions: the best first. */
    this.worth = new Map();
    this.picture = make("div", { class: "sarai-picture" });
    this.ghost = make("div", { class: "sarai-ghost", hidden: true });
    this.stage = make("div", { class: "sarai-stage", role: "group", "aria-label": "Board" }, this.picture, this.ghost);
    this.bar = make("div", { class: "sarai-bar", role: "group", "aria-label": "Moves that are not on the board" });
    this.status = make("div", { class: "sarai-status", role: "status" });
    this.box = make("div", { class: "sarai-board" }, this.stage, this.bar, this.status);
    root.append(this.box);
    this.box.addEventListener("keydown", (event) => this.#key(event));
    const acts = { click: this.#click, pointerdown: this.#press, pointermove: this.#drag, pointerup: this.#drop,
      pointercancel: this.#letGo };
    for (const [name, act] of Object.entries(acts)) this.stage.addEventListener(name, act.bind(this));
  }

  /** Show a snapshot; what was begun is given up if the position is another one. */
  show(scene) {
    const old = this.scene;
    this.scene = scene;
    if (old?.svg !== scene.svg) {
      this.box.style.setProperty("--shape", String(scene.width / scene.height));
      const svg = new DOMParser().parseFromString(scene.svg, "image/svg+xml").documentElement;
      for (const name of ["width", "height"]) svg.removeAttribute(name);
      this.picture.replaceChildren(document.importNode(svg, true));
    }
    if (!old || old.position !== scene.position || old.at !== scene.at || old.mine !== scene.mine) this.path = [];
    this.#holding(() => {
      this.#lay();
      this.#light();
    });
    this.#news(old);
  }

  /** Words for eyes and ears. */
  say(words, kind = "") {
    // The same words twice are two pieces of news.
    this.status.replaceChildren();
    this.status.className = `sarai-status ${kind}`;
    setTimeout(() => this.status.replaceChildren(...[words].flat()));
  }

  /** Mark the places of a move, or of none. */
  mark(action) {
    const move = this.scene.moves.find((each) => each.action === action);
    this.buttons.forEach((each, place) => each.classList.toggle("is-hint", Boolean(move?.places.includes(place))));
    for (const each of this.bar.children) each.classList.toggle("is-hint", each.value === String(action));
  }

  get #moves() { return this.scene?.mine ? this.scene.moves : []; }

  /** Change something; if what had the focus is gone then, something else of the board gets it. */
  #holding(change) {
    const has = () => this.box.contains(this.box.getRootNode().activeElement);
    const had = has();
    change();
    if (had && !has()) this.focus();
  }

  /** The moves that begin as what was chosen so far. */
  #fitting(path) {
    return this.#moves.filter((move) => move.places.length && path.every((place, i) => move.places[i] === place));
  }

  /** A button on each place, kept from scene to scene so that the focus stays. */
  #lay() {
    const { points, width } = this.scene;
    for (const each of this.buttons.splice(points.length)) each.remove();
    points.forEach((point, place) => {
      this.buttons[place] ??= make("button", { type: "button", class: "sarai-point", value: String(place) });
      const each = this.buttons[place];
      const share = { left: point.x / width, top: point.y / width, "--own": (2 * point.r) / width };
      for (const [side, part] of Object.entries(share)) each.style.setProperty(side, `${100 * part}cqw`);
      if (!each.parentNode) this.stage.append(each);
    });
  }

  /** Which places can be chosen, and the moves of the bar. */
  #light() {
    const { points, hint, width } = this.scene;
    const depth = this.path.length;
    /** The moves that go on at each place. */
    const next = new Map();
    for (const move of this.#fitting(this.path)) {
      const place = move.places[depth];
      if (place !== undefined) next.set(place, [...(next.get(place) ?? []), move]);
    }
    const chosen = this.path.at(-1);
    points.forEach((point, place) => {
      const each = this.buttons[place];
      const moves = next.get(place);
      const captures = moves?.some((move) => takes(move) && move.places.length === depth + 1);
      // As large as a finger, unless another one is nearer.
      const near = [...next.keys()].filter((other) => moves && other !== place)
        .map((other) => Math.hypot(points[other].x - point.x, points[other].y - point.y));
      each.style.setProperty("--room", moves ? `${(100 * Math.min(width, ...near)) / width}cqw` : "0px");
      for (const [name, on] of Object.entries({
        source: moves && !depth, target: moves && depth, capture: captures, chosen: place === chosen, hint: false, edited: this.onedit,
      })) each.classList.toggle(`is-${name}`, Boolean(on));
      each.tabIndex = moves || this.onedit || place === chosen || (!next.size && !place) ? 0 : -1;
      each.setAttribute("aria-pressed", String(place === chosen));
      const what = moves ? (captures ? "capture here" : depth ? "move here" : "can be chosen") : "";
      const name = point.words.startsWith(point.name) ? "" : point.name;
      each.setAttribute("aria-label", [name, point.words, what, this.#worthOf(moves)?.long].filter(Boolean).join(", "));
    });
    this.#value(next);
    const fitting = this.#fitting(this.path).filter((move) => move.places.length === depth);
    const offered = depth ? fitting : this.#moves.filter((move) => !move.places.length);
    this.bar.replaceChildren(
      ...offered.map((move) => button(capital(move.words), () => this.#play(move), { value: String(move.action) })),
      ...(depth ? [button("Cancel", () => this.#choose([]))] : []));
    if (hint !== null && hint !== undefined && !depth) this.mark(hint);
  }

  /** What the best of some moves is worth. */
  #worthOf(moves) {
    return [...this.worth].find(([action]) => moves?.some((move) => move.action === action))?.[1];
  }

  /** What moves are worth, beside their next places: only where there is room, and never on a piece or a word. */
  #value(next) {
    for (const each of this.values.splice(0)) each.remove();
    const { points, width, height } = this.scene;
    const unit = width / (this.stage.clientWidth || width);
    const [broad, high] = [19 * unit, 10 * unit];
    const held = points.map(({ x, y, r }) => [x, y, 0.8 * r, 0.8 * r]);
    const stage = this.stage.getBoundingClientRect();
    for (const each of this.picture.querySelectorAll("text")) {
      const { x, y, width: w, height: h } = each.getBoundingClientRect();
      held.push([x - stage.x + w / 2, y - stage.y + h / 2, w / 2, h / 2].map((length) => length * unit));
    }
    for (const [place, moves] of next) {
      const worth = this.#worthOf(moves);
      if (!worth) continue;
      const { x, y, r } = points[place];
      // Not towards the middle, where pieces may stand in rows.
      const ways = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1]]
        .map((way) => [way, way[0] * (x - width / 2) + way[1] * (y - height / 2)]).filter(([, out]) => out >= 0)
        .sort(([[x1, y1], one], [[x2, y2], other]) => Math.abs(x1 * y1) - Math.abs(x2 * y2) || other - one);
      const spot = ways.map(([way]) => way).map(([across, down]) => [x + across * (0.82 * r + broad), y + down * (0.82 * r + high)])
        .find(([left, top]) => left > broad && left < width - broad && top > high && top < height - high
          && held.every(([ox, oy, ow, oh]) => Math.abs(ox - left) >= ow + broad || Math.abs(oy - top) >= oh + high));
      if (!spot) continue;
      held.push([...spot, broad, high]);
      const shown = make("span", { class: "sarai-value", "aria-hidden": "true" }, worth.short);
      shown.style.left = `${(100 * spot[0]) / width}%`;
      shown.style.top = `${(100 * spot[1]) / height}%`;
      this.values.push(shown);
      this.stage.append(shown);
    }
  }

  /** What has happened since the last scene. */
  #news(old) {
    const { log, last, length, headline, result, error } = this.scene;
    if (this.onedit) return;
    if (error) return this.say(error, "is-wrong");
    if (old && (old.position !== this.scene.position || old.length !== length || old.at !== this.scene.at)) {
      const stepped = this.scene.at < length || length < this.told || old.length === length;
      const fresh = stepped ? [last] : (log ?? [{ at: length, ...last }]).filter((step) => step.at > this.told);
      const words = [...fresh.map((step) => step?.words), result].filter(Boolean).map((each) => each.replace(/\.?$/, "."));
      this.say([words.join(" "), make("span", { class: "sarai-heard" }, ` ${headline}`)]);
    }
    this.told = length;
  }

  #choose(path, word) {
    this.path = path;
    this.#holding(() => this.#light());
    if (word) this.say(word);
  }

  #play(move) {
    this.#choose([]);
    this.onplay(move);
  }

  /** Put the focus on the first place that can be chosen. */
  focus() {
    const one = (selector) => this.box.querySelector(selector);
    (one(".is-target, .is-source") ?? one(".sarai-bar button") ?? one("[tabindex='0']"))?.focus({ preventScroll: true });
  }

  /** A place was chosen. */
  pick(place) {
    if (this.onedit) return this.onedit(place);
    const { points, mine, moves } = this.scene;
    const { name } = points[place];
    if (!mine) return this.say(this.scene.over ? "The game is over." : "It is not your turn.", "is-wrong");
    let path = [...this.path, place];
    if (!this.#fitting(path).length && this.#fitting([place]).length && place !== this.path.at(-1)) path = [place];
    const fitting = this.#fitting(path);
    if (!fitting.length) {
      if (place === this.path.at(-1)) return this.#choose([], `${name} is let go.`);
      const any = moves.some((move) => move.places.length);
      return this.say(this.path.length ? `No move leads from ${points[this.path.at(-1)].name} to ${name}.`
        : any ? `No move begins at ${name}.` : "Choose one of the buttons under the board.", "is-wrong");
    }
    const done = fitting.filter((move) => move.places.length === path.length).length;
    if (fitting.length === 1 && done) return this.#play(fitting[0]);
    this.#choose(path, done ? "Which move? Choose below the board." : `${name}: choose where to go.`);
    if (done > 1) this.bar.firstChild.focus();
  }

  #click(event) {
    if (this.dragged) return;
    const place = this.#placeAt(event);
    if (place !== undefined) this.pick(place);
    else if (this.#moves.length) this.say("There is nothing to choose there.", "is-wrong");
  }

  /** The place under a pointer: its button, or the nearest one that is not far. */
  #placeAt(event) {
    const hit = event.target.closest?.(".sarai-point");
    // Keyboards click without a position; a dragging pointer keeps its first target.
    if (hit && event.type === "click") return Number(hit.value);
    const box = this.stage.getBoundingClientRect();
    const scale = this.scene.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const far = (point) => Math.hypot(point.x - x, point.y - y) / Math.max(point.r, 14 * scale);
    const found = this.scene.points.map((point, place) => [far(point), place]).sort((a, b) => a[0] - b[0])[0];
    return found && found[0] < 1.8 ? found[1] : undefined;
  }

  #key(event) {
    // With these, keys belong to the browser.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = event.target.closest(".sarai-point");
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && this.path.length) {
      event.stopPropagation();
      return this.#choose([], "Nothing is chosen.");
    }
    if (!at || !way) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.scene.points[Number(at.value)];
    const [best] = this.scene.points.flatMap((point, place) => {
      const along = (point.x - from.x) * way[0] + (point.y - from.y) * way[1];
      const across = Math.abs((point.x - from.x) * way[1]) + Math.abs((point.y - from.y) * way[0]);
      return along > 1 && across <= 2 * along ? [[along + 2 * across, place]] : [];
    }).sort((a, b) => a[0] - b[0]);
    if (best) this.buttons[best[1]].focus();
  }

  #press(event) {
    this.dragged = false;
    if (event.button || !this.scene || !this.#moves.length) return;
    const place = this.#placeAt(event);
    if (place !== undefined && this.#fitting([place]).some((move) => move.places.length > 1)) {
      this.pressed = { place, x: event.clientX, y: event.clientY };
    }
  }

  #drag(event) {
    if (!this.pressed) return;
    const { x, y, place } = this.pressed;
    if (!this.dragged) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < 8) return;
      this.dragged = true;
      this.stage.setPointerCapture(event.pointerId);
      this.#choose([place]);
    }
    const box = this.stage.getBoundingClientRect();
    this.ghost.hidden = false;
    Object.assign(this.ghost.style, { left: `${event.clientX - box.left}px`, top: `${event.clientY - box.top}px` });
  }

  #drop(event) {
    const pressed = this.pressed;
    this.#letGo();
    if (!pressed || !this.dragged) return;
    const place = this.#placeAt(event);
    if (place === undefined) this.#choose([], "Nothing was moved.");
    else if (place !== pressed.place) this.pick(place);
  }

  #letGo() {
    this.pressed = null;
    this.ghost.hidden = true;
    // The click that follows a drag belongs to it, and no later one.
    setTimeout(() => (this.dragged = false));
  }
}

let number = 0;
/** A labelled control, and what is to be said about it. */
export function field(words, control, about) {
  control.id ||= `sarai-${(number += 1)}`;
  const parts = [make("label", { for: control.id }, words), control];
  if (about) {
    const told = make("small", { id: `${control.id}-about` }, about);
    control.setAttribute("aria-describedby", told.id);
    parts.push(told);
  }
  return make("div", { class: "sarai-field" }, ...parts);
}

export function choice(values, chosen) {
  const select = make("select");
  for (const [value, words] of values) select.append(make("option", { value, selected: value === chosen }, words));
  return select;
}

/** A control for an option of a game, by what the option takes, and how to read it. */
function option({ takes }, value) {
  const words = [...takes.matchAll(/"([^"]*)"/g)].map((match) => match[1]);
  const range = takes.match(/^an integer from (-?\d+) to (-?\d+)$/);
  const type = takes === "true or false" ? "checkbox" : range ? "number" : "text";
  const control = words.length > 1 ? choice(words.map((word) => [word, word]), value)
    : make("input", { type, value: String(value), checked: value === true });
  if (range) [control.min, control.max] = range.slice(1);
  const parse = (text) => { try { return JSON.parse(text); } catch { return text; } };
  return [control, () => (type === "checkbox" ? control.checked : words.length > 1 ? control.value : parse(control.value))];
}

/** Paragraphs, lists, tables of rules and code: as much of Markdown as rule books have. */
function prose(text) {
  const inline = (words) => words.split(/(\*\*.+?\*\*|\*.+?\*|`.+?`|\[.+?\]\(.+?\))/s).map((part, i) => {
    if (i % 2 === 0) return part;
    const [, mark, inner] = part.match(/^(\*\*|[*`[])(.+?)(?:\*\*|[*`]|\]\(.*)$/s);
    return make({ "**": "strong", "*": "em", "`": "code", "[": "span" }[mark], {}, inner);
  });
  return text.trim().split(/\n\n+/).flatMap((block) => {
    if (block.startsWith("```") || block.startsWith("    ")) return [make("pre", {}, block.replace(/^```.*\n|\n```$/g, ""))];
    if (block.startsWith("#")) return [make("h3", {}, block.replace(/^#+ /, ""))];
    if (block.startsWith("- ")) return [make("ul", {}, ...block.slice(2).split("\n- ").map((each) => make("li", {}, ...inline(each))))];
    const rules = [...block.matchAll(/^\| (\w+) \| (.+) \| [^|]+ \|$/gm)].slice(1);
    if (block.startsWith("|")) return rules.map(([, name, words]) => make("p", {}, make("strong", {}, `${name} `), ...inline(words)));
    return [make("p", {}, ...inline(block))];
  });
}

/** What a line of an analysis is worth to the player: in a few signs, and in words. */
function worthOf({ value, chance, kind, turns }) {
  if (value === null) return null;
  if (kind === "exact") {
    const [sign, verb] = value > 0 ? ["+", "wins"] : value < 0 ? ["\u2212", "loses"] : ["=", "draws"];
    return { short: sign + (turns ?? ""), long: verb + (turns ? ` in ${turns} turn${turns > 1 ? "s" : ""}` : "") };
  }
  const score = `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(2)}`;
  // Of what is not certain, nothing is said to be.
  const told = typeof chance === "number" ? `${Math.min(Math.max(Math.round(100 * chance), 1), 99)}%` : score;
  return kind === "bound" ? { short: `≤${told}`, long: `at most ${told}` } : { short: told, long: told };
}

/** A board with all that is around it: new games, undo, advice, stepping, records and positions as text. */
export class Table {
  /** `host.send(command)` promises a snapshot; `host.onchange(callback)` is told of those that come by themselves.
   * `edit(table)` lets positions be set up by clicks: see editor.js.
   */
  constructor(root, host, { theme = null, edit = null } = {}) {
    this.host = host;
    this.shown = null;
    this.box = make("div", { class: "sarai-table" });
    const main = make("div", { class: "sarai-main" });
    this.board = new Board(main, ({ action }) =>
      this.send({ do: "play", action, seat: this.shown.player, at: this.shown.length }));
    this.turn = make("p", { class: "sarai-turn" });
    this.board.box.prepend(this.turn);
    this.side = make("div", { class: "sarai-side" });
    this.drawer = make("dialog", { class: "sarai-drawer", "aria-label": "Rules" });
    // Keys in the drawer scroll it, and a press beside it closes it.
    this.drawer.addEventListener("keydown", (event) => event.stopPropagation());
    this.drawer.addEventListener("click", (event) => event.target === this.drawer && this.drawer.close());
    this.box.append(main, this.side, this.drawer);
    root.append(this.box);
    this.editor = make("div", { class: "sarai-editor" });
    edit?.(this);
    this.#tools();
    this.box.addEventListener("keydown", (event) => this.#key(event));
    host.onchange((snapshot) => this.show(snapshot));
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.theme = theme ?? (dark.matches ? "dark" : "light");
    if (!theme) dark.addEventListener("change", () => this.send({ do: "theme", theme: dark.matches ? "dark" : "light" }));
    this.box.dataset.theme = this.theme;
  }

  /** Ask for the games and for the first scene. */
  async start() {
    this.games = (await this.host.send({ do: "catalogue" })).games ?? [];
    await this.send({ do: "theme", theme: this.theme });
    this.#form();
    // A game under way is what one sees.
    this.begin.open = !this.shown.log?.some((step) => step.seat >= 0);
  }

  /** Send a command and show what comes of it; false where it could not be done. */
  async send(command) {
    const answer = await this.host.send(command).catch(({ message }) => ({ error: message }));
    if (answer.svg) this.show(answer);
    else if (answer.error) this.board.say(answer.error, "is-wrong");
    return answer.error ? false : answer;
  }

  /** Show a snapshot, unless a later one is shown already. */
  show(snapshot) {
    const old = this.shown;
    if (old && snapshot.session === old.session && snapshot.version < old.version) return;
    this.shown = snapshot;
    this.theme = snapshot.theme ?? this.theme;
    this.box.dataset.theme = this.theme;
    const lines = (snapshot.analysis ?? []).map((line) => [line.action, worthOf(line)]);
    this.board.worth = new Map(lines.filter(([, worth]) => worth));
    if (!this.board.onedit) this.board.show(snapshot);
    const { at, length, thinking, paused, mine, over, seats, player, players, thrown, result, headline } = snapshot;
    const persons = seats.filter((each) => each === "person").length;
    const task = headline.replace(/^.* is to /, "");
    const said = thinking !== null ? (player === null ? "The dice are thrown…" : `${capital(players[thinking])} is thinking…`)
      : paused ? "The game is held." : at < length ? `Looking at step ${at} of ${length}.` : over ? result
        : mine ? `Your turn${persons > 1 ? `, ${players[player]}` : ""}: ${task}.` : "";
    const dice = (over ? [] : thrown).filter((name) => /^\d-\d$/.test(name));
    const box = (name) => make("span", { class: "sarai-dice", role: "img", "aria-label": `dice ${name}` }, ...name.split("-").map(die));
    this.turn.replaceChildren(said, ...dice.map(box));
    this.#who(snapshot);
    this.steps.max = String(length);
    this.steps.value = String(at);
    this.steps.setAttribute("aria-valuetext", `step ${at} of ${length}`);
    this.place.textContent = `${at} / ${length}`;
    const advice = thinking === null && player !== null;
    // One that cannot be used now stays where it is, so that the focus is not lost; those of a moment come and go.
    for (const [name, free] of Object.entries({
      undo: length > 0, hint: advice, analyse: advice, first: at > 0, back: at > 0, next: at < length, last: at < length,
    })) this.tool[name].setAttribute("aria-disabled", String(!free));
    const moment = { on: paused && at === length, stop: thinking !== null, branch: at < length, again: over && at === length };
    const { activeElement: held } = this.box.getRootNode();
    const lost = Object.entries(moment).some(([name, free]) => !free && this.tool[name] === held);
    for (const [name, free] of Object.entries(moment)) this.tool[name].hidden = !free;
    if (lost) (moment.on ? this.tool.on : this.board).focus();
    this.tool.theme.textContent = this.theme === "dark" ? "Light" : "Dark";
    if (held !== this.position) this.position.value = snapshot.position;
    this.#analysis(snapshot);
    this.log.replaceChildren(...(snapshot.log ?? []).map((step) => make("li", { value: step.at }, step.words)));
    this.log.scrollTop = this.log.scrollHeight;
  }

  #tools() {
    const act = (name) => () => this.send({ do: name });
    const go = (to) => () => this.send({ do: "go", to: Math.min(Math.max(to(this.shown), 0), this.shown.length) });
    const of = {
      again: ["Play again", () => this.#again()], rules: ["Rules", () => this.#rules(this.shown.game)],
      undo: ["Undo", act("undo")], hint: ["Hint", act("hint")], analyse: ["Analyse", act("analyse")], stop: ["Stop", act("stop")],
      on: ["Go on", go(({ length }) => length)], branch: ["Play on from here", act("branch")],
      theme: ["Dark", () => {
        const theme = this.theme === "dark" ? "light" : "dark";
        this.box.dispatchEvent(new CustomEvent("sarai-theme", { detail: theme, bubbles: true, composed: true }));
        this.send({ do: "theme", theme });
      }],
      first: ["«", go(() => 0), "First position"],
      back: ["‹", go(({ at }) => at - 1), "Step back"],
      next: ["›", go(({ at }) => at + 1), "Step on"],
      last: ["»", go(({ length }) => length), "Last position"],
    };
    this.tool = {};
    for (const [name, [words, acts, label]] of Object.entries(of)) {
      const pressed = () => this.tool[name].getAttribute("aria-disabled") !== "true" && acts();
      this.tool[name] = button(words, pressed, label ? { "aria-label": label, title: label } : {});
    }
    const { theme, first, back, next, last, ...acts } = this.tool;
    this.steps = make("input", { type: "range", min: "0", max: "0", "aria-label": "Step of the game" });
    this.steps.addEventListener("input", () => this.send({ do: "go", to: Number(this.steps.value) }));
    this.place = make("span", { class: "sarai-count" });
    this.players = make("ul", { class: "sarai-players", "aria-label": "Players" });
    this.position = make("textarea", { rows: 2, spellcheck: false });
    this.record = make("textarea", { rows: 4, spellcheck: false });
    this.file = make("input", { type: "file", accept: ".json,.txt" });
    this.file.addEventListener("change", async () => this.file.files[0] && this.#load(await this.file.files[0].text()));
    this.found = make("div", { class: "sarai-found" });
    this.log = make("ol", { class: "sarai-log", tabIndex: 0, "aria-label": "What was played" });
    this.begin = make("details", { class: "sarai-new", open: true }, make("summary", {}, "New game"));
    this.side.append(
      this.players,
      make("div", { class: "sarai-tools" }, ...Object.values(acts), theme),
      make("div", { class: "sarai-steps" }, first, back, this.steps, next, last, this.place),
      this.found, this.begin,
      make("details", {}, make("summary", {}, "Record"),
        make("div", { class: "sarai-tools" }, button("Save to a file", () => this.#save(true)),
          button("Show as text", () => this.#save(false)), button("Load this text", () => this.#load(this.record.value))),
        field("Load a file", this.file), field("Record as text", this.record)),
      make("details", {}, make("summary", {}, "Position"),
        this.editor,
        field("Position as text", this.position),
        button("Set up this position", () => this.send({ do: "position", text: this.position.value }))),
      make("details", { open: true }, make("summary", {}, "What was played"), this.log));
  }

  async #save(toFile) {
    const answer = await this.send({ do: "save", format: toFile ? "json" : "text" });
    if (!answer) return;
    if (!toFile) return void (this.record.value = answer.record);
    const name = `${this.shown.game}-${this.shown.length}.json`;
    const address = URL.createObjectURL(new Blob([answer.record], { type: "application/json" }));
    make("a", { href: address, download: name }).click();
    URL.revokeObjectURL(address);
    this.board.say(`Saved as ${name}.`);
  }

  async #load(text) {
    const answer = await this.send({ do: "load", record: text });
    if (!answer || this.shown.version > answer.version) return; // Somebody has stepped on already.
    this.tool.next.focus(); // In a field, arrow keys have another meaning.
    this.board.say("Loaded. Step through it with the arrow keys.");
  }

  /** The entry of a game in the catalogue. */
  #entry(game) {
    return this.games?.find((each) => each.name === game) ?? this.games?.[0];
  }

  /** Who plays, by colours. */
  #who({ seats, players, player, game }) {
    const { levels = [] } = this.#entry(game) ?? {};
    const one = seats.filter((each) => each === "person").length === 1;
    this.players.replaceChildren(...seats.map((agent, seat) => {
      const level = levels.find((each) => each.agent === agent)?.name;
      const who = agent === "person" ? [one ? "you" : "a person"] : level ? [`${level} `, make("small", {}, agent)] : [agent];
      return make("li", { class: seat === player ? "is-on" : "" }, `${capital(players[seat])}: `, ...who);
    }));
  }

  /** The same game once more, with the same players. */
  async #again() {
    const { game, rules, seats } = this.shown;
    if (await this.send({ do: "new", game, rules, seats })) this.board.focus();
  }

  /** The drawer with the rules of a game. */
  async #rules(game) {
    const told = await this.send({ do: "rules", game });
    if (!told) return;
    const { title } = this.#entry(game);
    const book = make("details", {}, make("summary", {}, "The rule book"), ...prose(told.rule_book));
    this.drawer.replaceChildren(button("Close", () => this.drawer.close()), make("h2", {}, `How to play ${title} in two minutes`),
      ...prose(told.how_to_play), book);
    this.drawer.showModal();
    this.drawer.scrollTop = 0;
  }

  /** The form for a new game. */
  #form(game = this.shown?.game) {
    if (!this.games.length) return void (this.begin.hidden = true);
    const entry = this.#entry(game);
    const games = choice(this.games.map(({ name, title }) => [name, title]), entry.name);
    games.addEventListener("change", () => this.#form(games.value));
    const presets = choice(entry.presets.map(({ name }) => [name, name]), entry.presets[0].name);
    const chosen = field("Preset", presets, " ");
    const about = chosen.lastChild;
    const seats = make("div", { class: "sarai-seats" });
    const options = make("div", { class: "sarai-options" });
    const seed = make("input", { inputmode: "numeric", pattern: "[0-9]*", placeholder: "any" });
    let read = [];
    const preset = () => entry.presets[presets.selectedIndex];
    const rules = () => Object.fromEntries(read.map(([name, get]) => [name, get()])
      .filter(([name, value]) => value !== preset().rules[name]));
    const seated = () => [...seats.querySelectorAll("select")].map((each) => each.value);
    const levels = entry.levels.map(({ name, agent }) => [agent, capital(name)]);
    const others = entry.agents.filter((agent) => !levels.some(([known]) => known === agent));
    const who = [["person", "A person"], ...levels, ...others.map((agent) => [agent, agent])];
    const sit = (players) => {
      const [before, now] = [seated(), entry.name === this.shown?.game ? this.shown.seats : []];
      seats.replaceChildren(...players.map((name, seat) => {
        const control = choice(who, (before[seat] ?? now[seat]) || (seat ? "greedy" : "person"));
        const shown = field(capital(name), control, " ");
        const tell = () => (shown.lastChild.textContent = levels.some(([agent]) => agent === control.value) ? control.value : "");
        control.addEventListener("change", tell);
        tell();
        return shown;
      }));
    };
    const check = async () => {
      const told = await this.host.send({ do: "check", game: entry.name, preset: presets.value, rules: rules() });
      if (told.error) this.board.say(told.error, "is-wrong");
      else sit(told.players);
    };
    const fill = () => {
      const { rules: usual, players, meaning } = preset();
      about.textContent = capital(meaning);
      read = [];
      options.replaceChildren(...entry.options.map((each) => {
        const [control, get] = option(each, usual[each.name]);
        control.addEventListener("change", check);
        read.push([each.name, get]);
        const range = each.takes.match(/^an integer from (.*)$/)?.[1];
        return field(each.name.replaceAll("_", " "), control, capital(each.meaning) + (range ? ` (${range})` : ""));
      }));
      sit(players);
    };
    presets.addEventListener("change", fill);
    fill();
    const start = async (event) => {
      event.preventDefault();
      const command = { do: "new", game: entry.name, preset: presets.value, rules: rules(), seats: seated() };
      // As text, since numbers here are exact only up to 2^53.
      if (seed.value.trim()) command.seed = seed.value.trim();
      if (!(await this.send(command))) return;
      this.begin.open = false;
      this.box.scrollIntoView({ block: "nearest" });
      this.turn.scrollIntoView({ block: "nearest" });
      this.board.focus();
    };
    const form = make("form", { onsubmit: start }, field("Game", games), chosen,
      button("How it is played", () => this.#rules(entry.name)), seats,
      make("details", {}, make("summary", {}, "Options"), options), field("Seed", seed),
      make("button", { type: "submit", class: "sarai-main-button" }, "Start"));
    const hadFocus = this.begin.querySelector("select")?.matches(":focus");
    this.begin.replaceChildren(this.begin.firstChild, form);
    if (hadFocus) games.focus();
  }

  #analysis({ analysis, analysed_by: agent, moves, hint }) {
    const lines = (analysis ?? []).slice(0, 8);
    const all = (what) => lines.length && lines.every(what);
    const wordsOf = (action) => moves.find((move) => move.action === action)?.words;
    /** A column is there where it says something. */
    const columns = [
      ["move", ({ action, name }) => wordsOf(action) ?? name],
      [all(({ kind }) => kind === "exact") ? "result" : all(({ chance }) => chance === null) ? "score" : "win chance", (line) => worthOf(line)?.long ?? "–"],
      ["visits", ({ visits }) => String(visits)],
    ].slice(0, lines.some(({ visits }) => visits) ? 3 : 2);
    const rows = lines.map((line) => make("tr",
      { onmouseenter: () => this.board.mark(line.action), onmouseleave: () => this.board.mark(hint) },
      ...columns.map(([, read], i) => make(i ? "td" : "th", i ? {} : { scope: "row" }, read(line)))));
    const hinted = wordsOf(hint);
    this.found.replaceChildren(...(hinted ? [make("p", { class: "sarai-hint" }, `Hint: ${hinted}`)] : []));
    if (rows.length) {
      const heads = columns.map(([name]) => make("th", { scope: "col" }, name));
      this.found.append(make("table", {}, make("caption", {}, agent ? `What ${agent} thinks` : "Analysis"),
        make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
    }
    if (hinted && hint !== this.hinted) this.board.say(`Hint: ${hinted}`);
    this.hinted = hint;
  }

  /** Arrow keys step through the game wherever they have no other meaning. */
  #key(event) {
    const way = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    this.tool[way].click();
  }
}
