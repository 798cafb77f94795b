//! Moves and action ids, names, the dict and the line of text.

use super::*;
use crate::games::sho::Move;

#[test]
fn every_action_is_one_move() {
    for id in 0..Sho::NUM_ACTIONS as u16 {
        let due = match id {
            0..64 => Move::Source(id as u8),
            64..128 => Move::Value((id - 63) as u8),
            128 => Move::BringAll,
            _ => Move::Decline,
        };
        assert_eq!(Move::from_action(Action(id)), Some(due));
        assert_eq!(due.action(), Action(id));
    }
    assert_eq!(Sho::NUM_ACTIONS, 130);
    for id in [130, 191, 192, u16::MAX] {
        assert_eq!(Move::from_action(Action(id)), None);
    }
}

#[test]
fn throws_have_names() {
    let t = Table::start(two());
    let names: Vec<String> = (0..21).map(|o| t.game.outcome_name(&t.state, Outcome(o))).collect();
    assert_eq!([&names[0], &names[1], &names[6], &names[20]], ["1-1", "1-2", "2-2", "6-6"]);
    assert_eq!(t.game.max_chance_outcomes(), 21);
}

#[test]
fn the_dict_has_the_keys_of_the_rule_book() {
    let mut t = Table::new(Rules { six_three: true, ..flexible() }, "10:1 20:1 h7 | h9 cleared");
    let json = |t: &Table| serde_json::to_string(&t.game.to_dict(&t.state)).expect("plain data");
    assert_eq!(
        json(&t),
        concat!(
            r#"{"phase":"roll","player":0,"sides":[{"hand":7,"off":0,"stacks":{"10":1,"20":1},"cleared":false},"#,
            r#"{"hand":9,"off":0,"stacks":{},"cleared":true}],"pool":[],"six_three_roll":false,"#,
            r#""value":null,"moved":null,"turn":0,"winner":null}"#
        )
    );
    t.roll(1, 1).roll(6, 3).play("value 4");
    assert!(
        json(&t).ends_with(
            r#""pool":[2,9],"six_three_roll":true,"value":4,"moved":null,"turn":0,"winner":null}"#
        )
    );
    t.play("10/14");
    assert!(
        json(&t)
            .ends_with(r#""pool":[7],"six_three_roll":false,"value":7,"moved":14,"turn":0,"winner":null}"#)
    );
}

#[test]
fn the_text_is_one_line() {
    let mut t = Table::new(two(), "10:1 23:2 h6 | 12:1 40:2 h6");
    t.roll(1, 1).roll(5, 6).play("value 2");
    assert_eq!(
        t.game.text(&t.state),
        "source player=0 turn=0 pool=2,11 value=2 moved=- six_three_roll=false winner=- \
         | hand=6 off=0 cleared=false 10:1 23:2 | hand=6 off=0 cleared=false 12:1 40:2"
    );
}

#[test]
fn a_text_in_another_form_is_refused() {
    let good = line(ROLL, "10:1 h8 | h9");
    let cases = [
        (String::new(), "a position must begin with its phase"),
        (good.replace("roll ", "rolling "), "a position must begin with its phase, not 'rolling'"),
        (good.replace("turn=0 ", ""), "expected 'turn=...', but found 'pool=-'"),
        (good.replace("turn=0", "turn=-1"), "'-1' is not a valid value there"),
        (good.replace("pool=-", "pool=2,x"), "'x' is not a valid value there"),
        (good.replace("winner=-", "winner=- more"), "unexpected word 'more'"),
        (good.replace("10:1", "10-1"), "a stack is written position:size, not '10-1'"),
        (good.replace("10:1", "10:1 10:1"), "position 10 is written twice"),
        (good.replace("cleared=false 10", "10"), "expected 'cleared=...'"),
        (good.clone() + " | hand=9 off=0 cleared=false", "sides has 3 entries, not 2"),
    ];
    for (text, due) in cases {
        let error = refused::<Sho>(two(), &text);
        assert!(error.starts_with(due), "{text}: {error}");
    }
}

#[test]
fn names_mark_kills_stacks_and_finishes() {
    let mut t = Table::new(two(), "10:1 12:1 60:1 h6 | 16:1 h8");
    t.roll(3, 3);
    assert_eq!(t.legal(), ["hand/6", "10/16*", "12/18", "60/off"]);
    t = Table::new(two(), "10:1 12:1 60:1 h6 | 16:1 h8");
    t.roll(1, 1).roll(2, 2);
    assert_eq!(t.name(Action(63 + 4)), "value 4");
    assert_eq!(t.pairs()[..4], ["hand/2", "10/12+", "12/14", "60/62"]);
}
