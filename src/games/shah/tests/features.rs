//! What networks are told of mills and room, against the board point by point.

use super::super::board::{ENDS, LINE_POINTS};
use super::*;
use crate::agents::random;
use crate::agents::rng::Stream;

const SIDES: [(&str, u8, u8); 2] = [("own", 0, 1), ("enemy", 1, 0)];

/// Each feature by its definition: of stones `own` and `enemy` among the points, where 2 is empty.
fn counted(points: &[u8; 24], own: u8, enemy: u8) -> [(&'static str, usize, f32); 9] {
    let beside = |at: u8| ENDS.iter().filter(move |ends| ends[0] == at).map(|ends| ends[1]);
    let holds = |at: u8, side: u8| points[at as usize] == side;
    let count = |line: &[u8; 3], side| line.iter().filter(|&&at| holds(at, side)).count();
    let lines = |stones, gone| {
        LINE_POINTS.iter().filter(move |line| (count(line, own), count(line, 2)) == (stones, gone))
    };
    let in_mill = |at: u8| lines(3, 0).any(|line| line.contains(&at));
    let gap = |line: &[u8; 3]| *line.iter().find(|&&at| holds(at, 2)).expect("a pair has a gap");
    let outside = |line: [u8; 3]| beside(gap(&line)).filter(move |at| !line.contains(at));
    let threats: Vec<[u8; 3]> =
        lines(2, 1).copied().filter(|&line| outside(line).any(|at| holds(at, own))).collect();
    let running =
        threats.iter().filter(|&&line| outside(line).any(|at| holds(at, own) && in_mill(at))).count();
    let free = threats.iter().filter(|&&line| !outside(line).any(|at| holds(at, enemy))).count();
    let of_side = |side: u8| (0..24u8).filter(move |&at| holds(at, side));
    let moves = of_side(own).map(|at| beside(at).filter(|&to| holds(to, 2)).count());
    [
        ("mills", lines(3, 0).count(), 4.0),
        ("pairs", lines(2, 1).count(), 4.0),
        ("singles", lines(1, 2).count(), 8.0),
        ("threats", threats.len(), 4.0),
        ("running", running, 2.0),
        ("free", free, 2.0),
        ("room", of_side(2).filter(|&at| beside(at).any(|from| holds(from, own))).count(), 12.0),
        ("stuck", moves.clone().filter(|&count| count == 0).count(), 9.0),
        ("moves", moves.sum(), 16.0),
    ]
}

#[test]
fn features_are_what_their_names_say() {
    let game = Shah::new(Rules::default()).expect("fair rules");
    let names = Shah::FEATURES.named();
    let mut seen = [0; 18];
    for number in 0..30 {
        let mut rng = Stream::new(3, number);
        let mut state = game.initial_state();
        while let Turn::Player(player) = game.turn(&state) {
            let mut cells = vec![0; Shah::OBSERVATION_LEN];
            game.observe(&state, player, &mut cells);
            let mut out = vec![f32::NAN; Shah::FEATURES.len()];
            (Shah::FEATURES.write)(&cells, &mut out);
            let points =
                std::array::from_fn(|at| match (state.stones[player.index()] >> at & 1, cells[48 + at]) {
                    (1, _) => 0,
                    (_, 0) => 1,
                    _ => 2,
                });
            let due = SIDES.iter().flat_map(|&(side, own, enemy)| {
                counted(&points, own, enemy)
                    .map(|(name, count, of)| (format!("{side}_{name}"), count as f32 / of))
            });
            for (at, (name, due)) in due.enumerate() {
                assert_eq!((&names[at].0, out[at]), (&name, due), "{}", game.text(&state));
                seen[at] += usize::from(due > 0.0);
            }
            let action = random(game.legal_actions(&state), &mut rng);
            game.apply(&mut state, action, &mut ());
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}
