// The commands of a board and what each takes, as python/sarai/web/commands.py has them.

/** A command that cannot be carried out, and why; nothing has changed. */
export class Refused extends Error {
  name = "Refused";
}

const LONGEST_TEXT = 2 ** 20;
const LONGEST_NAME = 200;

const short = (value) => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
};

const isText = (longest) => (value) => typeof value === "string" && value.length <= longest;
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isSeed = (value) => isWhole(value) || (typeof value === "string" && /^[0-9]{1,20}$/.test(value));
const isNames = (value) => Array.isArray(value) && value.length <= 8 && value.every(isText(LONGEST_NAME));
const isOptions = (value) => typeof value === "object" && !Array.isArray(value) && Object.keys(value).length <= 100;

const field = (fits, takes, needed = true) => ({ fits, takes, needed });
const maybe = ({ fits, takes }) => field(fits, takes, false);
const name = field(isText(LONGEST_NAME), `text of at most ${LONGEST_NAME} characters`);
const step = field(isWhole, "a whole number from 0");
const text = field(isText(LONGEST_TEXT), `text of at most ${LONGEST_TEXT.toLocaleString("en")} characters`);
const book = { game: name, preset: maybe(name), rules: field(isOptions, "an object of options", false) };
const oneOf = (...values) => field((value) => values.includes(value), values.map((value) => `"${value}"`).join(" or "));

const COMMANDS = {
  new: {
    ...book,
    seats: field(isNames, "a list of names, one for each seat", false),
    seed: field(isSeed, "a whole number from 0 to 18446744073709551615", false),
  },
  play: { action: step, seat: maybe(step), at: maybe(step) },
  undo: {},
  hint: {},
  analyse: { agent: maybe(name) },
  go: { to: step },
  branch: {},
  load: { record: text },
  position: { text },
  save: { format: maybe(oneOf("json", "text")) },
  theme: { theme: oneOf("light", "dark") },
  stop: {},
  catalogue: {},
  check: book,
};

/**
 * The name of a command, and its fields; one that is null counts as not given.
 * @throws {Refused} it is no command, or a field is missing, unknown or does not fit
 */
export function read(command) {
  if (typeof command !== "object" || command === null) {
    throw new Refused(`a command is an object with its name as "do", not ${short(command)}`);
  }
  const { do: verb, ...rest } = command;
  if (typeof verb !== "string" || !Object.hasOwn(COMMANDS, verb)) {
    throw new Refused(`there is no command ${short(verb)}; there are ${Object.keys(COMMANDS).join(", ")}`);
  }
  const takes = COMMANDS[verb];
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(takes, key)) {
      const all = Object.keys(takes).join(", ");
      throw new Refused(`the command "${verb}" has no ${short(key)}; it takes ${all || "nothing else"}`);
    }
    if (!takes[key].fits(value)) {
      throw new Refused(`the command "${verb}" takes ${takes[key].takes} as "${key}", not ${short(value)}`);
    }
  }
  for (const [key, { needed, takes: what }] of Object.entries(takes)) {
    if (needed && !Object.hasOwn(given, key)) throw new Refused(`the command "${verb}" needs ${what} as "${key}"`);
  }
  return { verb, fields: given };
}
