//! Observations: every part, seen from every seat.

use super::naive::square;
use super::*;

impl Table {
    fn observation(&self, viewer: u8) -> Vec<i8> {
        // Every cell is written, whatever was there.
        let mut cells = vec![-7; TshuPu::OBSERVATION_LEN];
        self.game.observe(&self.state, Player(viewer), &mut cells);
        cells
    }

    fn part(&self, viewer: u8, name: &str) -> Vec<i8> {
        let part = TshuPu::OBSERVATION.iter().find(|part| part.name == name).expect("a part has this name");
        let cells = self.observation(viewer)[part.start..part.start + part.len].to_vec();
        assert!(cells.iter().all(|cell| (part.low..=part.high).contains(cell)), "{name}: {cells:?}");
        cells
    }
}

#[test]
fn parts_cover_every_cell_once() {
    let mut end = 0;
    for part in TshuPu::OBSERVATION {
        assert_eq!(part.start, end, "{}", part.name);
        end += part.len;
    }
    assert_eq!(end, TshuPu::OBSERVATION_LEN);
    assert_eq!(end, 151);
}

#[test]
fn every_viewer_sees_its_own_pieces_first() {
    let seats = [[0, 3, 3, 33], [4, 7, 9, 32], [1, 1, 1, 1], [29, 30, 31, 33]];
    let text = seats.map(|values: [u8; 4]| values.map(|value| value.to_string()).join(" ")).join(" | ");
    let t = Table::at(Rules::default(), &roll_line(1, 5, &text));
    for viewer in 0..4u8 {
        let cells = t.part(viewer, "pieces");
        for seen in 0..4 {
            let course = &cells[34 * seen..][..34];
            let values = seats[(viewer as usize + seen) % 4];
            for (progress, &cell) in course.iter().enumerate() {
                let due = values.iter().filter(|&&value| value as usize == progress).count();
                assert_eq!(cell as usize, due, "{viewer} sees {progress} of {seen}");
            }
        }
        let mut to_act = [0; 4];
        to_act[(1 + 4 - viewer as usize) % 4] = 1;
        assert_eq!(t.part(viewer, "to_act"), to_act);
    }
}

#[test]
fn the_board_looks_alike_from_every_seat() {
    // The sentence of the rule book: progress p of the seat k places on is p - 7k in the viewer's course.
    for viewer in 0..4 {
        for seen in 0..4usize {
            for progress in 1..=28i32 {
                let mine = (progress - 7 * seen as i32 - 1).rem_euclid(28) + 1;
                assert_eq!(square((viewer + seen) % 4, progress as u8), square(viewer, mine as u8));
            }
        }
    }
    // Turned by a seat, a position looks to each as it did to the one before.
    let seats = ["0 3 3 33", "4 7 9 32", "1 1 1 1", "29 30 31 33"];
    let turned = ["29 30 31 33", "0 3 3 33", "4 7 9 32", "1 1 1 1"];
    let mut one = Table::at(Rules::default(), &roll_line(0, 4, &seats.join(" | ")));
    let first = Rules { first_player: FirstPlayer::Seat(Player(1)), ..Rules::default() };
    let mut other = Table::at(first, &roll_line(1, 4, &turned.join(" | ")));
    for t in [&mut one, &mut other] {
        t.roll(1, 4).play("3/4");
    }
    for viewer in 0..4 {
        assert_eq!(one.observation(viewer), other.observation((viewer + 1) % 4));
    }
}

#[test]
fn seats_of_fewer_pieces_have_fewer_off() {
    for pieces in 1..=4u8 {
        let t = Table::start(Rules { pieces, ..Rules::default() });
        let cells = t.part(2, "pieces");
        for course in cells.chunks(34) {
            let total: i8 = course.iter().sum();
            assert_eq!((course[1], course[33], total), (pieces as i8, 0, pieces as i8));
        }
        let mut line = vec!["33"; pieces as usize - 1];
        line.insert(0, "1");
        let seats = [line.join(" "), line.join(" "), line.join(" "), line.join(" ")].join(" | ");
        let t = Table::at(Rules { pieces, ..Rules::default() }, &roll_line(0, 0, &seats));
        for course in t.part(3, "pieces").chunks(34) {
            assert_eq!((course[1], course[33]), (1, pieces as i8 - 1));
        }
    }
}

#[test]
fn phase_dice_moved_and_turns_left() {
    let mut t = Table::new(Rules { max_turns: 100, ..Rules::default() }, "4 10 32 33");
    assert_eq!((t.part(0, "phase"), t.part(0, "turns_left")), (vec![0, 1, 0, 0, 0], vec![100]));
    assert_eq!((t.part(0, "dice"), t.part(0, "moved")), (vec![0; 4], vec![0]));
    t.roll(1, 6);
    assert_eq!((t.part(1, "phase"), t.part(1, "dice")), (vec![0, 0, 1, 0, 0], vec![1, 0, 0, 1]));
    t.play("32/off");
    assert_eq!((t.part(2, "phase"), t.part(2, "dice")), (vec![0, 0, 0, 1, 0], vec![0, 0, 0, 1]));
    assert_eq!((t.part(3, "moved"), t.part(0, "to_act")), (vec![33], vec![1, 0, 0, 0]));
    t.play("10/16");
    assert_eq!((t.part(0, "turns_left"), t.part(0, "to_act")), (vec![99], vec![0, 1, 0, 0]));
    for (faces, dice) in [((3, 3), [0, 2, 0, 0]), ((4, 4), [0, 0, 2, 0]), ((3, 4), [0, 1, 1, 0])] {
        let mut t = Table::start(Rules::default());
        t.roll(faces.0, faces.1);
        assert_eq!(t.part(0, "dice"), dice);
    }
}

#[test]
fn first_over_and_far_from_the_end() {
    let t = Table::start(Rules { first_player: FirstPlayer::Random, ..Rules::default() });
    for viewer in 0..4 {
        assert_eq!((t.part(viewer, "phase"), t.part(viewer, "to_act")), (vec![1, 0, 0, 0, 0], vec![0; 4]));
        assert_eq!(t.part(viewer, "turns_left"), [127]);
    }
    let mut t =
        Table::new(Rules { max_turns: 128, ..Rules::default() }, "32 33 33 33 | 1 1 1 1 | 33 33 33 33");
    assert_eq!(t.part(0, "turns_left"), [127]);
    t.roll(1, 6).play("32/off");
    for viewer in 0..4 {
        assert_eq!((t.part(viewer, "phase"), t.part(viewer, "to_act")), (vec![0, 0, 0, 0, 1], vec![0; 4]));
    }
    let mut t = Table::new(Rules { max_turns: 1, ..Rules::default() }, "29 33 33 33");
    assert_eq!(t.part(0, "turns_left"), [1]);
    t.roll(6, 6);
    assert_eq!(t.part(0, "turns_left"), [0]);
}

#[test]
#[should_panic(expected = "LEN cells")]
fn an_observation_of_another_length_is_a_bug() {
    let t = Table::start(Rules::default());
    t.game.observe(&t.state, Player(0), &mut [0; 3]);
}
