//! Options, presets and the bounds of a game.

use super::*;
use crate::rules::FirstPlayer;
use crate::rules::options::Takes;
use crate::rules::rule_book::game_from_json;

#[test]
fn presets_differ_from_the_default_as_the_rule_book_says() {
    let basic = Rules::default;
    let due = [
        ("basic", basic()),
        ("variants", Rules { six_three: true, last_kill_ends_turn: true, finish_overflow: true, ..basic() }),
        ("no_niner", Rules { niner_stack: false, ..basic() }),
        ("flexible", Rules { pa_ra: PaRa::Flexible, ..basic() }),
        ("teams", Rules { players: 4, teams: true, ..basic() }),
        ("lhasa", Rules { entry_coins: 2, six_three: true, ..basic() }),
    ];
    let names: Vec<&str> = Sho::PRESETS.iter().map(|preset| preset.name).collect();
    assert_eq!(names, due.each_ref().map(|(name, _)| *name));
    for (name, rules) in due {
        let game: Sho = game_from_json(Some(name), "{}").expect("a preset is valid");
        assert_eq!(game.rules(), &rules, "{name}");
    }
}

#[test]
fn defaults_are_those_of_the_rule_book() {
    let json = serde_json::to_string(&Rules::default()).expect("rules are plain data");
    assert_eq!(
        json,
        concat!(
            r#"{"players":3,"teams":false,"num_shells":64,"coins":9,"entry_coins":1,"niner_stack":true,"#,
            r#""six_three":false,"last_kill_ends_turn":false,"pa_ra":"choose","finish_overflow":false,"#,
            r#""first_player":0,"stake":1.0,"max_turns":5000}"#
        )
    );
    let names: Vec<&str> = Sho::OPTIONS.iter().map(|option| option.name).collect();
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).expect("an object");
    assert_eq!(names, fields.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn both_ends_of_every_range_are_taken_and_no_more() {
    let ranges = [
        ("players", 2, 4),
        ("num_shells", 4, 64),
        ("coins", 1, 9),
        ("entry_coins", 1, 3),
        ("max_turns", 1, 65535),
    ];
    for (name, min, max) in ranges {
        for (value, taken) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
            let game = game_from_json::<Sho>(None, &format!(r#"{{"{name}": {value}}}"#));
            match game {
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
fn bad_options_are_named() {
    let cases = [
        (r#"{"shells": 3}"#, "unknown option 'shells'"),
        (r#"{"teams": 1}"#, "option 'teams' got 1; it takes true or false"),
        (r#"{"pa_ra": "both"}"#, r#"option 'pa_ra' got "both"; it takes "choose" or "flexible" or "none""#),
        (r#"{"players": 3, "teams": true}"#, "option 'teams' needs players=4, not players=3"),
        (r#"{"first_player": 3}"#, "option 'first_player' got 3"),
        (r#"{"first_player": "last"}"#, "option 'first_player' got \"last\""),
        (r#"{"stake": 0}"#, "option 'stake' got 0"),
        (r#"{"stake": -1.5}"#, "option 'stake' got -1.5"),
        (r#"{"stake": 1e-38}"#, "option 'stake' got"),
        (r#"{"stake": 1e38}"#, "option 'stake' got"),
        (
            r#"{"niner_stack": false, "coins": 2, "entry_coins": 2}"#,
            "option 'niner_stack' = false needs coins > entry_coins",
        ),
        (r#"{"niner_stack": false, "six_three": true}"#, "option 'six_three' = true needs niner_stack=true"),
    ];
    for (json, due) in cases {
        let error = game_from_json::<Sho>(None, json).expect_err(json).to_string();
        assert!(error.starts_with(due), "{json}: {error}");
    }
    for stake in [f64::NAN, f64::INFINITY, 0.0, 9e-38, 1.1e37] {
        assert!(Sho::new(Rules { stake, ..Rules::default() }).is_err(), "{stake}");
    }
}

#[test]
fn a_win_at_any_stake_is_one_in_32_bits() {
    let Some(Takes::Number { min, max }) =
        Sho::OPTIONS.iter().find(|option| option.name == "stake").map(|option| option.takes)
    else {
        panic!("a stake is a number in a range");
    };
    for (stake, players) in [min, 1.0, max].into_iter().flat_map(|stake| [(stake, 2), (stake, 3), (stake, 4)])
    {
        let game =
            Sho::new(Rules { stake, players, ..Rules::default() }).expect("the ends of the range are taken");
        let (lost, won) = game.returns_range();
        assert!((lost as f32).is_normal() && (lost as f32) < 0.0, "{stake}: {lost}");
        assert!((won as f32).is_normal() && (won as f32) > 0.0, "{stake}: {won}");
    }
}

#[test]
fn r10_needs_more_coins_than_enter_together() {
    assert!(Sho::new(Rules { niner_stack: false, coins: 1, ..two() }).is_err());
    assert!(Sho::new(Rules { niner_stack: false, coins: 2, ..two() }).is_ok());
    assert!(Sho::new(Rules { niner_stack: false, coins: 3, entry_coins: 3, ..two() }).is_err());
    assert!(Sho::new(Rules { niner_stack: false, coins: 4, entry_coins: 3, ..two() }).is_ok());
}

#[test]
fn first_player_is_a_seat_or_drawn() {
    let mut t = Table::start(Rules { first_player: FirstPlayer::Seat(Player(2)), ..Rules::default() });
    assert_eq!((t.phase(), t.player()), (Phase::Roll, 2));
    t.roll(1, 2).play("hand/3");
    assert_eq!(t.player(), 0);
    for players in 2..=4 {
        for seat in 0..players {
            let mut t =
                Table::start(Rules { players, first_player: FirstPlayer::Random, ..Rules::default() });
            assert_eq!(t.phase(), Phase::First);
            assert_eq!(t.game.chance(&t.state).weights(), &vec![1; players as usize][..]);
            assert_eq!(t.game.outcome_name(&t.state, Outcome(seat)), format!("player {seat} begins"));
            t.resolve(seat as usize);
            assert_eq!((t.phase(), t.player(), t.state.turn), (Phase::Roll, seat, 0));
        }
    }
}

#[test]
fn max_turns_ends_the_game_as_a_draw() {
    let rules = Rules { max_turns: 2, ..two() };
    let mut t = Table::start(rules.clone());
    t.roll(1, 2).play("hand/3").turn_is_over();
    t.roll(2, 2).play("hand/4");
    assert_eq!((t.phase(), t.state.turn, t.game.winner(&t.state)), (Phase::Over, 2, None));
    assert_eq!(t.game.returns(&t.state).as_slice(), [0.0, 0.0]);
    // A turn in which nothing could be moved counts.
    let mut t = Table::new(Rules { max_turns: 1, six_three: true, ..two() }, "h9 | 9:2 h7");
    t.roll(6, 3);
    assert_eq!((t.phase(), t.game.turns_passed(&t.state)), (Phase::Over, 1));
    // The last turn is not cut short, and a win in it counts.
    let mut t = Table::new(Rules { max_turns: 1, ..two() }, "60:1 57:1 o7 | h9");
    t.roll(1, 2).play("57/60+").roll(1, 3).play("60/off");
    assert_eq!((t.phase(), t.state.turn), (Phase::Over, 0));
    assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0]);
}
