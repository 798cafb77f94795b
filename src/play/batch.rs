//! Many games stepped together: one lane a game, row `i` of every array is lane `i`.

mod casts;
mod config;
mod lane;
mod out;
mod past;
mod settings;
mod slices;
mod snapshot;
mod stepping;
mod terms;

use casts::Table;
pub use casts::{Cast, Casts, MAX_CASTS};
pub use config::{Autoreset, BatchConfig, IllegalActions, MAX_LANES, Seeds, StepError};
use lane::{Beside, Gate, Lane, Tallies};
pub use out::{Out, TERMINAL};
use past::Played;
use slices::{Before, Slices};
pub use snapshot::Snapshot;
use stepping::Setup;
use terms::{Origin, Terms};

use std::sync::{Arc, Mutex};

use crate::agents::rng::Choices;
use crate::base::error::{BadRequest, counted};
use crate::base::lock::lock;
use crate::base::memory;
use crate::base::threads::{Plan, share_out_if};
use crate::rules::error::{IllegalAction, list_legal};
use crate::rules::game::FullGame;

/// Many games of one rule book, stepped together.
///
/// A step is all or nothing: whatever keeps it from being done in one lane changes no lane. A step or reset that was
/// done can be taken back, as long as it is the last.
#[derive(Debug)]
pub struct Batch<G: FullGame> {
    setup: Setup<G>,
    now: Lanes<G>,
    /// As the lanes stood before the last step or reset, or some steps earlier: see `past.rs`.
    before: Lanes<G>,
    played: Played,
    threads: usize,
    /// How many steps and resets have been done.
    serial: u64,
    can_go_back: bool,
}

/// All lanes, in columns.
#[derive(Debug)]
struct Lanes<G: FullGame> {
    lanes: Vec<Lane<G::State>>,
    gates: Vec<Gate>,
    /// What each seat draws its choices from; empty where nobody inside the engine draws any.
    choices: Vec<Choices>,
    /// What is counted; empty where nothing is.
    tallies: Vec<Tallies>,
    terms: Terms<G::State>,
}

impl<G: FullGame> Lanes<G> {
    fn with_room_for(
        lanes: usize,
        choices: usize,
        tallies: usize,
        terms: Terms<G::State>,
    ) -> Result<Self, BadRequest> {
        Ok(Lanes {
            lanes: memory::room_for(lanes)?,
            gates: memory::room_for(lanes)?,
            choices: memory::room_for(choices)?,
            tallies: memory::room_for(tallies)?,
            terms,
        })
    }

    fn copy(&self) -> Result<Self, BadRequest> {
        Ok(Lanes {
            lanes: memory::copy_of(&self.lanes)?,
            gates: memory::copy_of(&self.gates)?,
            choices: memory::copy_of(&self.choices)?,
            tallies: memory::copy_of(&self.tallies)?,
            terms: self.terms.clone(),
        })
    }
}

impl<G: FullGame> Batch<G> {
    /// A batch whose lanes stand at the first decision of their first game.
    ///
    /// # Errors
    /// When a size is out of range, or the rules make games without a decision, or it is cancelled.
    pub fn new(game: G, config: &BatchConfig) -> Result<Self, StepError> {
        let setup = Setup::new(game, config)?;
        let lanes = config.num_lanes;
        let mut origins = memory::room_for(lanes)?;
        origins.extend((0..lanes).map(|lane| Origin { seed: config.seed, game: lane as u64 }));
        let casts = Arc::new(Table::new(&setup.game, &config.casts)?);
        let terms = Terms { casts, starts: Arc::default(), origins: Arc::new(origins) };
        let choices = setup.num_choices(&terms.casts, lanes);
        let mut now = Lanes::with_room_for(lanes, choices, setup.num_tallies(lanes), terms)?;
        for origin in now.terms.origins.iter() {
            let streams = origin.streams();
            now.lanes.push(Lane::new(setup.game.initial_state(), streams.dice));
            now.gates.push(Gate::CLOSED);
            if choices > 0 {
                now.choices.push(streams.seats);
            }
        }
        now.tallies.resize(setup.num_tallies(lanes), Tallies::default());
        let mut batch = Batch::of(setup, now, config.threads)?;
        batch.begin_lanes(&Seeds::Keep, None, &[], Out::default())?;
        // There is nothing before the first games to go back to.
        (batch.serial, batch.can_go_back) = (0, false);
        Ok(batch)
    }

    /// A batch that takes up what another of the same rules, size and settings stood at.
    ///
    /// # Errors
    /// As [`Batch::new`] and [`Batch::restore`].
    pub fn from_snapshot(game: G, config: &BatchConfig, snapshot: &Snapshot) -> Result<Self, BadRequest> {
        let setup = Setup::new(game, config)?;
        let casts = Arc::new(Table::new(&setup.game, &config.casts)?);
        let now = snapshot
            .lanes(&setup, casts, Arc::default(), config.num_lanes)
            .map_err(|error| BadRequest::new(error.to_string()))?;
        Batch::of(setup, now, config.threads)
    }

    fn of(setup: Setup<G>, now: Lanes<G>, threads: usize) -> Result<Self, BadRequest> {
        let before = now.copy()?;
        let played = Played::new(&setup.game, now.lanes.len())?;
        Ok(Batch { setup, now, before, played, threads, serial: 0, can_go_back: false })
    }

    /// The same batch once more.
    ///
    /// # Errors
    /// When there is not enough memory for it.
    pub fn copy(&self) -> Result<Self, BadRequest> {
        Ok(Batch {
            setup: self.setup.clone(),
            now: self.now.copy()?,
            before: self.before.copy()?,
            played: self.played.copy(&self.setup.game)?,
            threads: self.threads,
            serial: self.serial,
            can_go_back: self.can_go_back,
        })
    }

    /// The rule book.
    pub fn game(&self) -> &G {
        &self.setup.game
    }

    /// How many lanes there are.
    pub fn num_lanes(&self) -> usize {
        self.now.lanes.len()
    }

    /// Where a lane's game stands.
    pub fn state(&self, lane: usize) -> Option<&G::State> {
        self.now.lanes.get(lane).map(|lane| &lane.state)
    }

    /// How many steps and resets have been done, less those taken back.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Begins a new game in every lane, or in those where `only` is true, and writes observations, masks and seats
    /// of all lanes; nothing else of `out` is touched.
    ///
    /// # Errors
    /// When seeds or mask do not have one entry a lane, or the mask selects no lane, or it is cancelled. Nothing has
    /// changed then.
    ///
    /// # Panics
    /// When a slice of `out` that is written does not have the size of the batch.
    pub fn reset(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        out: &mut Out<'_>,
    ) -> Result<(), StepError> {
        self.reset_from(seeds, only, &[], out)
    }

    /// The same for games that begin in these states of the rule book: one for all lanes, or one for each; none for where
    /// games begin anyway, as those after them do.
    ///
    /// # Errors
    /// As [`Batch::reset`]; also where the game is over in such a state, or always ends before the caller has chosen.
    ///
    /// # Panics
    /// As [`Batch::reset`]; also when there are as many states as neither.
    pub fn reset_from(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: &[G::State],
        out: &mut Out<'_>,
    ) -> Result<(), StepError> {
        let lanes = self.num_lanes();
        if let Seeds::Each(seeds) = seeds
            && seeds.len() != lanes
        {
            return Err(StepError::Refused(BadRequest::new(format!(
                "seed has {}; a list of seeds needs one for each of the {lanes} lanes",
                counted(seeds.len(), "entry", "entries")
            ))));
        }
        if let Some(only) = only {
            if only.len() != lanes {
                return Err(StepError::Refused(BadRequest::new(format!(
                    "reset_mask has {}; it needs one for each of the {lanes} lanes",
                    counted(only.len(), "entry", "entries")
                ))));
            }
            if !only.contains(&true) {
                return Err(StepError::Refused(BadRequest::new(
                    "reset_mask selects no lane; at least one entry must be True",
                )));
            }
        }
        assert!([0, 1, lanes].contains(&starts.len()), "no state, one, or one a lane");
        out.check_shown::<G>(lanes);
        let done = self.begin_lanes(seeds, only, starts, out.reborrow());
        if done.is_err() {
            self.observe(out);
        }
        done
    }

    /// Begins a new game in every lane, or in those where `only` is true, and writes what `out` has room for.
    fn begin_lanes(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: &[G::State],
        out: Out<'_>,
    ) -> Result<(), StepError> {
        let chosen = |lane: usize| only.is_none_or(|only| only[lane]);
        let seeded = !matches!(seeds, Seeds::Keep);
        let terms = match seeds {
            Seeds::Keep => None,
            seeds => {
                let mut origins = memory::copy_of(&self.now.terms.origins)?;
                for (lane, origin) in origins.iter_mut().enumerate().filter(|(lane, _)| chosen(*lane)) {
                    match seeds {
                        Seeds::Keep => {}
                        Seeds::One(seed) => *origin = Origin { seed: *seed, game: lane as u64 },
                        Seeds::Each(seeds) => *origin = Origin { seed: seeds[lane], game: 0 },
                    }
                }
                Some(Terms { origins: Arc::new(origins), ..self.now.terms.clone() })
            }
        };
        let begin = |setup: &Setup<G>, slices: Slices<'_, G::State>| {
            let Slices { first, lanes, gates, choices, tallies, terms, mut out, .. } = slices;
            for (index, (lane, gate)) in lanes.iter_mut().zip(&mut *gates).enumerate() {
                let number = first + index;
                if !chosen(number) {
                    continue;
                }
                let mut beside = Beside { choices: choices.get_mut(index), tallies: tallies.get_mut(index) };
                if seeded {
                    let streams = terms.origins[number].streams();
                    (lane.dice, lane.episodes) = (streams.dice, 0);
                    if let Some(choices) = beside.choices.as_deref_mut() {
                        *choices = streams.seats;
                    }
                }
                let start = if starts.len() == 1 { starts.first() } else { starts.get(number) };
                *gate = setup
                    .begin(terms, number, lane, beside, start)
                    .map_err(|error| if start.is_none() { error } else { error.in_lane(number) })?;
            }
            setup.show(lanes, gates, &mut out);
            Ok(())
        };
        self.attempt(terms, begin, out)
    }

    /// Writes observations, masks and seats of all lanes as they stand; nothing else of `out` is touched.
    ///
    /// # Panics
    /// When a slice of `out` that is written does not have the size of the batch.
    pub fn observe(&self, out: &mut Out<'_>) {
        out.check_shown::<G>(self.num_lanes());
        self.setup.show(&self.now.lanes, &self.now.gates, out);
    }

    /// Writes what each lane takes next, lanes x actions.
    ///
    /// # Panics
    /// When `masks` does not have the size of the batch.
    pub fn masks(&self, masks: &mut [i8]) {
        assert_eq!(masks.len(), self.num_lanes() * G::NUM_ACTIONS, "a mask a lane");
        for (gate, mask) in self.now.gates.iter().zip(masks.chunks_exact_mut(G::NUM_ACTIONS)) {
            self.setup.write_mask(gate, mask);
        }
    }

    /// Plays one action in every lane, or in those where `only` is true, and everything that chance and the agents
    /// inside the engine do after it. The rows of the other lanes are written as they stand, with rewards of zero.
    ///
    /// # Errors
    /// When a lane's action is not legal, or a lane under [`Autoreset::Disabled`] waits for a reset: the first such
    /// lane is named, and nothing has changed, neither lanes nor `out`. When it is cancelled, or threads or memory
    /// cannot be had: no lane has changed, but what `out` holds means nothing.
    ///
    /// # Panics
    /// When `actions`, `only` or a slice of `out` does not have the size of the batch.
    pub fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError> {
        let lanes = self.num_lanes();
        assert_eq!(actions.len(), lanes, "one action a lane");
        assert!(only.is_none_or(|only| only.len() == lanes), "a flag a lane");
        out.check::<G>(lanes, self.setup.game.num_players(), self.setup.autoreset);
        let only = only.unwrap_or_default();
        let chosen = self.played.choose(actions);
        let done = self.attempt_with(None, |setup, slices| setup.run(slices), &chosen, only, out);
        let wrong = match done {
            Ok(false) => self.setup.first_wrong(&self.now.gates, &chosen, only),
            _ => None,
        };
        self.played.give_back(chosen);
        done?;
        wrong.map_or(Ok(()), |lane| Err(self.refusal(lane, actions[lane])))
    }

    /// Does `work` on all lanes, on as many threads as it is worth, or in none: what one lane refuses, no lane has done.
    /// From then on games begin on these terms, if there are new ones.
    fn attempt(
        &mut self,
        terms: Option<Terms<G::State>>,
        work: impl Fn(&Setup<G>, Slices<'_, G::State>) -> Result<(), StepError> + Sync,
        out: Out<'_>,
    ) -> Result<(), StepError> {
        self.attempt_with(terms, work, &[], &[], out).map(|_| ())
    }

    /// The same with an action for each lane. Gives whether every lane can take its own; otherwise nothing has changed.
    fn attempt_with(
        &mut self,
        terms: Option<Terms<G::State>>,
        work: impl Fn(&Setup<G>, Slices<'_, G::State>) -> Result<(), StepError> + Sync,
        actions: &[u8],
        only: &[bool],
        out: Out<'_>,
    ) -> Result<bool, StepError> {
        let setup = &self.setup;
        let before = self.now.terms.clone();
        if let Some(terms) = terms {
            self.now.terms = terms;
        }
        let plan = Plan::new(self.now.lanes.len(), self.now.terms.casts.cost(), self.threads, 1);
        let slow = self.now.terms.casts.is_slow();
        let again = self.now.terms.casts.can_play_again() && !actions.is_empty() && only.is_empty();
        let keep = !(self.can_go_back && again && self.played.has_room());
        let all = Slices {
            first: 0,
            lanes: &mut self.now.lanes,
            gates: &mut self.now.gates,
            choices: &mut self.now.choices,
            tallies: &mut self.now.tallies,
            before: Before {
                lanes: &mut self.before.lanes,
                gates: &mut self.before.gates,
                choices: &mut self.before.choices,
                tallies: &mut self.before.tallies,
            },
            terms: &self.now.terms,
            actions,
            only,
            out,
        };
        let could_go_back = std::mem::take(&mut self.can_go_back);
        // Of several lanes that fail, the first is named, whichever thread comes first.
        let failed = Mutex::new(None::<(usize, StepError)>);
        let fine = |slices: &Slices<'_, G::State>| {
            setup.first_wrong(slices.gates, slices.actions, slices.only).is_none()
        };
        let shared = share_out_if(plan, all, Some(&setup.control), fine, |mut slices| {
            if keep {
                slices.keep();
            }
            let first = slices.first;
            if let Err(error) = work(setup, slices) {
                let mut failed = lock(&failed);
                if failed.as_ref().is_none_or(|(other, _)| first < *other) {
                    *failed = Some((first, error));
                }
            }
        });
        if shared != Ok(true) {
            (self.now.terms, self.can_go_back) = (before, could_go_back);
            return Ok(shared?);
        }
        if keep {
            self.before.terms = before;
            self.played.begin(again);
        }
        self.played.add(actions);
        self.can_go_back = true;
        self.serial += 1;
        let mut failed = lock(&failed).take().map(|(_, error)| error);
        // An agent that was cancelled has chosen anything.
        if slow && setup.control.is_cancelled() {
            failed = failed.or(Some(StepError::Cancelled));
        }
        let Some(error) = failed else {
            return Ok(true);
        };
        self.go_back()?;
        Err(error)
    }

    /// Why a lane cannot take an action.
    fn refusal(&self, lane: usize, action: i64) -> StepError {
        let gate = &self.now.gates[lane];
        if gate.ended() {
            return StepError::Refused(BadRequest::new(format!(
                "lane {lane}: the game is over; begin a new one with reset(options={{\"reset_mask\": ...}})"
            )));
        }
        StepError::Illegal(IllegalAction::new(action, list_legal(gate.legal)).at(format!("lane {lane}")))
    }
}
