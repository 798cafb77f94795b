//! Steps and action ids, names, the dict and the line of text.

use super::*;
use crate::games::shuanglu::Step;

#[test]
fn every_action_is_one_step() {
    for id in 0..Shuanglu::NUM_ACTIONS as u16 {
        let due = Step { die: (id / 25 + 1) as u8, source: (id % 25) as u8 };
        assert_eq!(Step::from_action(Action(id)), Some(due));
        assert_eq!(due.action(), Action(id));
    }
    assert_eq!(Shuanglu::NUM_ACTIONS, 150);
    for id in [150, 191, 192, u16::MAX] {
        assert_eq!(Step::from_action(Action(id)), None);
    }
}

#[test]
fn every_id_is_played_as_its_step() {
    for die in 1..=6u8 {
        for point in die + 1..=24 {
            let t = thrown(Rules::default(), &format!("{point}:1 off14 | bar1 off14"), die, die);
            let due = Step { die, source: point }.action();
            assert_eq!(t.actions(), [due], "{point}/{}", point - die);
            assert_eq!(t.name(due), format!("{point}/{}", point - die));
        }
        let t = thrown(Rules::default(), "bar1 off14 | bar1 off14", die, die);
        assert_eq!(t.actions(), [Step { die, source: 0 }.action()]);
        for point in 1..=die {
            let t = thrown(overshoot(), &format!("{point}:1 off14 | bar1 off14"), die, die);
            assert_eq!(t.actions(), [Step { die, source: point }.action()]);
        }
    }
}

#[test]
fn throws_have_names() {
    let mut t = Table::start(Rules::default());
    let names: Vec<String> = (0..30).map(|o| t.game.outcome_name(&t.state, Outcome(o))).collect();
    assert_eq!([&names[0], &names[4], &names[5], &names[29]], ["1-2", "1-6", "2-1", "6-5"]);
    t.open(6, 5).play("24/18").play("18/13");
    let names: Vec<String> = (0..21).map(|o| t.game.outcome_name(&t.state, Outcome(o))).collect();
    assert_eq!([&names[0], &names[1], &names[6], &names[20]], ["1-1", "1-2", "2-2", "6-6"]);
}

#[test]
fn names_of_steps() {
    let t = thrown(Rules::default(), "13:15 | 17:1 6:14", 5, 2);
    assert_eq!(t.legal(), ["13/11", "13/8*"]);
    let t = thrown(Rules::default(), "bar1 13:14 | 4:1 6:14", 4, 5);
    assert_eq!(t.legal(), ["bar/21*", "bar/20"]);
    let t = thrown(overshoot(), "4:2 3:1 off12 | 6:15", 6, 4);
    assert_eq!(t.legal(), ["4/off", "4/off(6)"]);
    assert_eq!(t.name(Action(150)), "action 150");
}

fn json(t: &Table) -> String {
    serde_json::to_string(&t.game.to_dict(&t.state)).expect("plain data")
}

#[test]
fn the_dict_has_the_keys_of_the_rule_book() {
    let mut t = Table::start(four());
    let points = "[0,0,0,0,0,5,0,3,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,2]";
    assert_eq!(
        json(&t),
        format!(
            r#"{{"phase":"opening","player":null,"points":[{points},{points}],"bar":[0,0],"off":[0,0],"dice":[],"turn":0,"winner":null,"points_won":0}}"#
        )
    );
    t.open(3, 5);
    assert!(json(&t).starts_with(r#"{"phase":"move","player":1,"#));
    assert!(json(&t).ends_with(r#""dice":[5,3],"turn":0,"winner":null,"points_won":0}"#));
    t.play("8/3").play("6/3").roll(2, 2);
    assert!(json(&t).ends_with(r#""dice":[2,2,2,2],"turn":1,"winner":null,"points_won":0}"#));
    t.play("13/11");
    assert!(json(&t).contains(r#""dice":[2,2,2],"#));
    t.play("13/11").play("6/4");
    assert!(json(&t).contains(r#""dice":[2],"#));
}

#[test]
fn the_dict_of_a_win() {
    let mut t = thrown(Rules { scoring: Scoring::Gammon, ..Rules::default() }, "5:1 off14 | bar1 6:14", 5, 2);
    t.play("5/off");
    assert!(json(&t).starts_with(r#"{"phase":"over","player":null,"#), "{}", json(&t));
    assert!(json(&t).ends_with(r#""bar":[0,1],"off":[15,0],"dice":[],"turn":1,"winner":0,"points_won":3}"#));
}

#[test]
fn the_text_is_one_line() {
    let t = thrown(Rules::default(), "bar1 13:13 2:1 | 24:2 6:10 off3", 5, 2);
    assert_eq!(
        t.game.text(&t.state),
        "move player=0 turn=1 dice=5,2 winner=- points_won=0 \
         | bar=1 off=0 13:13 2:1 | bar=0 off=3 24:2 6:10"
    );
}

#[test]
fn a_text_in_another_form_is_refused() {
    let good = line(ROLL, "13:15 | 6:15");
    let cases = [
        (String::new(), "a position must begin with its phase"),
        (good.replace("roll ", "rolling "), "a position must begin with its phase, not 'rolling'"),
        (good.replace("turn=1 ", ""), "expected 'turn=...', but found 'dice=-'"),
        (good.replace("turn=1", "turn=-1"), "'-1' is not a valid value there"),
        (good.replace("dice=-", "dice=2,x"), "'x' is not a valid value there"),
        (good.replace("points_won=0", "points_won=0 more"), "unexpected word 'more'"),
        (good.replace("13:15", "13-15"), "a point is written point:pieces, not '13-15'"),
        (good.replace("13:15", "13:7 13:8"), "point 13 is written twice"),
        (good.replace("13:15", "13:15 12:0"), "point 12 is written with no pieces"),
        (good.replace("13:15", "0:15"), "there is no point 0; points are 1 to 24"),
        (good.replace("13:15", "25:15"), "there is no point 25; points are 1 to 24"),
        (good.replace("bar=0 off=0 13", "13"), "expected 'bar=...', but found '13:15'"),
        (good.clone() + " | bar=0 off=0 6:15", "points has 3 entries"),
    ];
    for (text, due) in cases {
        let error = refused::<Shuanglu>(Rules::default(), &text);
        assert!(error.starts_with(due), "{text}: {error}");
    }
}
