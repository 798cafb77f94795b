// Positions that are set up by clicks, on a table whose host knows the command "draft".
import { button, capital, choice, field, make } from "./board.js";

/** Offer it on a table. */
export function edit(table) {
  table.editor.replaceChildren(button("Edit the board", () => begin(table)));
}

/** Set up a position by clicks: the engine draws each change, or says why it cannot be. */
async function begin(table) {
  const news = make("p", { role: "status" });
  let draft = null;
  let colour = 0;
  const given = {};
  const end = () => {
    table.board.onedit = null;
    table.board.show(table.shown);
    edit(table);
    table.editor.firstChild.focus();
  };
  const change = async (pieces) => {
    const told = await table.host.send({ do: "draft", pieces, given }).catch(({ message }) => ({ error: message }));
    if (told.error) return void (news.textContent = `${capital(told.error)}.`);
    draft = told;
    table.board.show({ ...table.shown, ...told, svg: told.picture, mine: false, moves: [], hint: null });
    play.setAttribute("aria-disabled", String(!told.position));
    news.textContent = told.refused ? `Not a position yet: ${told.refused}.` : "This position can be played.";
    return true;
  };
  const put = async (place) => {
    const here = draft.pieces.filter((piece) => piece[0] === place);
    const others = draft.pieces.filter((piece) => !here.includes(piece));
    const less = ([, own, count]) => (count > 1 ? [[place, own, count - 1]] : []);
    if (colour < 0) return here.length && change([...others, ...here.slice(1), ...less(here[0])]);
    const own = here.find((piece) => piece[1] === colour);
    const more = [place, colour, 1 + (own?.[2] ?? 0)];
    // Where only one piece can be, it takes the place of another.
    const done = await change([...others, ...here.filter((piece) => piece !== own), more]);
    if (!done && here.length && !own) change([...others, more]);
  };
  await table.send({ do: "stop" });
  const play = button("Play from here", async () => {
    if (!draft?.position) return;
    const { position } = draft;
    end();
    await table.send({ do: "position", text: position });
  }, { class: "sarai-main-button" });
  table.board.onedit = put;
  if (!(await change())) return end();
  const kinds = [...draft.colours.map((name, i) => [capital(name), i]), ["Remove", -1]].map(([name, i]) => {
    const each = button(name, () => {
      colour = i;
      kinds.forEach((other) => other.setAttribute("aria-pressed", String(other === each)));
    }, { "aria-pressed": String(i === 0) });
    return each;
  });
  const asked = draft.keywords.map(({ name, takes: kind }) => {
    const control = name === "player" ? choice([["", "by the rules"], ...table.shown.players.map((each, seat) => [String(seat), each])])
      : make("input", { type: kind === "flag" ? "checkbox" : "text", inputmode: kind === "text" ? "text" : "numeric" });
    const numbers = () => (control.value.match(/\d+/g) ?? []).map(Number);
    control.addEventListener("change", () => {
      const read = { flag: () => control.checked, text: () => control.value.trim(), number: () => numbers()[0], numbers };
      given[name] = read[kind]();
      if (!control.value || (kind === "flag" && !control.checked)) delete given[name];
      change(draft.pieces);
    });
    return field(name === "player" ? "Whose turn" : capital(name.replaceAll("_", " ")), control);
  });
  const main = asked.filter((each) => /^(Whose|Dice)/.test(each.textContent));
  table.editor.replaceChildren(
    make("p", {}, "Choose a colour, then click where its pieces are."),
    make("div", { class: "sarai-tools" }, ...kinds, button("Empty the board", () => change([]))),
    ...main, make("details", {}, make("summary", {}, "More"), ...asked.filter((each) => !main.includes(each))), news,
    make("div", { class: "sarai-tools" }, play, button("Cancel", end)));
  kinds[0].focus();
}
