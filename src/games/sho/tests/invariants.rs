//! What `check` and the readers refuse: one broken invariant at a time.

use serde_json::{Value, json};

use super::*;
use crate::rules::FirstPlayer;

/// A sound position; each case breaks it in one place.
fn sound() -> Value {
    json!({
        "phase": "roll", "player": 0,
        "sides": [
            {"hand": 6, "off": 0, "stacks": {"10": 1, "23": 2}, "cleared": false},
            {"hand": 9, "off": 0, "stacks": {}, "cleared": true},
        ],
        "pool": [], "six_three_roll": false, "value": null, "moved": null, "turn": 3, "winner": null,
    })
}

fn read(rules: Rules, json: &str) -> Result<State, String> {
    let game = Sho::new(rules).expect("the rules are valid");
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
    let state = read(two(), &sound().to_string()).expect("nothing is broken");
    assert_eq!((state.turn, state.hand[0], state.size[23]), (3, 6, 2));
}

#[test]
fn coins() {
    let cases: &[(&str, Value, &str)] = &[
        ("/sides/0/hand", json!(7), "side 0 has 10 coins, not 9"),
        ("/sides/0/hand", json!(5), "side 0 has 8 coins, not 9"),
        ("/sides/0/hand", json!(-1), "invalid value: integer `-1`, expected u8"),
        ("/sides/0/hand", json!(6.0), "invalid type: floating point"),
        ("/sides/0/off", json!(1), "side 0 has 10 coins, not 9"),
        ("/sides/0/stacks", json!({"10": -1, "23": 4}), "invalid value: integer `-1`, expected u8"),
        ("/sides/0/stacks", json!({"10": 0, "23": 3}), "a stack of no coins on 10"),
        ("/sides/0/stacks", json!({"0": 1, "23": 2}), "a stack on 0; positions are 1 to 63"),
        ("/sides/0/stacks", json!({"64": 1, "23": 2}), "a stack on 64; positions are 1 to 63"),
        ("/sides/0/stacks", json!({"010": 1, "23": 2}), "a position is written like \"10\""),
        ("/sides/0/stacks", json!({"+10": 1, "23": 2}), "a position is written like \"10\""),
        ("/sides/0/stacks", json!({"ten": 1, "23": 2}), "a position is written like \"10\""),
        ("/sides/0/stacks", json!([10, 23]), "a map from positions"),
        ("/sides/0/cleared", json!(true), "side 0 is cleared with 6 of its 9 coins in hand"),
        ("/sides/0/cleared", json!(0), "invalid type: integer `0`, expected a boolean"),
        (
            "/sides/1",
            json!({"hand": 8, "off": 0, "stacks": {"10": 1}, "cleared": false}),
            "two sides are on position 10",
        ),
        ("/sides", json!([]), "sides has 0 entries, not 2"),
    ];
    for (pointer, value, due) in cases {
        refuses(&two(), &[(*pointer, value.clone())], due);
    }
    let short = Rules { num_shells: 20, ..two() };
    refuses(&short, &[], "a stack on 23; positions are 1 to 19");
    let no_niner = Rules { niner_stack: false, ..two() };
    let all = json!({"hand": 0, "off": 0, "stacks": {"10": 9}, "cleared": false});
    refuses(&no_niner, &[("/sides/0", all)], "a stack of all 9 coins");
}

#[test]
fn a_state_whose_tables_disagree() {
    let t = Table::new(two(), "10:1 h8 | h9");
    let broken = |change: fn(&mut State)| {
        let mut state = t.state;
        change(&mut state);
        t.game.check(&state).expect_err("an invariant is broken").to_string()
    };
    assert!(broken(|s| s.size[30] = 1).contains("coins that belong to nobody"));
    assert!(broken(|s| s.track[1] |= 1 << 10).contains("two sides are on one position"));
    assert!(broken(|s| s.track[0] |= 1 << 30).contains("a stack without coins"));
    assert!(broken(|s| s.track[0] |= 1).contains("a stack is off the track"));
    assert!(broken(|s| s.hand[2] = 1).contains("side 2 has 1 coins, not 0"));
    assert!(broken(|s| s.cleared = 4).contains("side 2 is cleared"));
    assert!(broken(|s| s.player = Player(2)).contains("player is 2; seats are 0 to 1"));
}

#[test]
fn keys() {
    for key in ["phase", "player", "sides", "pool", "six_three_roll", "value", "moved", "turn", "winner"] {
        let mut dict = sound();
        dict.as_object_mut().expect("an object").remove(key);
        let error = read(two(), &dict.to_string()).expect_err(key);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    for key in ["hand", "off", "stacks", "cleared"] {
        let mut dict = sound();
        dict["sides"][0].as_object_mut().expect("an object").remove(key);
        let error = read(two(), &dict.to_string()).expect_err(key);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let mut dict = sound();
    dict["dice"] = json!([1, 2]);
    assert!(read(two(), &dict.to_string()).expect_err("dice").contains("unknown field `dice`"));
    let mut dict = sound();
    dict["sides"][1]["name"] = json!("B");
    assert!(read(two(), &dict.to_string()).expect_err("name").contains("unknown field `name`"));
    let text = sound().to_string();
    for (once, twice, due) in [
        (r#""turn":3"#, r#""turn":3,"turn":3"#, "duplicate field `turn`"),
        (r#""off":0"#, r#""off":0,"off":0"#, "duplicate field `off`"),
        (r#""10":1"#, r#""10":1,"10":1"#, "position 10 is written twice"),
    ] {
        let doubled = text.replacen(once, twice, 1);
        assert_ne!(doubled, text);
        let error = read(two(), &doubled).expect_err(due);
        assert!(error.contains(due), "{error}");
    }
}

#[test]
fn who_acts() {
    refuses(&two(), &[("/player", Value::Null)], "player is null in phase roll");
    refuses(&two(), &[("/player", json!(2))], "player is 2; seats are 0 to 1");
    refuses(&two(), &[("/phase", json!("throw"))], "unknown variant `throw`");
    refuses(&two(), &[("/phase", json!("first"))], "player is 0 in phase first");
    let first = [("/phase", json!("first")), ("/player", Value::Null)];
    refuses(&two(), &first, "phase first is only for the start of a game");
    refuses(
        &Rules { first_player: FirstPlayer::Random, ..two() },
        &first,
        "phase first is only for the start of a game",
    );
    // Nothing can move by 8: the turn would have passed.
    let stuck = [
        ("/phase", json!("source")),
        ("/pool", json!([8])),
        ("/value", json!(8)),
        ("/sides/0", json!({"hand": 9, "off": 0, "stacks": {}, "cleared": true})),
        ("/sides/1", json!({"hand": 7, "off": 0, "stacks": {"8": 2}, "cleared": false})),
    ];
    refuses(&two(), &stuck, "player 0 has no legal action in phase source");
}

#[test]
fn the_end() {
    let won = json!({"hand": 0, "off": 9, "stacks": {}, "cleared": false});
    refuses(&two(), &[("/winner", json!(0))], "winner is 0, but no side has all its coins off");
    refuses(&two(), &[("/sides/0", won.clone())], "winner is null, but side 0 has all its coins off");
    let wrong = [("/sides/0", won.clone()), ("/winner", json!(1))];
    refuses(&two(), &wrong, "winner is 1, but side 0 has all its coins off");
    let both = [
        ("/sides/0", won.clone()),
        ("/sides/1", won.clone()),
        ("/winner", json!(0)),
        ("/phase", json!("over")),
        ("/player", Value::Null),
    ];
    refuses(&two(), &both, "two sides have all their coins off");
    refuses(&two(), &[("/sides/0", won.clone()), ("/winner", json!(0))], "phase is roll");
    let over = [("/phase", json!("over")), ("/player", Value::Null)];
    refuses(&two(), &over, "phase is over with turn 3");
    refuses(&two(), &[("/phase", json!("over"))], "player is 0 in phase over");
    refuses(&Rules { max_turns: 3, ..two() }, &[], "phase is roll with turn 3");
    refuses(&Rules { max_turns: 2, ..two() }, &over, "turn is 3; max_turns is 2");
    refuses(&two(), &[("/turn", json!(65536))], "invalid value: integer `65536`, expected u16");
    let late = [over[0].clone(), over[1].clone(), ("/sides/0", won), ("/winner", json!(0))];
    refuses(&Rules { max_turns: 3, ..two() }, &late, "turn is 3; max_turns is 3");
    let thrown = [late.as_slice(), &[("/pool", json!([2]))]].concat();
    refuses(&two(), &thrown, "the pool has 1 values in phase over");
}

#[test]
fn the_pool() {
    let value = ("/phase", json!("value"));
    let value_phase = |pool: Value| [value.clone(), ("/pool", pool)];
    refuses(&two(), &value_phase(json!(vec![2; 9])), "the pool has 9 values; it holds at most 8");
    refuses(&two(), &value_phase(json!([5, 2])), "is not in ascending order");
    refuses(&two(), &value_phase(json!([2, 13])), "the pool holds 13; its values are 2 to 12");
    refuses(&two(), &value_phase(json!([1, 2])), "the pool holds 1; its values are 2 to 12");
    refuses(&two(), &value_phase(json!([5])), "the pool has 1 values in phase value");
    refuses(&two(), &[("/pool", json!(vec![2; 8]))], "the pool has 8 values in phase roll");
    refuses(&flexible(), &[("/pool", json!([2]))], "the pool has 1 values in phase roll");
    refuses(&flexible(), &value_phase(json!([5, 6])), "throws of 1-1 and another throw");
    let none = Rules { pa_ra: PaRa::None, ..two() };
    refuses(&none, &value_phase(json!([2, 5])), "there is no phase value with pa_ra=\"none\"");
    let reroll = |pool: Value| [("/phase", json!("reroll")), ("/pool", pool)];
    refuses(&none, &reroll(json!([2])), "there is no phase reroll with pa_ra=\"none\"");
    refuses(&two(), &reroll(json!([])), "the pool has 0 values in phase reroll");
    refuses(&two(), &reroll(json!([3])), "phase reroll follows a throw of 1-1");
    refuses(&two(), &reroll(json!(vec![2; 8])), "the pool has 8 values in phase reroll");
    refuses(&flexible(), &reroll(json!([2, 5])), "phase reroll follows a throw of 1-1");
}

#[test]
fn value_and_moved() {
    let source =
        |pool: Value, value: Value| [("/phase", json!("source")), ("/pool", pool), ("/value", value)];
    refuses(&two(), &[("/value", json!(5))], "value is 5 in phase roll");
    refuses(&two(), &source(json!([5]), Value::Null), "value is 0, which the pool [5] does not offer");
    refuses(&two(), &source(json!([5]), json!(4)), "value is 4, which the pool [5] does not offer");
    refuses(&two(), &source(json!([2, 5]), json!(6)), "value is 6, which the pool [2, 5] does not offer");
    refuses(&two(), &source(json!([5]), json!(0)), "value is 0; it is null or 1 to 64");
    refuses(&two(), &source(json!([5]), json!(65)), "value is 65; it is null or 1 to 64");
    refuses(&two(), &source(json!([]), json!(5)), "the pool has 0 values in phase source");
    let moved = |at: Value| [source(json!([5]), json!(5)).as_slice(), &[("/moved", at)]].concat();
    refuses(&two(), &moved(json!(10)), "moved is 10; it must be the position");
    refuses(&flexible(), &moved(json!(11)), "moved is 11; it must be the position");
    refuses(&flexible(), &moved(json!(64)), "moved is 64; it must be the position");
    refuses(&flexible(), &moved(json!(0)), "moved is 0; it is null or 1 to 64");
    refuses(&flexible(), &[("/moved", json!(10))], "moved is 10; it must be the position");
    let two_left = [source(json!([2, 5]), json!(5)).as_slice(), &[("/moved", json!(10))]].concat();
    refuses(&flexible(), &two_left, "the pool has 2 values in phase source");
    let far = [source(json!([26]), json!(26)).as_slice(), &[("/moved", json!(10))]].concat();
    refuses(&flexible(), &far, "the pool holds 26; its values are 1 to 25");
}

#[test]
fn overflow() {
    let overflow = |value: Value| [("/phase", json!("overflow")), ("/value", value)];
    refuses(&two(), &overflow(json!(5)), "phase overflow needs finish_overflow=true");
    let rules = Rules { finish_overflow: true, ..two() };
    refuses(&rules, &overflow(json!(5)), "phase overflow follows a finish");
    let finished = ("/sides/0", json!({"hand": 0, "off": 8, "stacks": {"10": 1}, "cleared": false}));
    let after = |value: Value| [overflow(value).as_slice(), std::slice::from_ref(&finished)].concat();
    refuses(&rules, &after(Value::Null), "phase overflow follows a finish, but value is 0");
    refuses(&rules, &after(json!(64)), "phase overflow follows a finish, but value is 64");
    let blocked = ("/sides/1", json!({"hand": 7, "off": 0, "stacks": {"15": 2}, "cleared": false}));
    refuses(
        &rules,
        &[after(json!(5)).as_slice(), &[blocked]].concat(),
        "nothing can move by the overflow of 5",
    );
    let full = [after(json!(5)).as_slice(), &[("/pool", json!(vec![2; 8]))]].concat();
    refuses(&rules, &full, "the pool has 8 values in phase overflow");
}

#[test]
fn six_three_roll() {
    let rules = Rules { six_three: true, ..two() };
    let mark = ("/six_three_roll", json!(true));
    let source = |value: u8| {
        [mark.clone(), ("/phase", json!("source")), ("/pool", json!([value])), ("/value", json!(value))]
    };
    refuses(&two(), &source(9), "six_three_roll is true in phase source");
    refuses(&rules, &source(8), "six_three_roll is true in phase source with the pool [8]");
    refuses(&rules, &[mark.clone(), ("/turn", json!(0))], "six_three_roll is true in phase roll");
    refuses(&rules, &[mark.clone(), ("/pool", json!([9]))], "six_three_roll is true in phase roll");
    let reroll = [mark, ("/phase", json!("reroll")), ("/pool", json!([2, 9]))];
    refuses(&rules, &reroll, "six_three_roll is true in phase reroll");
}
