//! Options, presets and the bounds of a game.

use super::*;
use crate::rules::rule_book::game_from_json;

#[test]
fn presets_differ_from_the_default_as_the_rule_book_says() {
    let due = [
        ("shuanglu", Rules::default()),
        ("backgammon", Rules { doubles: 4, bear_off: BearOff::Overshoot, ..Rules::default() }),
        ("catalogue", Rules { setup: Setup::FromOrigin, ..Rules::default() }),
    ];
    let names: Vec<&str> = Shuanglu::PRESETS.iter().map(|preset| preset.name).collect();
    assert_eq!(names, due.each_ref().map(|(name, _)| *name));
    for (name, rules) in due {
        let game: Shuanglu = game_from_json(Some(name), "{}").expect("a preset is valid");
        assert_eq!(game.rules(), &rules, "{name}");
    }
}

#[test]
fn defaults_are_those_of_the_rule_book() {
    let json = serde_json::to_string(&Rules::default()).expect("rules are plain data");
    assert_eq!(
        json,
        concat!(
            r#"{"setup":"english","doubles":2,"bear_off":"exact","larger_die":true,"#,
            r#""scoring":"single","max_turns":2000}"#
        )
    );
    let names: Vec<&str> = Shuanglu::OPTIONS.iter().map(|option| option.name).collect();
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).expect("an object");
    assert_eq!(names, fields.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn every_value_is_taken_and_no_other() {
    let cases = [
        (r#"{"setup": "english"}"#, None),
        (r#"{"setup": "from_origin"}"#, None),
        (r#"{"setup": "origin"}"#, Some(r#"'setup' got "origin"; it takes "english" or "from_origin""#)),
        (r#"{"doubles": 2}"#, None),
        (r#"{"doubles": 4}"#, None),
        (r#"{"doubles": 3}"#, Some("'doubles' got 3; it takes 2 or 4")),
        (r#"{"bear_off": "exact"}"#, None),
        (r#"{"bear_off": "overshoot"}"#, None),
        (r#"{"bear_off": 1}"#, Some(r#"'bear_off' got 1; it takes "exact" or "overshoot""#)),
        (r#"{"larger_die": false}"#, None),
        (r#"{"larger_die": 0}"#, Some("'larger_die' got 0; it takes true or false")),
        (r#"{"scoring": "gammon"}"#, None),
        (r#"{"scoring": "single"}"#, None),
        (r#"{"scoring": "double"}"#, Some(r#"'scoring' got "double"; it takes "single" or "gammon""#)),
        (r#"{"max_turns": 1}"#, None),
        (r#"{"max_turns": 65535}"#, None),
        (r#"{"max_turns": 0}"#, Some("'max_turns' got 0; it takes an integer from 1 to 65535")),
        (r#"{"max_turns": 65536}"#, Some("'max_turns' got 65536; it takes an integer from 1 to 65535")),
        (r#"{"first_player": 0}"#, Some("unknown option 'first_player'")),
    ];
    for (json, due) in cases {
        match (game_from_json::<Shuanglu>(None, json), due) {
            (Ok(_), None) => {}
            (Err(error), Some(due)) => assert!(error.to_string().contains(due), "{json}: {error}"),
            (Ok(_), Some(_)) => panic!("{json} is taken"),
            (Err(error), None) => panic!("{json}: {error}"),
        }
    }
    let error = |rules: Rules| Shuanglu::new(rules).expect_err("out of range").to_string();
    assert_eq!(error(Rules { doubles: 3, ..Rules::default() }), "option 'doubles' got 3; it takes 2 or 4");
    assert_eq!(
        error(Rules { max_turns: 0, ..Rules::default() }),
        "option 'max_turns' got 0; it takes an integer from 1 to 65535"
    );
}

#[test]
fn max_turns_ends_the_game_as_a_draw() {
    let mut t = Table::start(Rules { max_turns: 2, ..Rules::default() });
    t.open(6, 5).play("24/18").play("18/13").roll(2, 1).play("13/11").play("11/10");
    assert_eq!((t.phase(), t.state.turn, t.game.winner(&t.state)), (Phase::Over, 2, None));
    assert_eq!(t.game.returns(&t.state).as_slice(), [0.0, 0.0]);
    // A turn in which nothing can be moved counts.
    let t = thrown(Rules { max_turns: 2, ..Rules::default() }, "bar1 1:14 | 6:8 5:7", 6, 5);
    assert_eq!((t.phase(), t.game.turns_passed(&t.state)), (Phase::Over, 2));
    // The last turn is played to its end, and a win in it counts.
    let mut t = thrown(Rules { max_turns: 2, ..Rules::default() }, "5:1 2:1 off13 | 6:15", 5, 2);
    t.play("2/off").play("5/off");
    assert_eq!((t.phase(), t.state.turn), (Phase::Over, 1));
    assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0]);
}
