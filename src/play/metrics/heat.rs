//! Where pieces stand and are taken.

use crate::base::error::BadRequest;
use crate::base::memory;
use crate::rules::game::FullGame;
use crate::rules::player::{MAX_PLAYERS, Side};

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
    /// Of no games.
    fn new(places: usize) -> Result<Self, BadRequest> {
        let cells = MAX_PLAYERS * places;
        Ok(Heat { stood: memory::zeros(cells)?, taken: memory::zeros(cells)?, ..Heat::default() })
    }

    pub(super) fn merge(&mut self, other: &Self) -> Result<(), BadRequest> {
        if self.stood.is_empty() {
            *self = Heat::new(other.stood.len() / MAX_PLAYERS)?;
        }
        self.games += other.games;
        self.positions += other.positions;
        self.stood.iter_mut().zip(&other.stood).for_each(|(known, more)| *known += more);
        self.taken.iter_mut().zip(&other.taken).for_each(|(known, more)| *known += more);
        Ok(())
    }
}

/// The places of one game under way.
#[derive(Debug)]
pub(super) struct Watched {
    heat: Heat,
    /// What stood where before the last decision, and whose that was.
    before: Vec<u8>,
    mover: Option<Side>,
    now: Vec<u8>,
}

impl Watched {
    pub(super) fn new(places: usize) -> Result<Self, BadRequest> {
        let cells = MAX_PLAYERS * places;
        let (before, now) = (memory::zeros(cells)?, memory::zeros(cells)?);
        Ok(Watched { heat: Heat::new(places)?, before, mover: None, now })
    }

    /// Sees a position in which a side decides; pieces move by decisions alone.
    pub(super) fn look<G: FullGame>(&mut self, game: &G, state: &G::State, side: Side) {
        self.compare(game, state);
        self.heat.positions += 1;
        self.heat.stood.iter_mut().zip(&self.now).for_each(|(known, &more)| *known += u64::from(more));
        std::mem::swap(&mut self.before, &mut self.now);
        self.mover = Some(side);
    }

    /// Sees the end.
    pub(super) fn end<G: FullGame>(mut self, game: &G, state: &G::State) -> Heat {
        self.compare(game, state);
        self.heat.games = 1;
        self.heat
    }

    /// What stands where now, and what the last decision has taken.
    fn compare<G: FullGame>(&mut self, game: &G, state: &G::State) {
        let Watched { heat, before, mover, now } = self;
        let places = game.num_places();
        now.fill(0);
        game.standing(state, &mut |place, side, pieces| now[side.index() * places + place] += pieces);
        let Some(mover) = *mover else { return };
        for side in (0..MAX_PLAYERS).filter(|&side| side != mover.index()) {
            for cell in side * places..(side + 1) * places {
                heat.taken[cell] += u64::from(before[cell].saturating_sub(now[cell]));
            }
        }
    }
}
