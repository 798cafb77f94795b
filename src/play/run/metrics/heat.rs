//! Where pieces stand and are taken.

use crate::rules::{FullGame, Side};

/// Counts by side and place: those of side 0 come first.
type Cells = Vec<u64>;

/// How often pieces stood at each place, and were taken there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heat {
    /// Games.
    pub games: u64,
    /// Positions in which somebody decided.
    pub positions: u64,
    /// By side and place: how many pieces stood there, in all of these positions together.
    pub stood: Cells,
    /// By side and place: how many of the side's pieces another side has taken there.
    pub taken: Cells,
}

impl Heat {
    /// Of no games yet, unless there are some.
    fn with_room(&mut self, cells: usize) {
        if self.stood.is_empty() {
            (self.stood, self.taken) = (vec![0; cells], vec![0; cells]);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.with_room(other.stood.len());
        self.games += other.games;
        self.positions += other.positions;
        self.stood.iter_mut().zip(&other.stood).for_each(|(known, more)| *known += more);
        self.taken.iter_mut().zip(&other.taken).for_each(|(known, more)| *known += more);
    }

    fn add(&mut self, game: &Watched) {
        self.with_room(game.stood.len());
        self.games += 1;
        self.positions += game.positions;
        self.stood.iter_mut().zip(&game.stood).for_each(|(known, &more)| *known += u64::from(more));
        self.taken.iter_mut().zip(&game.taken).for_each(|(known, &more)| *known += u64::from(more));
    }
}

/// The places of one game under way. Numbers are as small as they can be, so that many are added at a time.
#[derive(Debug)]
pub(super) struct Watched {
    places: usize,
    positions: u64,
    stood: Vec<u32>,
    taken: Vec<u32>,
    /// What stood where before the last decision, and whose that was.
    before: Vec<u8>,
    mover: Option<Side>,
    now: Vec<u8>,
}

impl Watched {
    pub(super) fn new(places: usize, sides: usize) -> Self {
        let cells = sides * places;
        Watched {
            places,
            positions: 0,
            stood: vec![0; cells],
            taken: vec![0; cells],
            before: vec![0; cells],
            mover: None,
            now: vec![0; cells],
        }
    }

    /// Sees a position in which a side decides; pieces move by decisions alone.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn look<G: FullGame>(&mut self, game: &G, state: &G::State, side: Side) {
        self.compare(game, state);
        self.positions += 1;
        self.stood.iter_mut().zip(&self.now).for_each(|(known, &more)| *known += u32::from(more));
        std::mem::swap(&mut self.before, &mut self.now);
        self.mover = Some(side);
    }

    /// Sees the end, and is added to the others.
    pub(super) fn end<G: FullGame>(mut self, game: &G, state: &G::State, heat: &mut Heat) {
        self.compare(game, state);
        heat.add(&self);
    }

    /// What stands where now, and what the last decision has taken.
    #[cfg_attr(fast, inline(always))]
    fn compare<G: FullGame>(&mut self, game: &G, state: &G::State) {
        let Watched { places, taken, before, mover, now, .. } = self;
        now.fill(0);
        game.standing(state, &mut |place, side, pieces| now[side.index() * *places + place] += pieces);
        let Some(mover) = *mover else { return };
        let sides = taken.chunks_mut(*places).zip(before.chunks(*places)).zip(now.chunks(*places));
        for (side, ((taken, before), now)) in sides.enumerate() {
            // Mostly others keep what they have.
            if side != mover.index() && before != now {
                for ((taken, &before), &now) in taken.iter_mut().zip(before).zip(now) {
                    *taken += u32::from(before.saturating_sub(now));
                }
            }
        }
    }
}
