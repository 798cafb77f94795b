//! What `check` and the readers refuse: one broken invariant at a time.

use serde_json::{Value, json};

use super::super::board::Pieces;
use super::*;

/// Sound positions in each phase of play; each case breaks one in one place.
fn rolling() -> Value {
    json!({
        "phase": "roll", "player": 1, "dice": [], "moved": null, "turn": 5, "winner": null,
        "pieces": [[0, 10, 10, 33], [1, 2, 3, 4], [33, 33, 33, 33], [29, 30, 31, 32]],
    })
}

fn moving() -> Value {
    with(&rolling(), &[("phase", json!("move")), ("dice", json!([1, 4]))])
}

fn second() -> Value {
    with(&rolling(), &[("phase", json!("second")), ("dice", json!([6])), ("moved", json!(4))])
}

fn with(base: &Value, edits: &[(&str, Value)]) -> Value {
    let mut dict = base.clone();
    for (key, value) in edits {
        *dict.get_mut(*key).unwrap_or_else(|| panic!("no {key}")) = value.clone();
    }
    dict
}

fn read(rules: &Rules, json: &str) -> Result<State, String> {
    let game = TshuPu::new(rules.clone()).expect("the rules are valid");
    let dict = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let state = game.state_from_dict(dict).map_err(|error: Error| error.to_string())?;
    game.check(&state).map_err(|error| error.to_string())?;
    Ok(state)
}

#[track_caller]
fn refuses_by(rules: &Rules, base: &Value, edits: &[(&str, Value)], due: &str) {
    let json = with(base, edits).to_string();
    match read(rules, &json) {
        Ok(_) => panic!("accepted: {json}"),
        Err(error) => assert!(error.contains(due), "{json}: {error}"),
    }
}

#[track_caller]
fn refuses(base: &Value, edits: &[(&str, Value)], due: &str) {
    refuses_by(&Rules::default(), base, edits, due);
}

#[track_caller]
fn accepts_by(rules: &Rules, base: &Value, edits: &[(&str, Value)]) {
    let json = with(base, edits).to_string();
    if let Err(error) = read(rules, &json) {
        panic!("{error}: {json}");
    }
}

#[test]
fn the_sound_positions_are_accepted() {
    for base in [rolling(), moving(), second()] {
        accepts_by(&Rules::default(), &base, &[]);
    }
}

#[test]
fn keys_and_types() {
    for key in second().as_object().expect("an object").keys() {
        let mut dict = second();
        dict.as_object_mut().expect("an object").remove(key);
        let error = read(&Rules::default(), &dict.to_string()).expect_err(key);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let mut dict = second();
    dict["board"] = json!([]);
    let error = read(&Rules::default(), &dict.to_string()).expect_err("board");
    assert!(error.contains("unknown field `board`"), "{error}");
    let twice = rolling().to_string().replacen(r#""turn":5"#, r#""turn":5,"turn":5"#, 1);
    assert!(read(&Rules::default(), &twice).expect_err("twice").contains("duplicate field `turn`"));
    for not_a_dict in ["[]", "null", "3", "\"roll\""] {
        assert!(read(&Rules::default(), not_a_dict).expect_err(not_a_dict).contains("expected a dict"));
    }
    refuses(&rolling(), &[("phase", json!("throw"))], "unknown variant `throw`");
    refuses(&rolling(), &[("turn", json!(65536))], "invalid value: integer `65536`, expected u16");
    refuses(&rolling(), &[("turn", json!(5.0))], "invalid type: floating point");
    refuses(&rolling(), &[("turn", json!(-1))], "invalid value: integer `-1`");
    refuses(&rolling(), &[("player", json!(true))], "invalid type: boolean");
    refuses(&rolling(), &[("pieces", json!([1, 1, 1, 1]))], "invalid type: integer `1`");
    refuses(&rolling(), &[("dice", Value::Null)], "invalid type: null");
}

#[test]
fn pieces() {
    let pieces = |seat: Value| json!([seat, [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]);
    let refuse = |seat: Value, due: &str| refuses(&rolling(), &[("pieces", pieces(seat))], due);
    refuse(json!([1, 1, 1]), "seat 0 has 3 pieces, not 4");
    refuse(json!([1, 1, 1, 1, 1]), "seat 0 has 5 pieces, not 4");
    refuse(json!([1, 1, 1, 34]), "seat 0 has a piece on 34; progress is 0 to 33");
    refuse(json!([1, 2, 1, 33]), "the pieces of seat 0, [1, 2, 1, 33], are not in ascending order");
    refuse(json!([-1, 1, 1, 1]), "integer `-1`");
    refuse(json!([1, 1, 1, 256]), "integer `256`");
    refuses(&rolling(), &[("pieces", json!([]))], "pieces has 0 entries, not 4");
    refuses(&rolling(), &[("pieces", json!([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]))], "3 entries");
    let three = Rules { pieces: 3, ..Rules::default() };
    refuses_by(&three, &rolling(), &[], "seat 0 has 4 pieces, not 3");
}

#[test]
fn both_teams_on_a_square_are_accepted() {
    // South's 8 is east's 1, and south's 3 is a cross-cut that east holds as 24.
    let pieces = json!([[3, 8, 8, 8], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 24]]);
    accepts_by(&Rules::default(), &rolling(), &[("pieces", pieces)]);
}

#[test]
fn who_acts_and_when() {
    refuses(&rolling(), &[("player", Value::Null)], "player is null in phase roll");
    refuses(&rolling(), &[("player", json!(4))], "player is 4; seats are 0 to 3");
    for phase in ["first", "over"] {
        refuses(&rolling(), &[("phase", json!(phase))], &format!("player is 1 in phase {phase}"));
    }
    // R12: the player follows from the turn.
    for base in [rolling(), moving(), second()] {
        let due = "player is 0 with turn 5; with first_player=0 it is the turn of player 1";
        refuses(&base, &[("player", json!(0))], due);
        let due = "player is 1 with turn 4; with first_player=0 it is the turn of player 0";
        refuses(&base, &[("turn", json!(4))], due);
        accepts_by(&Rules::default(), &base, &[("turn", json!(9))]);
    }
    let by = |first_player| Rules { first_player, ..Rules::default() };
    accepts_by(&by(FirstPlayer::Seat(Player(3))), &rolling(), &[("turn", json!(6))]);
    refuses_by(&by(FirstPlayer::Seat(Player(3))), &rolling(), &[], "it is the turn of player 0");
    // Where the beginner is drawn, a position does not tell who began.
    for turn in 0..5 {
        accepts_by(&by(FirstPlayer::Random), &rolling(), &[("turn", json!(turn))]);
    }
    // R12: no state stops at a finished player, unless he plays for his partner.
    let finished = [("player", json!(2)), ("turn", json!(6))];
    refuses(
        &rolling(),
        &finished,
        "player 2 has all pieces off, so with finished_player=\"pass\" the turn should have passed",
    );
    accepts_by(&partner_plays(), &rolling(), &finished);
}

#[test]
fn the_draw_of_the_beginner() {
    let random = Rules { first_player: FirstPlayer::Random, ..Rules::default() };
    let all = json!([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]);
    let first = [("phase", json!("first")), ("player", Value::Null), ("turn", json!(0)), ("pieces", all)];
    accepts_by(&random, &rolling(), &first);
    let due = "phase first is only for the start of a game with first_player=\"random\"";
    refuses(&rolling(), &first, due);
    for change in [
        ("turn", json!(1)),
        ("dice", json!([1, 3])),
        ("moved", json!(1)),
        ("pieces", rolling()["pieces"].clone()),
    ] {
        let mut edits = first.to_vec();
        edits.push(change);
        refuses_by(&random, &rolling(), &edits, due);
    }
}

#[test]
fn dice() {
    refuses(&rolling(), &[("dice", json!([1]))], "dice is [1] in phase roll, which has none");
    refuses(&moving(), &[("dice", json!([]))], "dice is [] in phase move, which has two faces");
    refuses(&moving(), &[("dice", json!([4]))], "dice is [4] in phase move, which has two faces");
    refuses(&moving(), &[("dice", json!([4, 1]))], "the dice [4, 1] are not in ascending order");
    refuses(&moving(), &[("dice", json!([1, 3, 4]))], "dice has 3 entries; there are two dice");
    for face in [0, 2, 5, 7] {
        let due = format!("a die shows {face}; its faces are 1, 3, 4 and 6");
        refuses(&moving(), &[("dice", json!([1, face]))], &due);
        refuses(&second(), &[("dice", json!([face]))], &due);
    }
    refuses(&second(), &[("dice", json!([1, 6]))], "dice is [1, 6] in phase second, which has one face");
    refuses(&second(), &[("dice", json!([]))], "dice is [] in phase second, which has one face");
}

#[test]
fn moved() {
    refuses(&rolling(), &[("moved", json!(4))], "moved is 4 in phase roll");
    refuses(&moving(), &[("moved", json!(4))], "moved is 4 in phase move");
    refuses(&second(), &[("moved", Value::Null)], "moved is null; it must be where the first piece is now");
    refuses(&second(), &[("moved", json!(0))], "moved is 0; it is null or 1 to 33");
    refuses(&second(), &[("moved", json!(34))], "moved is 34; it is null or 1 to 33");
    refuses(&second(), &[("moved", json!(5))], "moved is 5; it must be where the first piece is now");
    refuses(&second(), &[("moved", json!(33))], "moved is 33; it must be where the first piece is now");
    // The partner's pieces are meant where they are played.
    let partner = [("player", json!(2)), ("turn", json!(6)), ("moved", json!(10))];
    accepts_by(&partner_plays(), &second(), &partner);
    refuses_by(
        &partner_plays(),
        &second(),
        &[partner[0].clone(), partner[1].clone()],
        "moved is 4; it must be",
    );
    // A place without a piece is not one that is off.
    let three = Rules { pieces: 3, ..Rules::default() };
    let pieces = json!([[1, 1, 1], [1, 2, 3], [1, 1, 1], [1, 1, 1]]);
    refuses_by(&three, &second(), &[("pieces", pieces), ("moved", json!(33))], "moved is 33; it must");
}

#[test]
fn somebody_to_act_has_a_move() {
    let stuck = json!([[1, 1, 1, 1], [29, 29, 30, 32], [1, 1, 1, 1], [1, 1, 1, 1]]);
    refuses(
        &moving(),
        &[("pieces", stuck.clone()), ("dice", json!([4, 6]))],
        "player 1 has no legal action in phase move, so the turn should have passed",
    );
    refuses(
        &second(),
        &[("pieces", stuck), ("moved", json!(32))],
        "player 1 has no legal action in phase second, so the turn should have passed",
    );
    // In the second part the piece that has moved does not count, unless one piece may play both dice.
    let lone = [
        ("pieces", json!([[1, 1, 1, 1], [10, 33, 33, 33], [1, 1, 1, 1], [1, 1, 1, 1]])),
        ("moved", json!(10)),
    ];
    refuses(&second(), &lone, "player 1 has no legal action in phase second");
    accepts_by(&same_piece(), &second(), &lone);
}

#[test]
fn the_end_and_the_winner() {
    let won = json!([[33, 33, 33, 33], [1, 1, 1, 1], [33, 33, 33, 33], [1, 1, 1, 1]]);
    let over = |pieces: &Value, winner: Value, turn: u16| {
        with(
            &rolling(),
            &[
                ("phase", json!("over")),
                ("player", Value::Null),
                ("pieces", pieces.clone()),
                ("winner", winner),
                ("turn", json!(turn)),
            ],
        )
    };
    let rules = Rules::default();
    accepts_by(&rules, &over(&won, json!(0), 400), &[]);
    accepts_by(&rules, &over(&rolling()["pieces"], Value::Null, 2000), &[]);
    refuses(&over(&won, Value::Null, 400), &[], "winner is null, but all pieces of team 0 are off");
    refuses(&over(&won, json!(1), 400), &[], "winner is 1, but all pieces of team 0 are off");
    refuses(&rolling(), &[("winner", json!(1))], "winner is 1, but no team has all its pieces off");
    refuses(
        &rolling(),
        &[("pieces", won.clone()), ("winner", json!(0))],
        "phase is roll with turn 5 and winner 0",
    );
    refuses(
        &over(&rolling()["pieces"], Value::Null, 400),
        &[],
        "phase is over with turn 400 and winner null",
    );
    let limited = Rules { max_turns: 5, ..Rules::default() };
    refuses_by(&limited, &rolling(), &[], "phase is roll with turn 5 and winner null");
    refuses_by(&limited, &over(&won, json!(0), 5), &[], "turn is 5; max_turns is 5");
    refuses_by(&limited, &over(&won, json!(0), 6), &[], "turn is 6; max_turns is 5");
    accepts_by(&limited, &over(&won, json!(0), 4), &[]);
    let none = json!([[33, 33, 33, 33], [33, 33, 33, 33], [33, 33, 33, 33], [33, 33, 33, 33]]);
    refuses(&over(&none, json!(0), 400), &[], "both teams have all their pieces off");
    refuses(&over(&won, json!(0), 400), &[("dice", json!([1]))], "dice is [1] in phase over, which has none");
    refuses(&over(&won, json!(0), 400), &[("moved", json!(33))], "moved is 33 in phase over");
}

/// Fields that the readers never write are looked at too: a state may come from elsewhere in the crate.
#[test]
fn states_that_no_dict_gives_are_refused() {
    let game = TshuPu::new(Rules { pieces: 2, ..Rules::default() }).expect("the rules are valid");
    let refuse = |edit: &dyn Fn(&mut State), due: &str| {
        let mut state = game.initial_state();
        assert_eq!(game.check(&state), Ok(()));
        edit(&mut state);
        let error = game.check(&state).expect_err(due).to_string();
        assert!(error.contains(due), "{error}");
    };
    refuse(
        &|s| s.pieces[1] = Pieces::new([2, 1, 33, 33]),
        "the pieces of seat 1, [2, 1, 33, 33], are not in order",
    );
    refuse(&|s| s.pieces[1] = Pieces::new([1, 1, 33, 34]), "are not in order up to 33");
    refuse(&|s| s.pieces[3] = Pieces::new([1, 1, 1, 33]), "seat 3 has more than 2 pieces");
    refuse(&|s| s.player = Player(4), "player is 4; seats are 0 to 3");
    refuse(
        &|s| {
            s.phase = Phase::Over;
            s.turn = 2000;
            s.player = Player(1);
        },
        "player is 1 in phase over",
    );
    refuse(&|s| s.barred = 1 << 3, "the barred squares are not those of the position");
    let mut state = read(&Rules::default(), &second().to_string()).expect("a sound position");
    let game = TshuPu::new(Rules::default()).expect("the rules are valid");
    state.barred ^= 1 << 29;
    assert!(game.check(&state).expect_err("another square").to_string().contains("the barred squares"));
}
