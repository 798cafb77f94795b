//! What `check` and the readers refuse: one broken invariant at a time.

use serde_json::{Value, json};

use super::*;

/// A sound position of the moving phase; each case breaks it in one place.
fn sound() -> Value {
    json!({
        "phase": "slide", "player": 0, "board": "00....0.......0.1...11.1", "hand": [0, 0], "beginner": 0,
        "opening_removals": 0, "extra": false, "lifted": null, "no_capture": 3, "turn": 40, "winner": null,
    })
}

/// A sound position while stones are placed.
fn placing() -> Value {
    json!({
        "phase": "place", "player": 1, "board": "000.1...1...............", "hand": [9, 10], "beginner": 0,
        "opening_removals": 2, "extra": false, "lifted": null, "no_capture": 0, "turn": 5, "winner": null,
    })
}

fn read(rules: Rules, json: &str) -> Result<State, String> {
    let game = Shah::new(rules).expect("the rules are valid");
    let dict = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let state = game.state_from_dict(dict).map_err(|error: Error| error.to_string())?;
    game.check(&state).map_err(|error| error.to_string())?;
    Ok(state)
}

fn edited(base: &Value, edits: &[(&str, Value)]) -> String {
    let mut dict = base.clone();
    for (key, value) in edits {
        *dict.get_mut(*key).unwrap_or_else(|| panic!("no {key}")) = value.clone();
    }
    dict.to_string()
}

#[track_caller]
fn refuses(rules: &Rules, base: &Value, edits: &[(&str, Value)], due: &str) {
    let json = edited(base, edits);
    match read(rules.clone(), &json) {
        Ok(_) => panic!("accepted: {json}"),
        Err(error) => assert!(error.contains(due), "{json}: {error}"),
    }
}

#[track_caller]
fn accepts(rules: &Rules, base: &Value, edits: &[(&str, Value)]) {
    let json = edited(base, edits);
    if let Err(error) = read(rules.clone(), &json) {
        panic!("{error}: {json}");
    }
}

/// What was read and what was not, with the defaults.
#[track_caller]
fn refuses_sound(edits: &[(&str, Value)], due: &str) {
    refuses(&Rules::default(), &sound(), edits, due);
}

#[track_caller]
fn refuses_placing(edits: &[(&str, Value)], due: &str) {
    refuses(&Rules::default(), &placing(), edits, due);
}

#[test]
fn the_sound_positions_are_accepted() {
    accepts(&Rules::default(), &sound(), &[]);
    accepts(&Rules::default(), &placing(), &[]);
}

#[test]
fn keys_and_types() {
    for key in sound().as_object().expect("an object").keys() {
        let mut dict = sound();
        dict.as_object_mut().expect("an object").remove(key);
        let error = read(Rules::default(), &dict.to_string()).expect_err(key);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let mut dict = sound();
    dict["dice"] = json!([1, 2]);
    assert!(read(Rules::default(), &dict.to_string()).expect_err("dice").contains("unknown field `dice`"));
    let twice = sound().to_string().replacen(r#""turn":40"#, r#""turn":40,"turn":40"#, 1);
    assert!(read(Rules::default(), &twice).expect_err("twice").contains("duplicate field `turn`"));
    refuses_sound(&[("phase", json!("move"))], "unknown variant `move`");
    refuses_sound(&[("hand", json!([0, 0, 0]))], "trailing characters");
    refuses_sound(&[("hand", json!([0]))], "invalid length 1");
    refuses_sound(&[("hand", json!([-1, 0]))], "invalid value: integer `-1`");
    refuses_sound(&[("turn", json!(65536))], "invalid value: integer `65536`, expected u16");
    refuses_sound(&[("turn", json!(40.0))], "invalid type: floating point");
    refuses_sound(&[("extra", json!(0))], "invalid type: integer `0`");
    refuses_sound(&[("board", json!("00"))], "board has 2 characters, not 24");
    refuses_sound(&[("board", json!("00....0.......0.2...11.1"))], "board has '2' on point 16 (d3)");
    refuses_sound(&[("lifted", json!(24))], "lifted is 24; points are 0 to 23");
}

#[test]
fn who_acts() {
    refuses_sound(&[("player", Value::Null)], "player is null in phase slide");
    refuses_sound(&[("player", json!(2))], "player is 2; seats are 0 and 1");
    refuses_sound(&[("phase", json!("first"))], "player is 0 in phase first");
    refuses_sound(
        &[("phase", json!("first")), ("player", Value::Null)],
        "phase first is only for the start of a game",
    );
    let random = Rules { first_player: FirstPlayer::Random, ..Rules::default() };
    let first = [("phase", json!("first")), ("player", Value::Null)];
    refuses(&random, &sound(), &first, "phase first is only for the start of a game");
}

#[test]
fn blocked_and_extra() {
    // Seat 1 on a7, g7, a1 is shut in by d7, a4, g4, d1.
    let board = ("board", json!("101......0....0......10."));
    refuses_sound(&[board.clone(), ("player", json!(1))], "player 1 cannot move");
    accepts(&Rules::default(), &sound(), std::slice::from_ref(&board));
    accepts(&Rules::default(), &sound(), &[board.clone(), ("extra", json!(true))]);
    refuses_sound(
        &[board.clone(), ("player", json!(1)), ("extra", json!(true))],
        "extra is true, but player 0 can move",
    );
    refuses_sound(&[("extra", json!(true))], "extra is true, but player 1 can move");
    let loses = Rules { blocked: Blocked::Loses, ..Rules::default() };
    refuses(&loses, &sound(), &[board.clone(), ("extra", json!(true))], "allows no extra moves");
    let flying = Rules { flying: true, ..Rules::default() };
    refuses(
        &flying,
        &sound(),
        &[board.clone(), ("extra", json!(true))],
        "extra is true, but player 1 can move",
    );
    accepts(&flying, &sound(), &[board, ("player", json!(1))]);
    refuses_placing(&[("extra", json!(true))], "extra is true in phase place");
}

#[test]
fn turns() {
    refuses_sound(&[("turn", json!(1000))], "turn is 1000 in phase slide");
    refuses_sound(&[("turn", json!(1001))], "turn is 1001 in phase slide");
    refuses_sound(&[("turn", json!(25))], "phase is slide with turn 25");
    refuses_placing(&[("turn", json!(24))], "phase is place with turn 24");
    refuses_placing(
        &[("turn", json!(4))],
        "hand is [9, 10] with turn 4 in phase place; it should be [10, 10]",
    );
    refuses_placing(&[("player", json!(0))], "player 0 acts in turn 5, which is player 1's");
    refuses_placing(&[("no_capture", json!(1))], "no_capture is 1 before the moving phase");
    refuses_sound(&[("no_capture", json!(200))], "no_capture is 200 in phase slide; no_capture_limit is 200");
    accepts(&Rules { no_capture_limit: 0, ..Rules::default() }, &sound(), &[("no_capture", json!(200))]);
    refuses_sound(&[("opening_removals", json!(1))], "opening_removals is 1 with turn 40; it should be 0");
    refuses_placing(&[("opening_removals", json!(0))], "opening_removals is 0 with turn 5; it should be 2");
    refuses_placing(&[("phase", json!("remove"))], "phase is remove with turn 5");
}

#[test]
fn stones() {
    refuses_sound(&[("hand", json!([1, 0]))], "hand is [1, 0] with turn 40");
    refuses_sound(&[("board", json!("00..............1...11.1"))], "player 0 has 2 stones, not 3 to 11");
    refuses_sound(&[("board", json!("00000000000.0.....1.11.1"))], "player 0 has 12 stones, not 3 to 11");
    refuses_placing(&[("board", json!("000.1..................."))], "player 1 has 11 stones, not 12");
    refuses_placing(&[("board", json!("00001...1..............."))], "player 0 has 13 stones, not 12");
    refuses_placing(&[("hand", json!([10, 9]))], "hand is [10, 9] with turn 5");
    // R13: each placement after the second may have captured one stone.
    let rules = Rules { placement_captures: true, ..plain(9) };
    let base = [("opening_removals", json!(0)), ("hand", json!([6, 7]))];
    let with = |board: &str| [base.as_slice(), &[("board", json!(board))]].concat();
    accepts(&rules, &placing(), &with("000.1..................."));
    refuses(&rules, &placing(), &with("000....................."), "player 1 has 7 stones, not 8 to 9");
    refuses(&rules, &placing(), &with("00..1...1..............."), "player 0 has 8 stones, not 9");
}

#[test]
fn the_beginner() {
    // With as many stones in one hand as in the other, the turn alone tells who placed first.
    let first = Rules { begin: Begin::FirstPlayer, ..Rules::default() };
    let drawn = Rules { first_player: FirstPlayer::Random, ..first.clone() };
    let even = [
        ("board", json!("0...1...................")),
        ("hand", json!([11, 11])),
        ("turn", json!(2)),
        ("player", json!(1)),
    ];
    accepts(&drawn, &placing(), &[&even[..], &[("beginner", json!(1))]].concat());
    refuses(&drawn, &placing(), &even, "begin=\"first_player\" makes it the first player");
    refuses_placing(&[("beginner", Value::Null)], "beginner is null, but there is a mill");
    refuses_placing(&[("beginner", json!(1))], "beginner is 1, but the other player alone has a mill");
    let no_mill = ("board", json!("00..1...1...0..........."));
    refuses_placing(std::slice::from_ref(&no_mill), "beginner is 0, but there is no mill");
    accepts(&Rules::default(), &placing(), &[no_mill, ("beginner", Value::Null)]);
    refuses_sound(&[("beginner", Value::Null)], "beginner is null, but all stones are placed");
    refuses(
        &first,
        &placing(),
        &[("beginner", json!(1))],
        "begin=\"first_player\" makes it the first player",
    );
    refuses(
        &first,
        &placing(),
        &[("beginner", Value::Null)],
        "begin=\"first_player\" makes it the first player",
    );
    // Of a full board without a mill the last to place begins.
    let full = [
        ("phase", json!("remove")),
        (
            "board",
            json!(
                "100100010001011101101011"
                    .chars()
                    .map(|c| if c == '1' { '0' } else { '1' })
                    .collect::<String>()
            ),
        ),
        ("hand", json!([0, 0])),
        ("turn", json!(24)),
        ("beginner", json!(0)),
        ("player", json!(0)),
    ];
    refuses_placing(&full, "the other player placed last");
}

#[test]
fn removals() {
    let t = {
        let mut t = Table::start(Rules::default());
        t.plays(&super::placements(
            &[1, 2, 4, 5, 6, 8, 9, 10, 12, 16, 18, 21],
            &[0, 3, 7, 11, 13, 14, 15, 17, 19, 20, 22, 23],
        ));
        t
    };
    let full = serde_json::to_value(t.game.to_dict(&t.state)).expect("plain data");
    accepts(&Rules::default(), &full, &[]);
    refuses(&Rules::default(), &full, &[("player", json!(0))], "opening removal 1 is player 1's");
    refuses(&Rules::default(), &full, &[("phase", json!("slide"))], "phase is slide with turn 24");
    refuses_sound(&[("phase", json!("remove"))], "player 0 removes a stone without a mill");
    accepts(
        &Rules::default(),
        &sound(),
        &[("phase", json!("remove")), ("board", json!("000...0.........1...11.1"))],
    );
    refuses_sound(&[("phase", json!("remove")), ("extra", json!(true))], "extra is true in phase remove");
}

#[test]
fn lifting() {
    let flying = Rules { flying: true, ..Rules::default() };
    refuses_sound(&[("lifted", json!(5))], "lifted is 5 in phase slide");
    let land =
        |board: &str, lifted: Value| [("phase", json!("land")), ("board", json!(board)), ("lifted", lifted)];
    let board = "00..............1...11.1";
    accepts(&flying, &sound(), &land(board, json!(5)));
    refuses_sound(&land(board, json!(5)), "phase land needs flying=true");
    refuses(&flying, &sound(), &land(board, Value::Null), "lifted is null in phase land");
    refuses(&flying, &sound(), &land(board, json!(0)), "lifted is 0 in phase land");
    refuses(&flying, &sound(), &land(board, json!(16)), "lifted is 16 in phase land");
    refuses(&flying, &sound(), &land("000.............1...11.1", json!(5)), "player 0 has 3 stones beside");
    refuses(&flying, &sound(), &land("0...............1...11.1", json!(5)), "player 0 has 2 stones");
}

#[test]
fn the_end() {
    let over = [("phase", json!("over")), ("player", Value::Null)];
    let with = |more: &[(&'static str, Value)]| [over.as_slice(), more].concat();
    refuses_sound(&[("winner", json!(0))], "winner is 0 in phase slide");
    refuses_sound(&[("phase", json!("over"))], "player is 0 in phase over");
    refuses_sound(&over, "phase is over with turn 40, no_capture 3 and no winner");
    refuses_sound(&with(&[("winner", json!(0))]), "winner is 0, but player 1 has 4 stones and can move");
    refuses_sound(&with(&[("winner", json!(2))]), "winner is 2; seats are 0 and 1");
    accepts(&Rules::default(), &sound(), &with(&[("turn", json!(1000))]));
    accepts(&Rules::default(), &sound(), &with(&[("no_capture", json!(200))]));
    refuses_sound(
        &with(&[("turn", json!(1000)), ("winner", json!(0))]),
        "turn is 1000 in phase over with winner 0",
    );
    let won = |board: &str, no_capture: u8| {
        with(&[("board", json!(board)), ("winner", json!(0)), ("no_capture", json!(no_capture))])
    };
    accepts(&Rules::default(), &sound(), &won("000.............1...1...", 0));
    refuses_sound(&won("000.............1...1...", 3), "player 0 has won by a capture");
    refuses_sound(&won("00....0.........1...1...", 0), "player 0 has won by a capture");
    refuses_sound(&won("000.............1.......", 0), "player 1 has 1 stones, not 2 to 11");
    let loses = Rules { blocked: Blocked::Loses, ..Rules::default() };
    let shut = won("101......0....0......10.", 3);
    accepts(&loses, &sound(), &shut);
    refuses_sound(&shut, "winner is 0, but player 1 has 3 stones and can move");
}

#[test]
fn r12_a_draw_by_the_limit_counts_the_turn_of_its_move() {
    let rules = Rules { no_capture_limit: 1, ..Rules::default() };
    let drawn = |turn: u16| {
        [
            ("phase", json!("over")),
            ("player", Value::Null),
            ("board", json!("0111101001000.0.10101101")),
            ("no_capture", json!(1)),
            ("turn", json!(turn)),
        ]
    };
    refuses(&rules, &sound(), &drawn(26), "phase is over with turn 26, no_capture 1 and no winner");
    accepts(&rules, &sound(), &drawn(27));
    // With moves as the last thing before max_turns, the turn is reason enough.
    accepts(
        &Rules { max_turns: 26, ..rules },
        &sound(),
        &[&drawn(26)[..4], &[("turn", json!(26)), ("no_capture", json!(0))]].concat(),
    );
}

#[test]
fn r7_who_is_shut_in_before_the_first_move_is_the_beginner() {
    let rules = Rules { begin: Begin::FirstPlayer, blocked: Blocked::Loses, ..plain(12) };
    let won = |winner: u8, turn: u16, no_capture: u8| {
        [
            ("phase", json!("over")),
            ("player", Value::Null),
            ("board", json!("001110010110010110001110")),
            ("turn", json!(turn)),
            ("winner", json!(winner)),
            ("no_capture", json!(no_capture)),
        ]
    };
    accepts(&rules, &sound(), &won(1, 23, 0));
    refuses(&rules, &sound(), &won(0, 23, 0), "only the beginner can be blocked, and that is player 0");
    // From then on a move or a capture must have come last, and there is neither a count of moves nor a mill.
    refuses(&rules, &sound(), &won(1, 24, 0), "player 1 has blocked the other, but no_capture is 0");
    // A mill of the winner's may have captured.
    let shut = |no_capture: u8| {
        [
            ("phase", json!("over")),
            ("player", Value::Null),
            ("board", json!("101......0....0......10.")),
            ("winner", json!(0)),
            ("no_capture", json!(no_capture)),
        ]
    };
    accepts(&rules, &sound(), &shut(3));
    refuses(&rules, &sound(), &shut(0), "no_capture is 0 and there is no mill");
    let mut with_mill = shut(0);
    with_mill[2].1 = json!("101000...0....0......10.");
    accepts(&rules, &sound(), &with_mill);
}

#[test]
fn r3_the_first_mill_while_placing_captures_takes_three_stones_and_a_beginner() {
    let place = |board: &str, hand: [u8; 2], turn: u8, player: u8, beginner: Value| {
        [
            ("board", json!(board)),
            ("hand", json!(hand)),
            ("turn", json!(turn)),
            ("player", json!(player)),
            ("beginner", beginner),
            ("opening_removals", json!(0)),
        ]
    };
    let three = Rules { placement_captures: true, first_player: FirstPlayer::Seat(Player(1)), ..plain(3) };
    let board = ".................1...10.";
    refuses(
        &three,
        &placing(),
        &place(board, [2, 1], 3, 0, json!(1)),
        "beginner is 1, but a mill takes three stones",
    );
    accepts(&three, &placing(), &place(board, [2, 1], 3, 0, Value::Null));
    let twelve = Rules { placement_captures: true, blocked: Blocked::Loses, ..plain(12) };
    let board = ".0100...1..11...0...00..";
    refuses(
        &twelve,
        &placing(),
        &place(board, [6, 7], 11, 1, Value::Null),
        "beginner is null, but a stone is missing",
    );
    accepts(&twelve, &placing(), &place(board, [6, 7], 11, 1, json!(0)));
}
