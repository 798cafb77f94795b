//! What can follow each of many states.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::rows::plan;
use super::{AnyStates, States};
use crate::agents::turns::{TooMany, TurnEnds};
use crate::base::{Control, Error, multiversion, room_for, share_out};
use crate::rules::{FullGame, Game, Outcome, Turn};

/// How many states are expanded at a time: so often somebody who wants to cancel is heard.
const PIECE: usize = 256;

/// What to expand by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Each legal action. Rows where it is nobody's turn have none.
    Actions,
    /// The distinct positions in which the turn of the player to act can end: where chance is due, another seat is to act,
    /// or the game is over. Positions are the same when their [`Game::key`] is. Those of a row stand in the order of the
    /// actions that lead there, fewer before more and smaller ids before larger; of the ways to one position the first in
    /// that order is kept. Rows where it is nobody's turn have none.
    Turns,
    /// Each outcome of chance. The rows that are not at a chance node have none.
    Outcomes,
}

/// The states that follow those of a batch, all that follow the first, then all that follow the second, and so on.
#[derive(Debug)]
pub struct Expansion {
    /// The states that follow.
    pub states: Box<dyn AnyStates>,
    /// For each of them, the row that it follows.
    pub parent: Vec<i64>,
    /// Where those that follow each row begin, and where the last end.
    pub offsets: Vec<i64>,
    /// What led to each.
    pub taken: Taken,
}

/// What led from a state to one that follows it.
#[derive(Clone, PartialEq, Debug)]
pub enum Taken {
    /// An action each.
    Action(Vec<i32>),
    /// Actions one after the other, those of one state after those of another.
    Actions {
        /// All of them.
        actions: Vec<i32>,
        /// Where each state's begin, and where the last end.
        offsets: Vec<i64>,
    },
    /// An outcome each.
    Outcome {
        /// The outcome.
        outcome: Vec<i32>,
        /// Its probability.
        probability: Vec<f64>,
    },
}

/// What follows a piece of the rows.
#[derive(Debug)]
struct Grown<S> {
    states: Vec<S>,
    /// For each row of the piece, how many of them follow it.
    counts: Vec<u32>,
    /// The actions or outcomes that led to them.
    ids: Vec<i32>,
    /// For each state, how many of the ids are its own, where that may be several.
    lengths: Vec<u32>,
    /// For each state, its probability, where it came about by chance.
    probability: Vec<f64>,
}

impl<S> Default for Grown<S> {
    fn default() -> Self {
        let (counts, ids, lengths) = Default::default();
        Grown { states: Vec::new(), counts, ids, lengths, probability: Vec::new() }
    }
}

impl Way {
    /// Adds what follows a state; where there are more than `limit`, what was added means nothing.
    #[cfg_attr(fast, inline(always))]
    fn grow<G: Game>(
        self,
        game: &G,
        state: &G::State,
        limit: usize,
        turns: &mut TurnEnds<G::State>,
        into: &mut Grown<G::State>,
    ) -> Result<(), TooMany> {
        match (self, game.turn(state)) {
            (Way::Actions, Turn::Player(_)) => {
                let legal = game.legal_actions(state);
                if legal.len() > limit {
                    return Err(TooMany);
                }
                for action in legal {
                    let mut next = *state;
                    game.apply(&mut next, action, &mut ());
                    into.states.push(next);
                    into.ids.push(i32::from(action.0));
                }
            }
            (Way::Outcomes, Turn::Chance) => {
                let chance = game.chance(state);
                let outcomes = chance.weights().len();
                if outcomes > limit {
                    return Err(TooMany);
                }
                for outcome in (0..outcomes as u8).map(Outcome) {
                    let mut next = *state;
                    game.resolve(&mut next, outcome, &mut ());
                    into.states.push(next);
                    into.ids.push(i32::from(outcome.0));
                    into.probability.push(chance.probability(outcome));
                }
            }
            (Way::Turns, _) => {
                turns.list(game, state, limit)?;
                for end in 0..turns.len() {
                    into.states.push(*turns.end(end));
                    let first = into.ids.len();
                    into.ids.extend(turns.actions_back(end).map(|action| i32::from(action.0)));
                    into.ids[first..].reverse();
                    into.lengths.push((into.ids.len() - first) as u32);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Some rows, and what follows them.
struct Piece<'a, S> {
    rows: &'a [S],
    grown: Grown<S>,
}

multiversion! {
    fn grow[G: Game](
        way: Way,
        game: &G,
        states: &[G::State],
        limit: usize,
        into: &mut Grown<G::State>,
    ) -> Result<(), TooMany> {
        let mut turns = TurnEnds::default();
        let first = into.states.len();
        for state in states {
            let before = into.states.len();
            way.grow(game, state, limit - (before - first), &mut turns, into)?;
            into.counts.push((into.states.len() - before) as u32);
        }
        Ok(())
    }
}

/// See [`AnyStates::expand`].
pub(super) fn expand<G: FullGame>(
    states: &States<G>,
    way: Way,
    max_rows: usize,
    threads: usize,
    control: &Control,
) -> Result<Expansion, Error> {
    let Grown { states: found, counts, ids, lengths, probability } =
        states.grow(way, max_rows, threads, control)?;
    let mut parent = room_for(found.len())?;
    for (row, &count) in counts.iter().enumerate() {
        parent.extend(std::iter::repeat_n(row as i64, count as usize));
    }
    let taken = match way {
        Way::Actions => Taken::Action(ids),
        Way::Turns => Taken::Actions { actions: ids, offsets: offsets(&lengths)? },
        Way::Outcomes => Taken::Outcome { outcome: ids, probability },
    };
    let states = Box::new(States::of(states.game.clone(), found));
    Ok(Expansion { states, parent, offsets: offsets(&counts)?, taken })
}

impl<G: FullGame> States<G> {
    fn grow(
        &self,
        way: Way,
        max_rows: usize,
        threads: usize,
        control: &Control,
    ) -> Result<Grown<G::State>, Error> {
        let rows = &self.rows[..];
        let (cost, what) = match way {
            Way::Actions => (4, "successors"),
            Way::Turns => (32, "afterstates"),
            Way::Outcomes => (16, "chance successors"),
        };
        let plan = plan(rows.len().div_ceil(PIECE), cost * PIECE as u64, threads);
        // What a single thread finds stays where it was written.
        let size = if plan.threads > 1 { PIECE } else { rows.len().max(1) };
        let mut pieces = room_for(rows.len().div_ceil(size))?;
        pieces.extend(rows.chunks(size).map(|rows| Piece { rows, grown: Grown::default() }));
        let found = AtomicUsize::new(0);
        share_out(plan, &mut pieces[..], Some(control), |pieces| {
            for Piece { rows, grown } in pieces {
                for states in rows.chunks(PIECE) {
                    let before = found.load(Ordering::Relaxed);
                    if before > max_rows || control.is_cancelled() {
                        return;
                    }
                    let first = grown.states.len();
                    match grow(way, &self.game, states, max_rows - before, grown) {
                        Ok(()) => drop(found.fetch_add(grown.states.len() - first, Ordering::Relaxed)),
                        Err(TooMany) => {
                            *grown = Grown::default();
                            // Nobody need go on.
                            found.store(max_rows.saturating_add(1), Ordering::Relaxed);
                        }
                    }
                }
            }
        })?;
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if found.into_inner() > max_rows {
            drop(pieces);
            let fit = self.count_that_fit(way, max_rows, control)?;
            return Err(Error::new(format!(
                "these {} states have more than max_rows={max_rows} {what}; those of the first {fit} rows fit: expand \
                 fewer at a time, or allow more",
                rows.len()
            )));
        }
        join(pieces)
    }

    /// How many rows from the first on have no more than `max_rows` that follow them.
    fn count_that_fit(&self, way: Way, max_rows: usize, control: &Control) -> Result<usize, Error> {
        let mut turns = TurnEnds::default();
        let mut left = max_rows;
        for (row, state) in self.rows.iter().enumerate() {
            if control.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut grown = Grown::default();
            if way.grow(&self.game, state, left, &mut turns, &mut grown).is_err() {
                return Ok(row);
            }
            left -= grown.states.len();
        }
        Ok(self.rows.len())
    }
}

/// Puts pieces together.
fn join<S: Copy>(mut pieces: Vec<Piece<'_, S>>) -> Result<Grown<S>, Error> {
    if pieces.len() == 1 {
        return Ok(pieces.remove(0).grown);
    }
    let sum = |of: fn(&Grown<S>) -> usize| pieces.iter().map(|piece| of(&piece.grown)).sum();
    let mut all = Grown {
        states: room_for(sum(|grown| grown.states.len()))?,
        counts: room_for(sum(|grown| grown.counts.len()))?,
        ids: room_for(sum(|grown| grown.ids.len()))?,
        lengths: room_for(sum(|grown| grown.lengths.len()))?,
        probability: room_for(sum(|grown| grown.probability.len()))?,
    };
    // Each piece goes as soon as it has been copied.
    for Piece { grown, .. } in pieces {
        all.states.extend_from_slice(&grown.states);
        all.counts.extend_from_slice(&grown.counts);
        all.ids.extend_from_slice(&grown.ids);
        all.lengths.extend_from_slice(&grown.lengths);
        all.probability.extend_from_slice(&grown.probability);
    }
    Ok(all)
}

/// Where each of the lists with these lengths begins, and where the last ends.
fn offsets(lengths: &[u32]) -> Result<Vec<i64>, Error> {
    let mut all = room_for(lengths.len() + 1)?;
    let mut end = 0;
    all.push(end);
    all.extend(lengths.iter().map(|&length| {
        end += i64::from(length);
        end
    }));
    Ok(all)
}
