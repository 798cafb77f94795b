//! What `check` and the readers refuse: one broken invariant at a time.

use serde_json::{Value, json};

use super::*;

/// A sound position; each case breaks it in one place.
fn sound() -> Value {
    let points = |places: &[(usize, u8)]| {
        let mut points = [0; 24];
        for &(point, pieces) in places {
            points[point - 1] = pieces;
        }
        points
    };
    json!({
        "phase": "move", "player": 0,
        "points": [points(&[(13, 10), (6, 3)]), points(&[(24, 2), (20, 2), (8, 3), (2, 5)])],
        "bar": [0, 1], "off": [2, 2], "dice": [5, 3], "turn": 3, "winner": null, "points_won": 0,
    })
}

fn read(rules: Rules, json: &str) -> Result<State, String> {
    let game = Shuanglu::new(rules).expect("the rules are valid");
    let dict = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let state = game.state_from_dict(dict).map_err(|error: Error| error.to_string())?;
    game.check(&state).map_err(|error| error.to_string())?;
    Ok(state)
}

#[track_caller]
fn refuses(rules: &Rules, edits: &[(&str, Value)], due: &str) {
    let mut dict = sound();
    for (pointer, value) in edits {
        *dict.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    }
    match read(rules.clone(), &dict.to_string()) {
        Ok(_) => panic!("accepted: {dict}"),
        Err(error) => assert!(error.contains(due), "{dict}: {error}"),
    }
}

#[test]
fn the_sound_position_is_accepted() {
    let state = read(Rules::default(), &sound().to_string()).expect("nothing is broken");
    assert_eq!((state.turn, state.counts[0][13], state.counts[1][BAR]), (3, 10, 1));
    assert_eq!(state.dice(), [5, 3]);
}

#[test]
fn pieces_and_points() {
    let cases: &[(&str, Value, &str)] = &[
        ("/points/0/12", json!(11), "player 0 has 16 pieces, not 15"),
        ("/points/0/12", json!(9), "player 0 has 14 pieces, not 15"),
        ("/points/0/12", json!(255), "player 0 has 260 pieces, not 15"),
        ("/points/0/12", json!(-1), "invalid value: integer `-1`, expected u8"),
        ("/points/0/12", json!(10.0), "invalid type: floating point"),
        ("/points/0", json!([15]), "player 0 has 1 points, not 24"),
        ("/points/0", json!(vec![0; 25]), "player 0 has 25 points, not 24"),
        ("/points/0", json!({"13": 15}), "invalid type: map"),
        ("/points", json!([]), "points has 0 entries"),
        ("/bar", json!([0]), "bar has 1 entry; it needs one for each of the two players"),
        ("/off", json!([0, 0, 0]), "off has 3 entries"),
        ("/bar/1", json!(2), "player 1 has 16 pieces, not 15"),
        ("/off/0", json!(0), "player 0 has 13 pieces, not 15"),
    ];
    for (pointer, value, due) in cases {
        refuses(&Rules::default(), &[(*pointer, value.clone())], due);
    }
    // Player 0's 13 is player 1's 12.
    let shared = [("/points/1/11", json!(1)), ("/bar/1", json!(0))];
    refuses(
        &Rules::default(),
        &shared,
        "player 0's point 13 is player 1's point 12, and both have pieces there",
    );
}

#[test]
fn dice() {
    let cases: &[(Value, &str)] = &[
        (json!([]), "dice is [] in phase move; there are dice only in phase move"),
        (json!([0]), "dice has 0; a die shows 1 to 6"),
        (json!([7, 1]), "dice has 7; a die shows 1 to 6"),
        (json!([3, 5]), "dice is [3, 5]; it is two different dice in descending order"),
        (json!([5, 3, 1]), "dice is [5, 3, 1]"),
        (json!([5, 5, 3]), "dice is [5, 5, 3]"),
        (json!([5, 5, 5]), "dice has 3 entries; a double gives 2 moves"),
    ];
    for (dice, due) in cases {
        refuses(&Rules::default(), &[("/dice", dice.clone())], due);
    }
    refuses(&four(), &[("/dice", json!(vec![5; 5]))], "dice has 5 entries; a double gives 4 moves");
    refuses(&Rules::default(), &[("/phase", json!("roll"))], "dice is [5, 3] in phase roll");
    for (rules, dice) in [(Rules::default(), vec![5]), (Rules::default(), vec![3; 2]), (four(), vec![3; 3])] {
        let mut dict = sound();
        dict["dice"] = json!(dice);
        let state = read(rules, &dict.to_string()).expect("dice that can be left");
        assert_eq!(state.dice(), dice);
    }
}

#[test]
fn a_player_who_cannot_step_is_not_asked() {
    let blocked = [("/dice", json!([5])), ("/points/0/12", json!(0)), ("/off/0", json!(12))];
    // 6/1 is barred by the two on 24.
    refuses(
        &Rules::default(),
        &blocked,
        "player 0 has no legal step with [5], so the turn should have passed",
    );
}

#[test]
fn phases_players_and_turns() {
    let cases: &[(&str, Value, &str)] = &[
        ("/phase", json!("opening"), "player is 0 in phase opening"),
        ("/phase", json!("throw"), "unknown variant `throw`"),
        ("/phase", json!("over"), "player is 0 in phase over"),
        ("/player", json!(null), "player is null in phase move"),
        ("/player", json!(2), "player is 2; seats are 0 and 1"),
        ("/turn", json!(2001), "turn is 2001; max_turns is 2000"),
        ("/turn", json!(2000), "phase is move with turn 2000 and winner null"),
        ("/turn", json!(-1), "invalid value: integer `-1`, expected u16"),
        ("/winner", json!(0), "winner is 0, but by the pieces borne off it is null"),
        ("/points_won", json!(1), "points_won is 1, not 0"),
    ];
    for (pointer, value, due) in cases {
        refuses(&Rules::default(), &[(*pointer, value.clone())], due);
    }
    let opening = [("/phase", json!("opening")), ("/player", json!(null)), ("/dice", json!([]))];
    refuses(&Rules::default(), &opening, "phase opening is only for the start of a game");
    let over = [("/phase", json!("over")), ("/player", json!(null)), ("/dice", json!([]))];
    refuses(&Rules::default(), &over, "phase is over with turn 3 and winner null");
}

/// All of player 0's pieces are off.
fn won() -> Vec<(&'static str, Value)> {
    vec![
        ("/phase", json!("over")),
        ("/player", json!(null)),
        ("/dice", json!([])),
        ("/points/0", json!(vec![0; 24])),
        ("/off/0", json!(15)),
        ("/winner", json!(0)),
        ("/points_won", json!(1)),
    ]
}

#[test]
fn wins() {
    let with = |pointer: &'static str, value: Value| {
        let mut edits = won();
        edits.push((pointer, value));
        edits
    };
    let mut dict = sound();
    for (pointer, value) in won() {
        *dict.pointer_mut(pointer).expect("it is there") = value;
    }
    assert!(read(Rules::default(), &dict.to_string()).is_ok());
    refuses(
        &Rules::default(),
        &with("/winner", json!(1)),
        "winner is 1, but by the pieces borne off it is 0",
    );
    refuses(&Rules::default(), &with("/points_won", json!(2)), "points_won is 2, not 1");
    refuses(&Rules::default(), &with("/turn", json!(2000)), "turn is 2000; max_turns is 2000");
    let mut going_on = with("/phase", json!("roll"));
    going_on.push(("/player", json!(0)));
    refuses(&Rules::default(), &going_on, "phase is roll with turn 3 and winner 0");
    let mut both = with("/points/1", json!(vec![0; 24]));
    both.extend([("/bar/1", json!(0)), ("/off/1", json!(15))]);
    refuses(&Rules::default(), &both, "both players have borne off everything");
}

#[test]
fn keys() {
    let mut dict = sound();
    dict.as_object_mut().expect("an object").remove("winner");
    assert!(read(Rules::default(), &dict.to_string()).unwrap_err().contains("missing field `winner`"));
    dict["winner"] = json!(null);
    dict["cube"] = json!(1);
    assert!(read(Rules::default(), &dict.to_string()).unwrap_err().contains("unknown field `cube`"));
}

#[test]
fn a_state_whose_tables_disagree() {
    let t = thrown(Rules::default(), "13:10 6:5 | 24:2 20:2 8:6 2:5", 5, 3);
    let broken = |change: fn(&mut State)| {
        let mut state = t.state;
        change(&mut state);
        t.game.check(&state).expect_err("a broken state").to_string()
    };
    assert!(broken(|s| s.occupied[0] |= 1 << 20).contains("player 0's bits"));
    assert!(broken(|s| s.blocks[1] ^= 1 << 1).contains("player 1's bits"));
    assert!(broken(|s| s.steps[0] ^= 1 << 6).contains("the legal steps are not those"));
    assert!(broken(|s| s.left = 1).contains("do not give 1 moves"));
    assert!(broken(|s| s.left = 9).contains("do not give 9 moves"));
    assert!(broken(|s| s.dice = [3, 5]).contains("descending order"));
    assert!(broken(|s| s.player = Player(2)).contains("seats are 0 and 1"));
    let mut over = thrown(Rules { max_turns: 2, ..Rules::default() }, "bar1 1:14 | 6:8 5:7", 6, 5);
    assert_eq!(over.phase(), Phase::Over);
    over.state.player = Player(1);
    let error = over.game.check(&over.state).expect_err("somebody is to act").to_string();
    assert!(error.contains("nobody acts"));
}
