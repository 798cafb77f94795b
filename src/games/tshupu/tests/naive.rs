//! Whole turns (R3 to R10) counted out piece by piece and square by square, and what the bits make of them.

use std::collections::BTreeSet;

use super::*;
use crate::agents::rng::Stream;

/// Where each seat's course begins on the loop.
pub(super) const COURSE_STARTS: [usize; 4] = [0, 21, 14, 7];
/// The cross-cuts on the sides of the arms, as places on the loop.
pub(super) const CROSSCUTS: [usize; 8] = [2, 5, 9, 12, 16, 19, 23, 26];

/// The square of the loop on which a piece of this seat stands, if it is on the loop.
pub(super) fn square(seat: usize, progress: u8) -> Option<usize> {
    (1..=29).contains(&progress).then(|| (COURSE_STARTS[seat] + progress as usize - 1) % 28)
}

/// The pieces of every seat, each in a place of its own.
type Pieces = Vec<Vec<u8>>;

/// The ids of a whole turn and what the pieces are after it, in order.
type WholeTurn = (Vec<u16>, Pieces);

fn in_order(pieces: &Pieces) -> Pieces {
    let mut pieces = pieces.clone();
    pieces.iter_mut().for_each(|values| values.sort_unstable());
    pieces
}

/// A board and the rules by which one seat's pieces move on it.
struct Naive<'a> {
    rules: &'a Rules,
    owner: usize,
    enemies: [usize; 2],
}

impl Naive<'_> {
    /// The pieces after one of the owner's has gone so far, if it may.
    fn moved(&self, pieces: &Pieces, which: usize, distance: u8) -> Option<Pieces> {
        let from = pieces[self.owner][which];
        let to = from + distance;
        let possible = match from {
            33 => false,
            32 => distance == 1,
            _ => to <= 32,
        };
        if !possible {
            return None;
        }
        let mut after = pieces.clone();
        after[self.owner][which] = to;
        if let Some(at) = square(self.owner, to) {
            let ends = self.rules.crosscuts == Crosscuts::SidesAndEnds && COURSE_STARTS.contains(&at);
            for enemy in self.enemies {
                for value in &mut after[enemy] {
                    if square(enemy, *value) == Some(at) {
                        if ends || CROSSCUTS.contains(&at) {
                            return None;
                        }
                        *value = 0;
                    }
                }
            }
        }
        Some(after)
    }

    /// Every way to play a throw; none where the turn passes.
    fn whole_turns(&self, pieces: &Pieces, dice: [u8; 2]) -> BTreeSet<WholeTurn> {
        let id = |face: u8, pieces: &Pieces, which: usize| {
            let mode = [1, 3, 4, 6].iter().position(|&shown| shown == face).expect("a face");
            33 * mode as u16 + pieces[self.owner][which] as u16
        };
        let all = 0..self.rules.pieces as usize;
        let mut full = BTreeSet::new();
        let mut single = BTreeSet::new();
        for which in all.clone() {
            if let Some(after) = self.moved(pieces, which, dice[0] + dice[1]) {
                full.insert((vec![132 + pieces[self.owner][which] as u16], in_order(&after)));
            }
            for (face, rest) in [(dice[0], dice[1]), (dice[1], dice[0])] {
                let Some(between) = self.moved(pieces, which, face) else {
                    continue;
                };
                let first = id(face, pieces, which);
                single.insert((vec![first], in_order(&between)));
                for other in all.clone().filter(|&o| o != which || self.rules.same_piece_both_dice) {
                    if let Some(after) = self.moved(&between, other, rest) {
                        full.insert((vec![first, id(rest, &between, other)], in_order(&after)));
                    }
                }
            }
        }
        if full.is_empty() { single } else { full }
    }
}

fn pieces_of(game: &TshuPu, state: &State) -> Pieces {
    let dict = serde_json::to_value(game.to_dict(state)).expect("plain data");
    serde_json::from_value(dict["pieces"].clone()).expect("lists of numbers")
}

/// Every way in which the engine lets the player to move play a throw.
fn engine_turns(game: &TshuPu, state: &State) -> BTreeSet<WholeTurn> {
    let mut turns = BTreeSet::new();
    for first in game.legal_actions(state).iter() {
        let mut between = *state;
        game.apply(&mut between, first, &mut ());
        if between.phase != Phase::Second {
            turns.insert((vec![first.0], pieces_of(game, &between)));
            continue;
        }
        for second in game.legal_actions(&between).iter() {
            let mut after = between;
            game.apply(&mut after, second, &mut ());
            assert_ne!(after.phase, Phase::Second);
            turns.insert((vec![first.0, second.0], pieces_of(game, &after)));
        }
    }
    turns
}

/// Compares all ten throws from a position in which one is due. How many ways of how many turns passed, were partial
/// and were full.
pub(super) fn compare_all_throws(game: &TshuPu, state: &State) -> [u32; 3] {
    assert_eq!(state.phase, Phase::Roll);
    let pieces = pieces_of(game, state);
    let player = state.player.index();
    let finished = pieces[player].iter().all(|&value| value == 33);
    // R12: a finished player is asked only where he plays his partner's pieces.
    let owner = if finished { (player + 2) % 4 } else { player };
    let naive = Naive { rules: game.rules(), owner, enemies: [(owner + 1) % 4, (owner + 3) % 4] };
    let mut seen = [0; 3];
    for (outcome, &dice) in FOUR_SIDED_FACES.iter().enumerate() {
        let mut thrown = *state;
        game.resolve(&mut thrown, Outcome(outcome as u8), &mut ());
        let due = naive.whole_turns(&pieces, dice);
        if due.is_empty() {
            assert_ne!(thrown.phase, Phase::Move, "{}", game.text(&thrown));
            assert_eq!(pieces_of(game, &thrown), pieces);
            seen[0] += 1;
            continue;
        }
        assert_eq!((thrown.phase, thrown.player), (Phase::Move, state.player), "{}", game.text(state));
        assert_eq!(engine_turns(game, &thrown), due, "{}", game.text(&thrown));
        let partial = due.iter().all(|(ids, _)| ids.len() == 1 && ids[0] < 132);
        seen[if partial { 1 } else { 2 }] += 1;
    }
    seen
}

/// A position in which a throw is due, with many pieces in hand, near each other, near the centre and off.
fn drawn_state(game: &TshuPu, rng: &mut Stream) -> Option<State> {
    let mut state = game.initial_state();
    let crowd = rng.below(28) as usize;
    for (seat, start) in COURSE_STARTS.into_iter().enumerate() {
        let mut values = [33; 4];
        for value in &mut values[..game.rules().pieces as usize] {
            // Near the crowd: the progress here of a square of the loop.
            let near = (crowd + rng.below(13) as usize + 28 - start) % 28 + 1;
            *value = match rng.below(8) {
                0 => 0,
                1 => 33,
                2 | 3 => 26 + rng.below(7) as u8,
                4 => rng.below(34) as u8,
                _ => near as u8,
            };
        }
        values.sort_unstable();
        state.pieces[seat] = super::super::board::Pieces::new(values);
    }
    state.turn = rng.below(8) as u16;
    state.player = Player((state.turn % 4) as u8);
    state.phase = Phase::Roll;
    game.check(&state).is_ok().then_some(state)
}

#[test]
fn whole_turns_of_drawn_positions_are_those_counted_out() {
    let mut rng = Stream::new(7, 0);
    let mut seen = [0; 3];
    let mut positions = 0;
    for pieces in 1..=4 {
        for options in 0..8 {
            let rules = Rules {
                pieces,
                crosscuts: if options & 1 == 0 { Crosscuts::Sides } else { Crosscuts::SidesAndEnds },
                same_piece_both_dice: options & 2 != 0,
                finished_player: if options & 4 == 0 {
                    FinishedPlayer::Pass
                } else {
                    FinishedPlayer::PartnerPlays
                },
                ..Rules::default()
            };
            let game = TshuPu::new(rules).expect("the rules are valid");
            for _ in 0..150 {
                if let Some(state) = drawn_state(&game, &mut rng) {
                    for (sum, more) in seen.iter_mut().zip(compare_all_throws(&game, &state)) {
                        *sum += more;
                    }
                    positions += 1;
                }
            }
        }
    }
    // Throws that pass, that one die plays and that are played in full are all met often.
    assert!(positions > 3000 && seen.iter().all(|&count| count > 1000), "{positions} {seen:?}");
}
