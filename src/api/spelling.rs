//! A game with its rules as one text, in OpenSpiel's form: `sho`, `sho(preset=lhasa,players=4)`.

use serde_json::{Map, Value};

use super::game::AnyGame;
use super::registry::{Entry, find};
use crate::base::{Error, shorten};

/// What a text says of a game.
#[derive(Debug)]
pub struct Spelt {
    /// The game.
    pub entry: &'static Entry,
    /// The preset, if one is named.
    pub preset: Option<String>,
    /// The options, in their order.
    pub options: Map<String, Value>,
}

/// Reads a game's name, with or without options behind it in brackets. A value is JSON, or otherwise a text as it stands;
/// what it may be is for the game to say.
///
/// # Errors
/// When there is no such game, a bracket is missing, a part is not NAME=VALUE, or a name comes twice.
///
/// ```
/// use sarai::api::spelling::read;
/// let spelt = read("shah(preset=nine_mens_morris, flying=false)")?;
/// assert_eq!((spelt.entry.name, spelt.preset.as_deref()), ("shah", Some("nine_mens_morris")));
/// assert_eq!(spelt.options["flying"], false);
/// assert!(read("shah(flying").is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn read(text: &str) -> Result<Spelt, Error> {
    let Some((name, rest)) = text.split_once('(') else {
        return Ok(Spelt { entry: find(text)?, preset: None, options: Map::new() });
    };
    let entry = find(name.trim())?;
    let wrong = |what: String| {
        let shown = shorten(text);
        Err(Error::new(format!("'{shown}' {what}: write it like GAME(preset=NAME,OPTION=VALUE)")))
    };
    let Some(inner) = rest.trim_end().strip_suffix(')') else {
        return wrong("does not end with a bracket".to_owned());
    };
    let (mut preset, mut options) = (None, Map::new());
    for part in parts(inner) {
        let Some((name, value)) = part.split_once('=') else {
            return wrong(format!("has '{}', which is not NAME=VALUE", shorten(part.trim())));
        };
        let (name, text) = (name.trim(), value.trim());
        let twice = if name == "preset" {
            preset.replace(text.to_owned()).is_some()
        } else {
            options.insert(name.to_owned(), value_of(text)).is_some()
        };
        if twice {
            return wrong(format!("has '{}' twice", shorten(name)));
        }
    }
    Ok(Spelt { entry, preset, options })
}

/// What stands between commas that are in no brackets and no quotes; nothing of an empty text.
fn parts(inner: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth, mut quoted, mut escaped) = (Vec::new(), 0, 0usize, false, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if !inner.trim().is_empty() {
        parts.push(&inner[begin..]);
    }
    parts
}

/// An option's value from a text.
fn value_of(text: &str) -> Value {
    match text {
        // Python's spelling of the two.
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}

/// The one text of a game that [`read`] reads: its name, the preset that is nearest unless that is the first, and the options
/// that differ from it.
pub fn text(game: &dyn AnyGame) -> String {
    let rules = game.rules();
    let entry = find(game.name()).expect("a game that was made is in the registry");
    let presets = entry.presets();
    let apart = |options: &Value| -> Vec<(String, Value)> {
        let rules = rules.as_object().into_iter().flatten();
        rules
            .filter(|(name, value)| options[name.as_str()] != **value)
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    let named = presets.as_object().into_iter().flatten().enumerate();
    let Some((at, name, apart)) =
        named.map(|(at, (name, options))| (at, name, apart(options))).min_by_key(|(_, _, apart)| apart.len())
    else {
        return entry.name.to_owned();
    };
    let preset = (at > 0).then(|| format!("preset={name}"));
    let options = apart.iter().map(|(name, value)| format!("{name}={}", shown(value)));
    let inner: Vec<String> = preset.into_iter().chain(options).collect();
    if inner.is_empty() { entry.name.to_owned() } else { format!("{}({})", entry.name, inner.join(",")) }
}

/// An option's value as [`value_of`] reads it: a text without quotes where it can be nothing else.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text)
            if !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte))
                && value_of(text) == *value =>
        {
            text.clone()
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> String {
        let spelt = read(text).unwrap();
        let json = Value::Object(spelt.options).to_string();
        super::text(&*spelt.entry.make(spelt.preset.as_deref(), &json).unwrap())
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in
            ["sho", "sho(preset=lhasa)", "sho(players=2)", "shah(preset=nine_mens_morris,flying=false)"]
        {
            assert_eq!(made(text), text);
        }
        assert_eq!(made("sho()"), "sho");
        assert_eq!(made("sho ( players = 2 , preset = lhasa )"), "sho(preset=lhasa,players=2)");
        assert_eq!(
            made("shah(flying=False,preset=nine_mens_morris)"),
            "shah(preset=nine_mens_morris,flying=false)"
        );
    }

    #[test]
    fn what_is_no_game_says_why() {
        for (text, word) in [
            ("chess(a=1)", "unknown game 'chess'"),
            ("sho(players=2", "does not end with a bracket"),
            ("sho(players)", "'players', which is not NAME=VALUE"),
            ("sho(players=2,players=3)", "has 'players' twice"),
            ("sho(preset=a,preset=b)", "has 'preset' twice"),
            ("sho(,)", "has '', which is not NAME=VALUE"),
        ] {
            let said = read(text).unwrap_err().to_string();
            assert!(said.contains(word), "{text}: {said}");
        }
    }

    #[test]
    fn commas_in_brackets_and_quotes_part_nothing() {
        assert_eq!(parts(r#"a=[1,2],b="x,\",y",c={"d":1,"e":2}"#).len(), 3);
        assert_eq!(shown(&Value::from("true")), "\"true\"");
        assert_eq!(shown(&Value::from("two words")), "\"two words\"");
        assert_eq!(shown(&Value::from("plain_word")), "plain_word");
    }
}
