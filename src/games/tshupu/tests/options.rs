//! Options, presets and the bounds of a game.

use super::*;
use crate::rules::rule_book::game_from_json;

#[test]
fn presets_differ_from_the_default_as_the_rule_book_says() {
    let due = [
        ("tshupu", Rules::default()),
        (
            "chaupar_style",
            Rules {
                crosscuts: Crosscuts::SidesAndEnds,
                finished_player: FinishedPlayer::PartnerPlays,
                ..Rules::default()
            },
        ),
    ];
    let names: Vec<&str> = TshuPu::PRESETS.iter().map(|preset| preset.name).collect();
    assert_eq!(names, due.each_ref().map(|(name, _)| *name));
    for (name, rules) in due {
        let game: TshuPu = game_from_json(Some(name), "{}").expect("a preset is valid");
        assert_eq!(game.rules(), &rules, "{name}");
    }
}

#[test]
fn the_preset_chaupar_style_plays_by_both_of_its_options() {
    let game: TshuPu = game_from_json(Some("chaupar_style"), "{}").expect("a preset is valid");
    let rules = game.rules().clone();
    // East's start square is barred for south.
    Table::start(rules.clone()).plays(3, 4, &["1/4 & 1/5"]);
    // South is finished and moves north's pieces.
    let seats = "33 33 33 33 | 10 10 10 10 | 4 33 33 33 | 10 10 10 10";
    let mut t = Table::at(rules, &roll_line(0, 4, seats));
    t.plays(1, 4, &["4/9 (both)"]).play("4/9 (both)").thrower(1, 5);
    assert_eq!(t.seat(2), [9, 33, 33, 33]);
}

#[test]
fn defaults_are_those_of_the_rule_book() {
    let json = serde_json::to_string(&Rules::default()).expect("rules are plain data");
    assert_eq!(
        json,
        concat!(
            r#"{"pieces":4,"crosscuts":"sides","same_piece_both_dice":false,"finished_player":"pass","#,
            r#""first_player":0,"max_turns":2000}"#
        )
    );
    let names: Vec<&str> = TshuPu::OPTIONS.iter().map(|option| option.name).collect();
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).expect("an object");
    assert_eq!(names, fields.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn both_ends_of_every_range_are_taken_and_no_more() {
    for (name, min, max) in [("pieces", 1, 4), ("max_turns", 1, 65535)] {
        for (value, taken) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
            match game_from_json::<TshuPu>(None, &format!(r#"{{"{name}": {value}}}"#)) {
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
        (r#"{"dice": 2}"#, "unknown option 'dice'"),
        (r#"{"players": 2}"#, "unknown option 'players'"),
        (r#"{"same_piece_both_dice": 1}"#, "option 'same_piece_both_dice' got 1; it takes true or false"),
        (
            r#"{"crosscuts": "ends"}"#,
            r#"option 'crosscuts' got "ends"; it takes "sides" or "sides_and_ends""#,
        ),
        (
            r#"{"finished_player": "plays"}"#,
            r#"option 'finished_player' got "plays"; it takes "pass" or "partner_plays""#,
        ),
        (r#"{"first_player": 4}"#, "option 'first_player' got 4"),
        (r#"{"first_player": "last"}"#, "option 'first_player' got \"last\""),
        (r#"{"pieces": 2.5}"#, "option 'pieces' got 2.5; it takes an integer from 1 to 4"),
    ];
    for (json, due) in cases {
        let error = game_from_json::<TshuPu>(None, json).expect_err(json).to_string();
        assert!(error.starts_with(due), "{json}: {error}");
    }
    // Rules made without JSON are looked at too.
    let seat = Rules { first_player: FirstPlayer::Seat(Player(4)), ..Rules::default() };
    let error = TshuPu::new(seat).unwrap_err().to_string();
    assert_eq!(error, "option 'first_player' got 4; it takes 0 to 3 or \"random\"");
    for rules in [
        Rules { pieces: 0, ..Rules::default() },
        Rules { pieces: 5, ..Rules::default() },
        Rules { max_turns: 0, ..Rules::default() },
    ] {
        assert!(TshuPu::new(rules.clone()).is_err(), "{rules:?}");
    }
}

#[test]
fn games_of_one_to_four_pieces_end_when_all_of_them_are_off() {
    for pieces in 1..=4 {
        let mut t = Table::start(Rules { pieces, ..Rules::default() });
        let json = serde_json::to_value(t.game.to_dict(&t.state)).expect("plain data");
        assert_eq!(json["pieces"], serde_json::json!(vec![vec![1; pieces as usize]; 4]));
        t.roll(1, 3);
        let due: &[&str] = if pieces == 1 { &["1/5 (both)"] } else { &["1/2", "1/4", "1/5 (both)"] };
        assert_eq!(t.legal(), due);
        let of = |progress: u8| vec![progress.to_string(); pieces as usize].join(" ");
        // South's first piece is in the centre, the rest of the team off.
        let last = format!("{} | {} | {} | {}", of(33).replacen("33", "32", 1), of(1), of(33), of(1));
        let mut t = Table::new(Rules { pieces, ..Rules::default() }, &last);
        t.roll(1, 6).play("32/off");
        assert_eq!((t.state.phase, t.game.winner(&t.state).map(|team| team.0)), (Phase::Over, Some(0)));
    }
}

#[test]
fn same_piece_both_dice_touches_down_and_hits_in_between() {
    // East stands on 5 and on 8 of south's course.
    let seats = "4 33 33 33 | 1 1 1 1 | 1 1 1 1 | 1 1 1 26";
    let mut t = Table::new(same_piece(), seats);
    t.roll(1, 3);
    assert_eq!(t.turns(), ["4/5* & 5/8*", "4/7 & 7/8*", "4/8* (both)"]);
    t.play("4/5*");
    assert_eq!((t.state.phase, t.seat(3), t.legal()), (Phase::Second, [0, 1, 1, 1], vec!["5/8*".to_owned()]));
    t.play("5/8*").thrower(1, 1);
    assert_eq!((t.seat(3), t.counts.0), ([0; 4], [[4, 0, 0, 0], [0; 4], [0; 4]]));
    // Another piece may play the second die all the same.
    let mut t = Table::new(same_piece(), "4 10 33 33");
    t.roll(1, 3).play("4/5");
    assert_eq!(t.legal(), ["5/8*", "10/13"]);
}

#[test]
fn same_piece_both_dice_is_barred_where_it_touches_down() {
    // West holds 3 and east 6: neither die can be played first, and the total gets past both.
    let seats = "2 33 33 33 | 1 1 1 10 | 1 1 1 1 | 1 1 1 27";
    let mut t = Table::new(same_piece(), seats);
    t.plays(1, 4, &["2/7 (both)"]);
    let mut t = Table::new(same_piece(), "2 33 33 33 | 1 1 1 10");
    t.roll(1, 4);
    assert_eq!(t.turns(), ["2/6 & 6/7", "2/7 (both)"]);
}

#[test]
fn same_piece_both_dice_reaches_the_centre_and_bears_off_with_a_1() {
    let mut t = Table::new(same_piece(), "31 33 33 33 | 1 1 1 1 | 33 33 33 33");
    t.roll(1, 1);
    assert_eq!(t.turns(), ["31/32 & 32/off"]);
    t.play("31/32").play("32/off");
    assert_eq!((t.state.phase, t.game.winner(&t.state).map(|team| team.0)), (Phase::Over, Some(0)));
    // A 1 first leaves the 3 without a square to go to.
    let mut t = Table::new(same_piece(), "29 33 33 33");
    t.roll(1, 3);
    assert_eq!(t.turns(), ["29/32 & 32/off"]);
}

#[test]
fn same_piece_both_dice_leaves_r4s_exception() {
    let mut t = Table::new(same_piece(), "30 33 33 33");
    t.roll(1, 3);
    assert_eq!(t.turns(), ["30/31"]);
    t.play("30/31").thrower(1, 1);
    assert_eq!(t.counts.0[2], [1, 0, 0, 0]);
}

#[test]
fn first_player_is_a_seat_or_drawn() {
    for seat in 0..4 {
        let fixed = Rules { first_player: FirstPlayer::Seat(Player(seat)), ..Rules::default() };
        let mut t = Table::start(fixed);
        t.thrower(seat, 0);
        t.roll(1, 1).play("1/2").play("1/2").thrower((seat + 1) % 4, 1);
        let mut t = Table::start(Rules { first_player: FirstPlayer::Random, ..Rules::default() });
        assert_eq!((t.state.phase, t.game.turn(&t.state)), (Phase::First, Turn::Chance));
        assert_eq!(t.game.chance(&t.state).weights(), [1, 1, 1, 1]);
        assert_eq!(t.game.outcome_name(&t.state, Outcome(seat)), format!("player {seat} begins"));
        t.resolve(seat as usize).thrower(seat, 0);
        t.roll(1, 1).play("1/2").play("1/2").thrower((seat + 1) % 4, 1);
    }
}

#[test]
fn max_turns_ends_the_game_as_a_draw() {
    let draw = |t: &Table, turn: u16| {
        assert_eq!((t.state.phase, t.state.turn, t.game.winner(&t.state)), (Phase::Over, turn, None));
        assert_eq!(t.game.returns(&t.state).as_slice(), [0.0; 4]);
        assert_eq!(t.game.turns_passed(&t.state), turn as u32);
    };
    let rules = |max_turns| Rules { max_turns, ..Rules::default() };
    let mut t = Table::start(rules(2));
    t.roll(1, 1).play("1/2").play("1/2").thrower(1, 1);
    t.roll(1, 1).play("1/2").play("1/2");
    draw(&t, 2);
    // A turn in which nothing can be played counts, and so does that of a finished player (R12).
    let mut t = Table::new(rules(1), "29 33 33 33");
    t.roll(6, 6);
    draw(&t, 1);
    let mut t = Table::new(rules(2), "5 5 5 5 | 33 33 33 33");
    t.roll(1, 1).play("5/6").play("5/6");
    draw(&t, 2);
    // The last turn is not cut short, and a win in it counts.
    let mut t = Table::new(rules(1), "32 32 33 33 | 1 1 1 1 | 33 33 33 33");
    t.roll(1, 1).play("32/off").play("32/off");
    assert_eq!((t.state.phase, t.state.turn), (Phase::Over, 0));
    assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0, 1.0, -1.0]);
}
