//! What the games of a batch are played on, and how it changes while games are under way.

use std::sync::Arc;

use super::casts::{Casts, Table};
use super::{Batch, Stand};
use crate::base::error::Error;
use crate::base::memory;
use crate::play::game_in_play::Counts;
use crate::rules::game::{FullGame, Turn};

/// Refuses states in which no game can begin.
fn check_starts<G: FullGame>(game: &G, starts: &[G::State]) -> Result<(), Error> {
    if u32::try_from(starts.len()).is_err() {
        return Err(Error::new(format!("there are {} starts; {} are the most", starts.len(), u32::MAX)));
    }
    match starts.iter().position(|start| game.turn(start) == Turn::Over) {
        Some(row) => Err(Error::new(format!(
            "a game cannot begin where it is already over, as in row {row} of the starts"
        ))),
        None => Ok(()),
    }
}

impl<G: FullGame> Batch<G> {
    /// From now on games are cast like this; those under way go on as they were cast.
    ///
    /// # Errors
    /// When the casts do not fit the game, or a lane's game has a cast for which `moved` does not say which row of the new
    /// casts it is. Nothing has changed then.
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// use sarai::Game;
    /// use sarai::rules::game::Encode;
    /// use sarai::games::sho::Sho;
    /// use sarai::play::batch::{Batch, BatchConfig, Casts, Out, Seeds};
    /// let agents = |agent: Agent| vec![None, Some(agent.clone()), Some(agent)];
    /// let config = BatchConfig { casts: Casts::one(agents(Agent::Random), None), ..BatchConfig::new(4, 1) };
    /// let mut batch = Batch::new(Sho::new(Default::default())?, &config)?;
    /// let (mut observations, mut masks) = ([0; 4 * Sho::OBSERVATION_LEN], [0; 4 * Sho::NUM_ACTIONS]);
    /// let mut out = Out { observations: &mut observations, masks: &mut masks, current_player: &mut [0; 4], ..Out::default() };
    /// batch.reset(&Seeds::Keep, None, &mut out)?;
    /// let mut casts = Casts::one(agents(Agent::Greedy), None);
    /// assert!(batch.set_casts(&casts, &[]).is_err(), "games are under way");
    /// casts.rows.push(config.casts.rows[0].clone());
    /// batch.set_casts(&casts, &[Some(1)])?;
    /// assert_eq!(batch.casts(false).collect::<Vec<_>>(), [1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_casts(&mut self, casts: &Casts, moved: &[Option<u32>]) -> Result<(), Error> {
        let table = Table::new(&self.setup.game, casts)?;
        let to = |cast: u32| moved.get(cast as usize).copied().flatten();
        let under_way = self.stand != Stand::New;
        for (number, lane) in self.all.lanes.iter().enumerate().filter(|_| under_way) {
            let new = to(lane.cast).filter(|new| (*new as usize) < table.len());
            let same = new.is_some_and(|new| table.row(new).waits_like(self.all.terms.casts.row(lane.cast)));
            if !same {
                return Err(Error::new(format!(
                    "lane {number}: the game under way is not among the new casts"
                )));
            }
        }
        let choices = self.setup.num_choices(&table, self.all.lanes.len());
        if self.all.choices.is_empty() && choices > 0 {
            // Nobody has drawn anything yet.
            let mut column = memory::room_for(choices)?;
            column.extend(self.all.terms.origins.iter().map(|origin| origin.streams().seats));
            self.all.choices = column;
        }
        for lane in &mut self.all.lanes {
            (lane.cast, lane.last_cast) =
                (to(lane.cast).unwrap_or_default(), to(lane.last_cast).unwrap_or_default());
        }
        self.all.terms.casts = Arc::new(table);
        Ok(())
    }

    /// From now on games begin in one of these states, each equally likely, drawn for each game; none for the usual start.
    /// Games under way go on.
    ///
    /// # Errors
    /// When the game is over in one of them. Nothing has changed then.
    pub fn set_starts(&mut self, starts: &[G::State]) -> Result<(), Error> {
        check_starts(&self.setup.game, starts)?;
        self.all.terms.starts = Arc::new(memory::copy_of(starts)?);
        Ok(())
    }

    /// Which of the [`Casts::rows`] plays each lane's game; with `last` those of the games before.
    pub fn casts(&self, last: bool) -> impl Iterator<Item = u32> {
        self.all.lanes.iter().map(move |lane| if last { lane.last_cast } else { lane.cast })
    }

    /// The number of each lane's game, from 0 since the lane was put on its streams. One that was over before the caller
    /// chose counts.
    pub fn episodes(&self) -> impl Iterator<Item = u32> {
        self.all.lanes.iter().map(|lane| lane.episodes.wrapping_sub(1))
    }

    /// What was counted in each lane's game; with `last` in the games before. Nothing where [`super::BatchConfig::counts`] is
    /// false.
    pub fn counts(&self, last: bool) -> impl Iterator<Item = &Counts> {
        self.all.tallies.iter().map(move |tallies| if last { &tallies.last } else { &tallies.now })
    }

    /// Whether a step may take so long that somebody wants to cancel it.
    pub fn is_slow(&self) -> bool {
        self.all.terms.casts.is_slow()
    }
}
