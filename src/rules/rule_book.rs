//! Rule books made of options as users give them: keyword arguments, dicts and JSON, checked against what each takes.

use serde_json::{Map, Value};

use super::game::Game;
use super::options::Takes;
use super::player::FirstPlayer;
use crate::base::error::{Error, did_you_mean, shorten};

/// The longest JSON text of options that is read, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// The game whose options are those of a preset (the default one where `None`) with the options of a JSON object on top.
///
/// # Errors
/// Names the preset or option, what it got and what it takes; or says which options contradict each other.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::Game;
/// use sarai::rules::rule_book;
/// let game: Sho = rule_book::game_from_json(Some("lhasa"), r#"{"players": 2}"#)?;
/// assert_eq!(game.num_players(), 2);
/// let error = rule_book::game_from_json::<Sho>(None, r#"{"players": 5}"#).unwrap_err();
/// assert_eq!(error.to_string(), "option 'players' got 5; it takes an integer from 2 to 4");
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn game_from_json<G: Game>(preset: Option<&str>, json: &str) -> Result<G, Error> {
    let given = object_from_json(json)?;
    for (name, value) in &given {
        let option = G::OPTIONS.iter().find(|option| option.name == name);
        let known = || G::OPTIONS.iter().map(|option| option.name).collect();
        option.ok_or_else(|| unknown::<G>("option", name, "takes", known()))?.check(value)?;
    }
    let base = match preset {
        None => G::Rules::default(),
        Some(name) => {
            let preset = G::PRESETS.iter().find(|preset| preset.name == name);
            let known = || G::PRESETS.iter().map(|preset| preset.name).collect();
            (preset.ok_or_else(|| unknown::<G>("preset", name, "has", known()))?.rules)()
        }
    };
    let mut merged = serde_json::to_value(base).expect("rules are plain data");
    let fields = merged.as_object_mut().expect("rules are a struct with named fields");
    fields.extend(given);
    from_value(merged)
}

/// The same rule book begun by each of these in turn; `None` where the rules have no option for who begins.
///
/// # Errors
/// When the rules refuse one of them.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::rules::rule_book;
/// use sarai::{FirstPlayer, Game, Player};
/// let game = Sho::new(Default::default())?;
/// let books = rule_book::begun_by_each(&game, [FirstPlayer::Seat(Player(2))])?.expect("sho has the option");
/// assert_eq!(books[0].rules().first_player, FirstPlayer::Seat(Player(2)));
/// assert!(rule_book::begun_by_each(&game, [FirstPlayer::Seat(Player(3))]).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn begun_by_each<G: Game>(
    game: &G,
    who: impl IntoIterator<Item = FirstPlayer>,
) -> Result<Option<Vec<G>>, Error> {
    let Some(option) = G::OPTIONS.iter().find(|option| option.takes == Takes::FirstPlayer) else {
        return Ok(None);
    };
    let mut rules = serde_json::to_value(game.rules()).expect("rules are plain data");
    let begun_by = |first: FirstPlayer| {
        rules[option.name] = serde_json::to_value(first).expect("a seat is plain data");
        from_value::<G>(rules.clone())
    };
    who.into_iter().map(begun_by).collect::<Result<_, _>>().map(Some)
}

fn unknown<G: Game>(what: &str, name: &str, has: &str, known: Vec<&str>) -> Error {
    let (given, hint) = (shorten(name), did_you_mean(name, known.iter().copied()));
    Error::rules(format!("unknown {what} '{given}'{hint}; {} {has} {}", G::NAME, known.join(", ")))
}

fn from_value<G: Game>(rules: Value) -> Result<G, Error> {
    let rules = serde_json::from_value(rules)
        .map_err(|error| Error::rules(format!("the options of {}: {error}", G::NAME)))?;
    G::new(rules)
}

fn object_from_json(json: &str) -> Result<Map<String, Value>, Error> {
    if json.len() > MAX_TEXT {
        return Err(Error::rules(format!(
            "the options are {} bytes long; at most {MAX_TEXT} bytes are read",
            json.len()
        )));
    }
    match serde_json::from_str(json) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(Error::rules(format!(
            "options must be a JSON object such as {{\"players\": 2}}, not {}",
            shorten(&other.to_string())
        ))),
        Err(error) => Err(Error::rules(format!("the options are not valid JSON: {error}"))),
    }
}

/// The options of a rule book as a JSON object.
pub(crate) fn to_value<G: Game>(rules: &G::Rules) -> Value {
    serde_json::to_value(rules).expect("rules are plain data")
}
