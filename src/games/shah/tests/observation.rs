//! Observations: every part, seen from both seats.

use super::*;

impl Table {
    fn part(&self, viewer: u8, name: &str) -> Vec<i8> {
        // Every cell is written, whatever was there.
        let mut cells = vec![-7; Shah::OBSERVATION_LEN];
        self.game.observe(&self.state, Player(viewer), &mut cells);
        let part = Shah::OBSERVATION.iter().find(|part| part.name == name).expect("a part has this name");
        let cells = cells[part.start..part.start + part.len].to_vec();
        assert!(cells.iter().all(|cell| (part.low..=part.high).contains(cell)), "{name}: {cells:?}");
        cells
    }

    fn points(&self, viewer: u8, name: &str) -> Vec<usize> {
        let cells = self.part(viewer, name);
        cells.iter().enumerate().filter(|(_, cell)| **cell == 1).map(|(point, _)| point).collect()
    }
}

#[test]
fn parts_cover_every_cell_once() {
    let mut end = 0;
    for part in Shah::OBSERVATION {
        assert_eq!(part.start, end, "{}", part.name);
        end += part.len;
    }
    assert_eq!((end, Shah::OBSERVATION_LEN), (113, 113));
}

#[test]
fn each_player_sees_the_own_stones_first() {
    let mut t = Table::start(Rules { first_player: FirstPlayer::Seat(Player(1)), ..Rules::default() });
    t.plays("a7 b6 d7 d6 g7");
    for (viewer, own, enemy, hand) in
        [(0, vec![3, 4], vec![0, 1, 2], [10, 9]), (1, vec![0, 1, 2], vec![3, 4], [9, 10])]
    {
        assert_eq!((t.points(viewer, "own"), t.points(viewer, "enemy")), (own, enemy));
        assert_eq!(t.points(viewer, "empty"), (5..24).collect::<Vec<_>>());
        assert!(t.points(viewer, "lifted").is_empty());
        assert_eq!(t.part(viewer, "hand"), hand);
        assert_eq!(t.part(viewer, "phase"), [0, 1, 0, 0, 0, 0]);
        assert_eq!((t.part(viewer, "placing"), t.part(viewer, "opening_removals")), (vec![1], vec![2]));
    }
    assert_eq!((t.part(0, "to_act"), t.part(1, "to_act")), (vec![1, 0], vec![0, 1]));
    assert_eq!((t.part(0, "beginner"), t.part(1, "beginner")), (vec![0, 1], vec![1, 0]));
}

#[test]
fn phases_first_remove_slide_land_and_over() {
    let t = Table::start(Rules { first_player: FirstPlayer::Random, ..Rules::default() });
    assert_eq!((t.part(1, "phase"), t.part(1, "to_act")), (vec![1, 0, 0, 0, 0, 0], vec![0, 0]));
    assert_eq!(t.part(0, "beginner"), [0, 0]);
    let rules = Rules { flying: true, ..Rules::default() };
    let mut t = Table::moving(rules, &[0, 1, 15], &[3, 4, 20], 0);
    assert_eq!((t.part(0, "phase"), t.part(0, "to_act")), (vec![0, 0, 0, 1, 0, 0], vec![1, 0]));
    assert_eq!((t.part(0, "placing"), t.part(0, "extra")), (vec![0], vec![0]));
    t.plays("fly:c3");
    assert_eq!((t.part(1, "phase"), t.points(1, "lifted")), (vec![0, 0, 0, 0, 1, 0], vec![15]));
    assert_eq!(t.points(1, "enemy"), [0, 1]);
    t.plays("g7");
    assert_eq!((t.part(1, "phase"), t.points(1, "lifted")), (vec![0, 0, 1, 0, 0, 0], vec![]));
    t.plays("xb6");
    assert_eq!((t.part(0, "phase"), t.part(0, "to_act")), (vec![0, 0, 0, 0, 0, 1], vec![0, 0]));
    let t = Table::extra(Rules::default(), &[1, 9, 14, 22], &[0, 2, 21], 0);
    assert_eq!((t.part(0, "extra"), t.part(1, "extra")), (vec![1], vec![1]));
}

#[test]
fn a_capture_of_the_last_placement_can_be_told_from_one_of_a_move() {
    let rules = Rules { placement_captures: true, ..plain(4) };
    let mut t = Table::start(rules.clone());
    t.plays("a7 b6 d7 d6 a1 g1 d1 f6").stands(Phase::Remove, 1, 7);
    assert_eq!((t.part(1, "placing"), t.part(1, "hand")), (vec![1], vec![0, 0]));
    let mut t = Table::moving(rules, &[0, 1, 14], &[3, 4, 20, 21], 0);
    t.plays("g4-g7").stands(Phase::Remove, 0, 30);
    assert_eq!((t.part(0, "placing"), t.part(0, "hand")), (vec![0], vec![0, 0]));
}

#[test]
fn moves_and_turns_left_are_capped() {
    let left = |rules: Rules, no_capture: u32, turn: u16| {
        let t = Table::changed(rules, &[0, 10, 23], &[1, 12, 15], |s| {
            s.no_capture = no_capture;
            s.turn = turn;
        });
        (t.part(0, "moves_left")[0], t.part(1, "turns_left")[0])
    };
    assert_eq!(left(Rules::default(), 0, 30), (127, 127));
    assert_eq!(left(Rules::default(), 73, 873), (127, 127));
    assert_eq!(left(Rules::default(), 74, 874), (126, 126));
    assert_eq!(left(Rules::default(), 199, 999), (1, 1));
    let endless = Rules { no_capture_limit: 0, max_turns: 65535, ..Rules::default() };
    assert_eq!(left(endless, 100_000, 65534), (127, 1));
}

#[test]
#[should_panic(expected = "LEN cells")]
fn an_observation_of_another_length_is_a_bug() {
    let t = Table::start(Rules::default());
    t.game.observe(&t.state, Player(0), &mut [0; 3]);
}
