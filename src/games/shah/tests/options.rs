//! Options and presets.

use super::*;
use crate::agents::playout::random_playout;
use crate::agents::rng::Stream;
use crate::rules::rule_book::game_from_json;

#[test]
fn presets_differ_from_the_default_as_the_rule_book_says() {
    let due = [
        ("shah", Rules::default()),
        (
            "nine_mens_morris",
            Rules {
                pieces: 9,
                placement_captures: true,
                begin: Begin::FirstPlayer,
                opening_removals: OpeningRemovals::None,
                mill_protection: MillProtection::UnlessAllInMills,
                flying: true,
                blocked: Blocked::Loses,
                no_capture_limit: 0,
                first_player: FirstPlayer::Seat(Player(0)),
                max_turns: 200,
            },
        ),
    ];
    let names: Vec<&str> = Shah::PRESETS.iter().map(|preset| preset.name).collect();
    assert_eq!(names, due.each_ref().map(|(name, _)| *name));
    for (name, rules) in due {
        let game: Shah = game_from_json(Some(name), "{}").expect("a preset is valid");
        assert_eq!(game.rules(), &rules, "{name}");
    }
}

#[test]
fn defaults_are_those_of_the_rule_book() {
    let json = serde_json::to_string(&Rules::default()).expect("rules are plain data");
    assert_eq!(
        json,
        concat!(
            r#"{"pieces":12,"placement_captures":false,"begin":"first_mill","opening_removals":"both","#,
            r#""mill_protection":"none","flying":false,"blocked":"opponent_opens","no_capture_limit":200,"#,
            r#""first_player":0,"max_turns":1000}"#
        )
    );
    let names: Vec<&str> = Shah::OPTIONS.iter().map(|option| option.name).collect();
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).expect("an object");
    assert_eq!(names, fields.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn both_ends_of_every_range_are_taken_and_no_more() {
    for (name, min, max) in [("pieces", 3, 12), ("no_capture_limit", 0, 65535), ("max_turns", 1, 65535)] {
        for (value, taken) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
            let json = format!(r#"{{"opening_removals": "none", "{name}": {value}}}"#);
            match game_from_json::<Shah>(None, &json) {
                Ok(_) => assert!(taken, "{name}={value} is taken"),
                Err(error) => assert_eq!(
                    (taken, error.to_string()),
                    (false, format!("option '{name}' got {value}; it takes an integer from {min} to {max}"))
                ),
            }
        }
    }
}

#[test]
fn every_word_is_taken_and_played() {
    let cases = [
        (r#"{"begin": "first_player"}"#, Rules { begin: Begin::FirstPlayer, ..Rules::default() }),
        (
            r#"{"opening_removals": "none"}"#,
            Rules { opening_removals: OpeningRemovals::None, ..Rules::default() },
        ),
        (
            r#"{"mill_protection": "unless_all_in_mills"}"#,
            Rules { mill_protection: MillProtection::UnlessAllInMills, ..Rules::default() },
        ),
        (r#"{"blocked": "loses"}"#, Rules { blocked: Blocked::Loses, ..Rules::default() }),
        (r#"{"flying": true}"#, Rules { flying: true, ..Rules::default() }),
        (
            r#"{"opening_removals": "none", "placement_captures": true}"#,
            Rules { placement_captures: true, ..plain(12) },
        ),
        (r#"{"first_player": "random"}"#, Rules { first_player: FirstPlayer::Random, ..Rules::default() }),
    ];
    for (json, rules) in cases {
        let game: Shah = game_from_json(None, json).expect(json);
        assert_eq!(game.rules(), &rules);
        let mut state = game.initial_state();
        random_playout(&game, &mut state, &mut Stream::new(1, 0));
        assert_eq!((game.turn(&state), game.check(&state)), (Turn::Over, Ok(())), "{json}");
    }
}

#[test]
fn bad_options_are_named() {
    let cases = [
        (r#"{"stones": 3}"#, "unknown option 'stones'"),
        (r#"{"flying": 1}"#, "option 'flying' got 1; it takes true or false"),
        (r#"{"begin": "last"}"#, r#"option 'begin' got "last"; it takes "first_mill" or "first_player""#),
        (r#"{"blocked": "draws"}"#, r#"option 'blocked' got "draws"; it takes "opponent_opens" or "loses""#),
        (r#"{"first_player": 2}"#, r#"option 'first_player' got 2; it takes 0, 1 or "random""#),
        (r#"{"pieces": 9}"#, r#"option 'opening_removals' = "both" needs pieces=12"#),
        (r#"{"placement_captures": true}"#, r#"option 'opening_removals' = "both" needs pieces=12"#),
    ];
    for (json, due) in cases {
        let error = game_from_json::<Shah>(None, json).expect_err(json).to_string();
        assert!(error.starts_with(due), "{json}: {error}");
    }
    // Rules made without JSON are looked at too.
    for rules in [plain(2), plain(13), Rules { max_turns: 0, ..Rules::default() }] {
        assert!(Shah::new(rules.clone()).is_err(), "{rules:?}");
    }
}

#[test]
fn first_player_is_a_seat_or_drawn() {
    for begin in [Begin::FirstMill, Begin::FirstPlayer] {
        for seat in 0..2 {
            let beginner = if begin == Begin::FirstPlayer { seat } else { State::NOBODY };
            let rules = Rules { begin, ..Rules::default() };
            let fixed = Rules { first_player: FirstPlayer::Seat(Player(seat)), ..rules.clone() };
            let t = Table::start(fixed);
            t.stands(Phase::Place, seat, 0);
            assert_eq!(t.state.beginner, beginner);
            let mut t = Table::start(Rules { first_player: FirstPlayer::Random, ..rules });
            t.stands(Phase::First, 0, 0);
            assert_eq!(t.state.beginner, State::NOBODY);
            assert_eq!(t.game.chance(&t.state).weights(), [1, 1]);
            assert_eq!(t.game.outcome_name(&t.state, Outcome(seat)), format!("player {seat} begins"));
            t.resolve(seat as usize).stands(Phase::Place, seat, 0);
            assert_eq!(t.state.beginner, beginner);
        }
    }
}

#[test]
fn max_turns_ends_the_game_as_a_draw_while_placing() {
    for max_turns in 1..=3 {
        let mut t = Table::start(Rules { max_turns, ..Rules::default() });
        t.plays(&["a7", "d7", "g7"][..max_turns as usize].join(" ")).ends(None, max_turns);
        assert_eq!(t.state.hand.iter().sum::<u8>() as u16, 24 - max_turns);
    }
}
