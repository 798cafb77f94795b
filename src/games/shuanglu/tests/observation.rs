//! Observations: every part, seen from both seats.

use super::*;

impl Table {
    fn part(&self, viewer: u8, name: &str) -> Vec<i8> {
        // Every cell is written, whatever was there.
        let mut cells = vec![-7; Shuanglu::OBSERVATION_LEN];
        self.game.observe(&self.state, Player(viewer), &mut cells);
        let part = Shuanglu::OBSERVATION.iter().find(|part| part.name == name).expect("a part has this name");
        let cells = cells[part.start..part.start + part.len].to_vec();
        assert!(cells.iter().all(|cell| (part.low..=part.high).contains(cell)), "{name}: {cells:?}");
        cells
    }
}

/// Pieces on points 1 to 24.
fn plane<const N: usize>(places: [(usize, i8); N]) -> Vec<i8> {
    let mut plane = vec![0; 24];
    for (point, pieces) in places {
        plane[point - 1] = pieces;
    }
    plane
}

#[test]
fn parts_cover_every_cell_once() {
    let mut end = 0;
    for part in Shuanglu::OBSERVATION {
        assert_eq!(part.start, end, "{}", part.name);
        end += part.len;
    }
    assert_eq!(end, Shuanglu::OBSERVATION_LEN);
    assert_eq!(end, 65);
}

#[test]
fn both_players_stand_by_the_viewers_numbers() {
    let t = Table::new(Rules::default(), "bar2 24:1 6:10 off2 | bar3 24:4 13:1 2:2 off5");
    assert_eq!(t.part(0, "own"), plane([(24, 1), (6, 10)]));
    assert_eq!(t.part(0, "enemy"), plane([(1, 4), (12, 1), (23, 2)]));
    assert_eq!(t.part(0, "bar"), [2, 3]);
    assert_eq!(t.part(0, "off"), [2, 5]);
    assert_eq!(t.part(0, "to_act"), [1, 0]);
    assert_eq!(t.part(1, "own"), plane([(24, 4), (13, 1), (2, 2)]));
    assert_eq!(t.part(1, "enemy"), plane([(1, 1), (19, 10)]));
    assert_eq!(t.part(1, "bar"), [3, 2]);
    assert_eq!(t.part(1, "off"), [5, 2]);
    assert_eq!(t.part(1, "to_act"), [0, 1]);
}

#[test]
fn a_position_looks_the_same_from_the_other_seat_with_the_players_exchanged() {
    let players = ["bar1 24:1 13:7 6:6", "22:2 8:9 3:2 off2"];
    let one = Table::new(Rules::default(), &players.join("|"));
    let head = ROLL.replace("player=0", "player=1");
    let other = Table::at(Rules::default(), &head, &[players[1], players[0]].join("|"));
    for viewer in 0..2 {
        for part in Shuanglu::OBSERVATION {
            assert_eq!(one.part(viewer, part.name), other.part(1 - viewer, part.name), "{}", part.name);
        }
    }
}

#[test]
fn dice_phase_and_turns_left() {
    let mut t = Table::start(Rules { max_turns: 100, ..four() });
    assert_eq!((t.part(1, "phase"), t.part(1, "to_act")), (vec![1, 0, 0, 0], vec![0, 0]));
    assert_eq!((t.part(0, "dice"), t.part(0, "turns_left")), (vec![0; 6], vec![100]));
    t.open(3, 5);
    assert_eq!((t.part(0, "phase"), t.part(0, "to_act")), (vec![0, 0, 1, 0], vec![0, 1]));
    assert_eq!(t.part(0, "dice"), [0, 0, 1, 0, 1, 0]);
    assert_eq!(t.part(1, "dice"), t.part(0, "dice"));
    t.play("8/3");
    assert_eq!(t.part(0, "dice"), [0, 0, 1, 0, 0, 0]);
    t.play("6/3");
    assert_eq!((t.part(0, "phase"), t.part(0, "to_act")), (vec![0, 1, 0, 0], vec![1, 0]));
    assert_eq!((t.part(0, "dice"), t.part(0, "turns_left")), (vec![0; 6], vec![99]));
    t.roll(2, 2);
    for left in (1..=4).rev() {
        assert_eq!(t.part(0, "dice"), [0, left, 0, 0, 0, 0]);
        t.play(if left > 2 { "13/11" } else { "6/4" });
    }
    assert_eq!((t.part(0, "phase"), t.part(0, "turns_left")), (vec![0, 1, 0, 0], vec![98]));
    assert_eq!(Table::start(Rules::default()).part(0, "turns_left"), [127]);
}

#[test]
fn over() {
    let mut t = thrown(Rules::default(), "5:1 off14 | 6:15", 5, 2);
    t.play("5/off");
    assert_eq!((t.part(1, "phase"), t.part(1, "to_act")), (vec![0, 0, 0, 1], vec![0, 0]));
    assert_eq!((t.part(0, "off"), t.part(0, "dice")), (vec![15, 0], vec![0; 6]));
}

#[test]
#[should_panic(expected = "LEN cells")]
fn an_observation_of_another_length_is_a_bug() {
    let t = Table::start(Rules::default());
    t.game.observe(&t.state, Player(0), &mut [0; 3]);
}
