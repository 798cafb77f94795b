//! Observations: every part, seen from every seat.

use super::*;

impl Table {
    fn observation(&self, viewer: u8) -> Vec<i8> {
        // Every cell is written, whatever was there.
        let mut cells = vec![-7; Sho::OBSERVATION_LEN];
        self.game.observe(&self.state, Player(viewer), &mut cells);
        cells
    }

    fn part(&self, viewer: u8, name: &str) -> Vec<i8> {
        let part = Sho::OBSERVATION.iter().find(|part| part.name == name).expect("a part has this name");
        let cells = self.observation(viewer)[part.start..part.start + part.len].to_vec();
        assert!(cells.iter().all(|cell| (part.low..=part.high).contains(cell)), "{name}: {cells:?}");
        cells
    }
}

#[test]
fn parts_cover_every_cell_once() {
    let mut end = 0;
    for part in Sho::OBSERVATION {
        assert_eq!(part.start, end, "{}", part.name);
        end += part.len;
    }
    assert_eq!(end, Sho::OBSERVATION_LEN);
    assert_eq!(end, 287);
}

#[test]
fn single_players_see_themselves_first() {
    let t = Table::at(
        Rules::default(),
        &ROLL.replace("player=0", "player=1"),
        "10:1 h8 | 12:2 h6 o1 | h9 cleared",
    );
    let side = |viewer, seen: usize| {
        let track = t.part(viewer, "track");
        let plane = &track[64 * seen..][..64];
        let stacks: Vec<(usize, i8)> =
            plane.iter().copied().enumerate().filter(|&(_, coins)| coins != 0).collect();
        (stacks, t.part(viewer, "off")[seen], t.part(viewer, "cleared")[seen])
    };
    let sides =
        [(vec![(0, 8), (10, 1)], 0, 0), (vec![(0, 6), (12, 2)], 1, 0), (vec![(0, 9)], 0, 1), (vec![], 0, 0)];
    for viewer in 0..3 {
        for seen in 0..3 {
            assert_eq!(side(viewer, seen), sides[(viewer as usize + seen) % 3], "{viewer} sees {seen}");
        }
        assert_eq!(side(viewer, 3), sides[3]);
    }
    assert_eq!(t.part(0, "to_act"), [0, 1, 0, 0]);
    assert_eq!(t.part(1, "to_act"), [1, 0, 0, 0]);
    assert_eq!(t.part(2, "to_act"), [0, 0, 1, 0]);
}

#[test]
fn partners_see_the_same_sides_and_their_own_seats() {
    let rules = Rules { players: 4, teams: true, ..Rules::default() };
    let t = Table::at(rules, &ROLL.replace("player=0", "player=3"), "10:1 h8 | 12:2 h7");
    for viewer in 0..4 {
        let track = t.part(viewer, "track");
        let (own, other) = if viewer % 2 == 0 { (10, 12) } else { (12, 10) };
        assert!(track[own] != 0 && track[64 + other] != 0, "{viewer}");
        assert_eq!(track[128..], [0; 128]);
        let mut seats = [0; 4];
        seats[(3 + 4 - viewer as usize) % 4] = 1;
        assert_eq!(t.part(viewer, "to_act"), seats);
    }
    assert_eq!(t.part(0, "track"), t.part(2, "track"));
    assert_eq!(t.part(1, "track"), t.part(3, "track"));
}

#[test]
fn phase_pool_value_and_moved() {
    let mut t = Table::new(Rules { six_three: true, max_turns: 100, ..flexible() }, "10:1 60:1 h7 | h9");
    let phase = |t: &Table| t.part(0, "phase").iter().position(|&cell| cell == 1);
    assert_eq!(phase(&t), Some(1));
    assert_eq!(t.part(0, "turns_left"), [100]);
    t.roll(1, 1);
    assert_eq!((phase(&t), t.part(0, "pool")), (Some(2), vec![2, 0, 0, 0, 0, 0, 0, 0]));
    t.roll(6, 3);
    assert_eq!((phase(&t), t.part(1, "pool")), (Some(3), vec![2, 9, 0, 0, 0, 0, 0, 0]));
    assert_eq!((t.part(0, "six_three_roll"), t.part(0, "value")), (vec![1], vec![0]));
    t.play("value 4");
    assert_eq!((phase(&t), t.part(0, "value"), t.part(0, "moved")), (Some(4), vec![4], vec![0]));
    t.play("60/off");
    assert_eq!((t.part(0, "value"), t.part(0, "moved")), (vec![7], vec![64]));
    assert_eq!((t.part(0, "six_three_roll"), t.part(0, "off")), (vec![0], vec![1, 0, 0, 0]));
    t.play("10/17");
    assert_eq!((t.part(0, "turns_left"), t.part(0, "to_act")), (vec![99], vec![0, 1, 0, 0]));
}

#[test]
fn first_overflow_over_and_far_from_the_end() {
    let mut t = Table::new(Rules { finish_overflow: true, ..two() }, "59:2 30:7 | h9");
    assert_eq!(t.part(0, "turns_left"), [127]);
    t.roll(5, 6).play("59/off");
    assert_eq!((t.part(0, "phase"), t.part(0, "value")), (vec![0, 0, 0, 0, 0, 1, 0], vec![6]));
    let random = Rules { first_player: crate::FirstPlayer::Random, ..two() };
    let t = Table::start(random);
    assert_eq!((t.part(1, "phase"), t.part(1, "to_act")), (vec![1, 0, 0, 0, 0, 0, 0], vec![0; 4]));
    let mut t = Table::new(two(), "60:1 o8 | h9");
    t.roll(5, 6).play("60/off");
    assert_eq!((t.part(1, "phase"), t.part(1, "to_act")), (vec![0, 0, 0, 0, 0, 0, 1], vec![0; 4]));
}

#[test]
#[should_panic(expected = "LEN cells")]
fn an_observation_of_another_length_is_a_bug() {
    let t = Table::start(two());
    t.game.observe(&t.state, Player(0), &mut [0; 3]);
}
