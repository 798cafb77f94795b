//! Texts and dicts from anywhere: whatever is read is a position that can be played to its end, the rest is an error.

use sarai::base::error::Error;
use std::sync::OnceLock;

use crate::common::{Case, MAX_STEPS, pick, preset_cases};
use proptest::prelude::*;
use proptest::sample::Index;
use sarai::agents::rng::Stream;
use sarai::play::position::{AnyPosition, MAX_STATE_TEXT};
use sarai::{Player, Turn};
use serde_json::Value;

/// A rule book with positions to start from.
type Book = (Case, Vec<Box<dyn AnyPosition>>);

/// The rule books, each with positions from all stages of some games.
fn positions() -> &'static [Book] {
    static POSITIONS: OnceLock<Vec<Book>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        preset_cases()
            .into_iter()
            .map(|case| {
                let mut met = Vec::new();
                for seed in 0..3 {
                    let mut rng = Stream::new(seed, 1);
                    let mut position = case.game.new_position();
                    met.push(position.boxed());
                    while let Some(id) = pick(&*position, &mut rng) {
                        position.play_any(id).expect("what was picked is legal");
                        if rng.below(8) == 0 || position.turn() == Turn::Over {
                            met.push(position.boxed());
                        }
                    }
                }
                (case, met)
            })
            .collect()
    })
}

/// What was read is a whole position: it holds, shows, is written, and is played to its end.
fn check_read(case: &Case, read: Result<Box<dyn AnyPosition>, Error>) -> Result<bool, TestCaseError> {
    let mut position = match read {
        Ok(position) => position,
        Err(error) => {
            prop_assert!(!error.to_string().is_empty());
            prop_assert!(error.to_string().len() < 2000, "an error is a sentence: {error}");
            return Ok(false);
        }
    };
    prop_assert_eq!(position.check(), Ok(()));
    for again in [case.game.parse(&position.text()), case.game.parse_json(&position.to_json())] {
        prop_assert!(again.expect("its own form").same(&*position));
    }
    let mut rng = Stream::new(9, 9);
    let mut cells = vec![0; case.game.observation_len()];
    for step in 0.. {
        prop_assert!(step < MAX_STEPS, "the game does not end");
        prop_assert_eq!(position.check(), Ok(()), "{} after {} steps", position.text(), step);
        if step < 100 {
            position.observe(Player(0), &mut cells);
            for part in case.game.observation() {
                let inside =
                    cells[part.start..][..part.len].iter().all(|c| (part.low..=part.high).contains(c));
                prop_assert!(inside, "{}: {:?}", part.name, &cells[part.start..][..part.len]);
            }
        }
        let Some(id) = pick(&*position, &mut rng) else { break };
        prop_assert!(position.play_any(id).is_ok());
    }
    Ok(true)
}

/// Changes one value somewhere in a JSON tree, or takes it out, or writes a key more.
fn mutate(value: &mut Value, path: &[Index], with: &Value, how: u8) {
    let Some((first, rest)) = path.split_first() else {
        *value = with.clone();
        return;
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(first.index(map.len())).expect("below the length").clone();
            match (rest.is_empty(), how) {
                (true, 0) => drop(map.remove(&key)),
                (true, 1) => drop(map.insert(format!("{}", first.index(70)), with.clone())),
                _ => mutate(map.get_mut(&key).expect("it is there"), rest, with, how),
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let at = first.index(list.len());
            match (rest.is_empty(), how) {
                (true, 0) => drop(list.remove(at)),
                (true, 1) => list.insert(at, with.clone()),
                _ => mutate(&mut list[at], rest, with, how),
            }
        }
        Value::Number(number) if how < 6 => {
            // One more or one less is what comes closest to a position.
            let near = number.as_i64().unwrap_or(0) + if how.is_multiple_of(2) { 1 } else { -1 };
            *value = near.into();
        }
        other => *other = with.clone(),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..70).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z0-9]{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_position_or_an_error(text in ".{0,200}") {
        for (case, _) in positions() {
            check_read(case, case.game.parse(&text))?;
            check_read(case, case.game.parse_json(&text))?;
        }
    }

    #[test]
    fn any_json_is_a_position_or_an_error(value in any_value()) {
        for (case, _) in positions() {
            check_read(case, case.game.parse_json(&value.to_string()))?;
        }
    }

    #[test]
    fn a_changed_text_is_a_position_or_an_error(
        book: Index, which: Index, changes in prop::collection::vec((any::<Index>(), 0u8..5, "[0-9a-z=:|, -]{1,3}"), 1..5)
    ) {
        let (case, met) = book.get(positions());
        let mut text: Vec<char> = which.get(met).text().chars().collect();
        for (at, how, with) in &changes {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match how {
                0 => drop(text.remove(at)),
                1 => text.truncate(at),
                2 => text.splice(at..at, with.chars()).for_each(drop),
                // A digit for a digit is what most often reads as another position.
                _ if text[at].is_ascii_digit() => text[at] = char::from(b'0' + (at % 10) as u8),
                _ => text[at] = with.chars().next().expect("one character at least"),
            }
        }
        check_read(case, case.game.parse(&text.iter().collect::<String>()))?;
    }

    #[test]
    fn a_changed_dict_is_a_position_or_an_error(
        book: Index,
        which: Index,
        changes in prop::collection::vec(
            (prop::collection::vec(any::<Index>(), 0..5), any_value(), 0u8..10), 1..4
        ),
    ) {
        let (case, met) = book.get(positions());
        let mut value: Value = serde_json::from_str(&which.get(met).to_json()).expect("a dict is JSON");
        for (path, with, how) in &changes {
            mutate(&mut value, path, with, *how);
        }
        check_read(case, case.game.parse_json(&value.to_string()))?;
    }
}

#[test]
fn changes_reach_positions_that_are_read_and_some_that_are_not() {
    // The properties above would hold of a reader that refuses everything, or of changes that change nothing.
    for (case, met) in positions() {
        let (mut read, mut refused) = (0, 0);
        for position in met.iter().take(40) {
            let json: Value = serde_json::from_str(&position.to_json()).expect("a dict is JSON");
            for key in json.as_object().expect("an object").keys() {
                for step in [-1, 1] {
                    let mut changed = json.clone();
                    let Some(number) = changed[key].as_i64() else { continue };
                    changed[key] = (number + step).into();
                    match check_read(case, case.game.parse_json(&changed.to_string())) {
                        Ok(true) => read += 1,
                        Ok(false) => refused += 1,
                        Err(error) => panic!("{}: {changed}: {error}", case.label),
                    }
                }
                let mut missing = json.clone();
                missing.as_object_mut().expect("an object").remove(key);
                assert!(case.game.parse_json(&missing.to_string()).is_err(), "{}: without {key}", case.label);
            }
        }
        assert!(read > 0 && refused > 0, "{}: {read} read, {refused} refused", case.label);
    }
}

#[test]
fn texts_that_are_huge_or_go_on_are_refused() {
    for (case, met) in positions() {
        let position = &met[0];
        for huge in ["[".repeat(10_000_000), "{\"a\":".repeat(10_000), " ".repeat(MAX_STATE_TEXT + 1)] {
            assert!(case.game.parse_json(&huge).is_err() && case.game.parse(&huge).is_err());
        }
        for more in ["{}", "x", "]"] {
            assert!(case.game.parse_json(&format!("{} {more}", position.to_json())).is_err(), "{more}");
            assert!(case.game.parse(&format!("{} {more}", position.text())).is_err(), "{more}");
        }
        for empty in ["", " ", "null", "[]", "{}", "0", "\"start\"", "\0"] {
            assert!(case.game.parse_json(empty).is_err() && case.game.parse(empty).is_err(), "{empty:?}");
        }
    }
}
