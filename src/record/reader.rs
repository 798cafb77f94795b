//! Records from text, as the Python package reads them: every step is replayed, and the result held against the rules.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{CHANCE, Origin, Record, VERSION};
use crate::api::spelling::{self, Spelt};
use crate::base::error::{Error, did_you_mean, shorten};

/// What the lines of a header begin with.
const KEYS: [&str; 7] = ["game", "rules", "start", "seed", "number", "agents", "result"];

/// The keys of a record as JSON; "start" may be missing.
const JSON_KEYS: [&str; 10] =
    ["format", "version", "game", "rules", "seed", "number", "agents", "steps", "result", "start"];

fn wrong(sentence: impl Into<String>) -> Error {
    Error::new(sentence)
}

/// What was given in place of what is allowed.
fn not(given: &Value) -> String {
    format!(", not {}", shorten(&given.to_string()))
}

/// The record that a text is, in either form.
///
/// # Errors
/// When it is none, or the rules contradict it; with the step and, in the form for people, the line.
pub fn read(text: &str) -> Result<Record, Error> {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if text.starts_with('{') { read_json(text) } else { read_text(text) }
}

/// Refuses the format of another version.
fn check_version(version: Option<u64>, given: &str) -> Result<(), Error> {
    if version == Some(VERSION) {
        return Ok(());
    }
    Err(wrong(format!(
        "the record has format version {}, but this version of Sarai reads {VERSION}: read it with the version that \
         wrote it",
        shorten(given)
    )))
}

/// A record without steps of what its keys say; `at` adds to an error where one of them is.
fn begun<'a>(
    field: impl Fn(&str) -> &'a Value,
    start: Option<&Value>,
    at: impl Fn(&[&str], Error) -> Error,
) -> Result<Record, Error> {
    let name = field("game").as_str();
    let name = name.ok_or_else(|| at(&["game"], wrong("'game' must be a game's name")))?;
    let Spelt { entry, preset, mut options } = spelling::read(name).map_err(|error| at(&["game"], error))?;
    let rules = field("rules").as_object();
    let rules = rules.ok_or_else(|| at(&["rules"], wrong("'rules' must be an object of options")))?;
    if let Some(twice) = rules.keys().find(|&option| options.contains_key(option)) {
        return Err(at(&["rules"], wrong(format!("option '{twice}' is in 'game' already: give it once"))));
    }
    options.extend(rules.clone());
    let game = entry.make(preset.as_deref(), &Value::Object(options).to_string());
    let game = game.map_err(|error| at(&["game", "rules"], wrong(error.to_string())))?;
    let parsed = |text: &Value| {
        let text = text.as_str().ok_or_else(|| wrong("'start' must be the text of a state"))?;
        game.parse(text).map_err(|error| wrong(format!("'start' is not a state of this game: {error}")))
    };
    let start = start.map(parsed).transpose().map_err(|error| at(&["start"], error))?;
    let whole = |name: &str| match field(name) {
        Value::Null => Ok(None),
        value => value.as_u64().map(Some).ok_or_else(|| {
            let most = u64::MAX;
            at(
                &[name],
                wrong(format!("'{name}' must be a whole number from 0 to {most} or null{}", not(value))),
            )
        }),
    };
    let (seed, number) = (whole("seed")?, whole("number")?);
    let texts = |list: &Vec<Value>| list.iter().map(|label| label.as_str().map(str::to_owned)).collect();
    let agents = match field("agents") {
        Value::Null => Ok(None),
        value => value.as_array().and_then(texts).map(Some).ok_or_else(|| {
            wrong(format!("'agents' must be a list with one label per seat or null{}", not(value)))
        }),
    };
    let origin = agents.and_then(|agents| {
        let origin = Origin { seed, number, agents };
        origin.check(game.num_players()).map(|()| origin)
    });
    Ok(Record::new(game, start, origin.map_err(|error| at(&["agents"], error))?))
}

/// Holds the result that was written against that of the replay.
fn check_result(record: &Record, told: &Value) -> Result<(), Error> {
    let found = record.result();
    let alike = match (&found, told) {
        (None, Value::Null) => true,
        (Some(found), Value::Object(told)) => {
            let scores =
                |value: &Value| -> Option<Vec<f64>> { value.as_array()?.iter().map(Value::as_f64).collect() };
            let winner = told.get("winner").map(|winner| winner.as_i64().or(winner.is_null().then_some(-1)));
            told.len() == 2
                && winner == Some(found["winner"].as_i64())
                && told.get("returns").and_then(scores) == scores(&found["returns"])
        }
        _ => false,
    };
    if alike {
        return Ok(());
    }
    let given = if told.is_null() { "that it is unfinished".into() } else { shorten(&told.to_string()) };
    let found = found.map_or("unfinished".into(), |found| found.to_string());
    let steps = record.steps.len();
    Err(wrong(format!("the result says {given}, but after {steps} steps the game is {found}")))
}

fn read_json(text: &str) -> Result<Record, Error> {
    let data: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| wrong(format!("this is not valid JSON of a record: {error}")))?;
    if data.get("format").and_then(Value::as_str) != Some("sarai.record") {
        return Err(wrong(
            "this JSON is not a record: it is not an object with \"format\": \"sarai.record\"",
        ));
    }
    let version = data.get("version").unwrap_or(&Value::Null);
    check_version(version.as_u64(), &version.to_string())?;
    if let Some(key) = data.keys().find(|key| !JSON_KEYS.contains(&key.as_str())) {
        let hint = did_you_mean(key, JSON_KEYS);
        let keys = JSON_KEYS.join(", ");
        return Err(wrong(format!("a record has no key '{}'{hint}; its keys are {keys}", shorten(key))));
    }
    if let Some(key) = JSON_KEYS.iter().find(|&&key| key != "start" && !data.contains_key(key)) {
        return Err(wrong(format!(
            "the record has no '{key}': it is truncated, or was not written by Sarai"
        )));
    }
    let mut record = begun(|name| &data[name], data.get("start"), |_, error| error)?;
    let steps = data["steps"].as_array().ok_or_else(|| wrong("'steps' must be a list"))?;
    for (index, told) in steps.iter().enumerate() {
        let id = match told.as_array().map(Vec::as_slice) {
            Some([player, id, name]) if player.is_i64() && name.is_string() => id.as_i64(),
            _ => None,
        };
        let id = id.ok_or_else(|| wrong(format!("step {index} must be [player, id, name]{}", not(told))))?;
        let real = record.take(id).map_err(|error| wrong(format!("step {index}: {error}")))?;
        let real = serde_json::json!([real.player, real.id, real.name]);
        if real != *told {
            let told = shorten(&told.to_string());
            return Err(wrong(format!(
                "step {index}: the record says {told}, but by the rules it is {real}"
            )));
        }
    }
    check_result(&record, &data["result"])?;
    Ok(record)
}

/// A line with its number, the first being 1.
type Numbered<'a> = (usize, &'a str);

fn read_text(text: &str) -> Result<Record, Error> {
    // A line that begins with "#" is a remark.
    let lines = text.split('\n').enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.starts_with('#'));
    let title = lines.find(|(_, line)| !line.is_empty()).map_or("", |(_, line)| line);
    let version = title.strip_prefix("sarai record ").and_then(|digits| number(digits, 9));
    let Some(version) = version else {
        return Err(wrong(format!(
            "this is not a record: its first line is '{}', not 'sarai record {VERSION}'",
            shorten(title)
        )));
    };
    check_version(Some(version), &version.to_string())?;
    let header = header(&mut lines)?;
    let field = |name: &str| header.get(name).map_or(&Value::Null, |(_, value)| value);
    let at = |names: &[&str], error: Error| {
        let lines = names.iter().filter_map(|name| header.get(*name)).map(|(at, _)| *at);
        wrong(format!("line {}: {error}", lines.max().unwrap_or(1)))
    };
    let mut record = begun(field, header.get("start").map(|(_, value)| value), at)?;
    let mut turn = 0;
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        turn += 1;
        let step = record.steps.len();
        take_line(&mut record, line, turn).map_err(|error| {
            let step = record.steps.len().max(step);
            wrong(format!("line {number}, step {step}: {error}"))
        })?;
    }
    check_result(&record, field("result")).map_err(|error| at(&["result"], error))?;
    Ok(record)
}

/// The values by their names, each with the number of its line; up to the first empty line.
fn header<'a>(
    lines: &mut impl Iterator<Item = Numbered<'a>>,
) -> Result<BTreeMap<&'static str, (usize, Value)>, Error> {
    let mut found = BTreeMap::new();
    for (at, line) in lines.take_while(|(_, line)| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let Some(key) = KEYS.into_iter().find(|key| *key == name && line.contains(':')) else {
            return Err(wrong(format!(
                "line {at}: '{}' is not a line of the header{}; its lines begin with {}:, and an empty line ends it",
                shorten(line),
                did_you_mean(name, KEYS),
                KEYS.join(":, ")
            )));
        };
        let value = match (key, value.trim()) {
            ("game" | "start", text) => Value::String(text.to_owned()),
            ("result", "unfinished") => Value::Null,
            (_, json) => serde_json::from_str(json)
                .map_err(|error| wrong(format!("line {at}: this is not valid JSON of {key}: {error}")))?,
        };
        if let Some((before, _)) = found.insert(key, (at, value)) {
            return Err(wrong(format!("line {at}: '{key}' is already in line {before}")));
        }
    }
    for key in ["game", "result"] {
        if !found.contains_key(key) {
            return Err(wrong(format!("the record's header has no '{key}:' line")));
        }
    }
    let game = found["game"].0;
    found.entry("rules").or_insert_with(|| (game, Value::Object(Map::new())));
    Ok(found)
}

/// Digits, at most so many.
fn number(digits: &str, most: usize) -> Option<u64> {
    let plain =
        !digits.is_empty() && digits.len() <= most && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// Takes all steps of a numbered line.
fn take_line(record: &mut Record, line: &str, turn: u64) -> Result<(), Error> {
    let Some((given, outcome, actions)) = parts(line) else {
        return Err(wrong(format!(
            "'{}' is not of the form '{turn}. [outcome] player: action, action', where the outcome or the actions may \
             be missing",
            shorten(line)
        )));
    };
    if given != turn {
        return Err(wrong(format!("this line has the number {given}, but {turn} is next")));
    }
    if let Some(name) = outcome {
        if record.to_act() != Some(CHANCE) {
            let due = due(record);
            return Err(wrong(format!(
                "the outcome [{}] stands where no chance is due, but {due}",
                shorten(name)
            )));
        }
        #[cfg(not(target_family = "wasm"))]
        let id = super::notation::outcome(&*record.position, name).map_or_else(|| record.named(name), Ok)?;
        #[cfg(target_family = "wasm")]
        let id = record.named(name)?;
        record.take(id)?;
    }
    let Some((seat, names)) = actions else { return Ok(()) };
    for name in names.split(", ") {
        if record.to_act() != i64::try_from(seat).ok() {
            let due = due(record);
            return Err(wrong(format!("player {seat} is to play '{}', but {due}", shorten(name))));
        }
        #[cfg(not(target_family = "wasm"))]
        for id in super::notation::actions(&*record.position, name)? {
            record.take(id)?;
        }
        #[cfg(target_family = "wasm")]
        {
            let id = record.named(name)?;
            record.take(id)?;
        }
    }
    Ok(())
}

/// A line's number, its outcome, and a seat with what it played.
type Parts<'a> = (u64, Option<&'a str>, Option<(u64, &'a str)>);

fn parts(line: &str) -> Option<Parts<'_>> {
    let (digits, mut rest) = line.split_once('.')?;
    let turn = number(digits, 9)?;
    let mut outcome = None;
    if let Some(inside) = rest.strip_prefix(" [") {
        let (name, after) = inside.split_once(']')?;
        (outcome, rest) = (Some(name).filter(|name| !name.is_empty()), after);
        outcome?;
    }
    let mut actions = None;
    if !rest.is_empty() {
        let (seat, names) = rest.strip_prefix(' ')?.split_once(": ")?;
        actions = Some((number(seat, 2)?, names));
    }
    (outcome.is_some() || actions.is_some()).then_some((turn, outcome, actions))
}

fn due(record: &Record) -> String {
    match record.to_act() {
        None => "the game is over".into(),
        Some(CHANCE) => "a chance outcome is due".into(),
        Some(seat) => format!("it is player {seat}'s turn"),
    }
}
