//! Many games stepped together: one lane a game, row `i` of every array is lane `i`.

mod config;
mod lane;
mod lineups;
mod out;
mod slices;
mod snapshot;
mod stepping;
mod terms;

pub use config::{Autoreset, BatchConfig, IllegalActions, MAX_LANES, Seeds};
use lane::{Beside, Lane, Status, Tallies};
use lineups::BoundLineups;
pub use lineups::{Lineup, Lineups, MAX_LINEUPS};
pub use out::Out;
use slices::Slices;
pub use snapshot::Snapshot;
use stepping::{Setup, begin, start_of};
use terms::{Origin, Terms};

use std::fmt::Debug;
use std::sync::Mutex;

use crate::agents::Choices;
use crate::base::{
    Error, IllegalAction, Plan, counted, list_legal, lock, memory, multiversion, share_out_if,
};
use crate::play::{AnyPosition, AnyStates, Counts, States};
use crate::rules::{FullGame, MAX_ACTIONS, Player, Position, Turn};

/// Stands for every number that is no action.
const NO_ACTION: u8 = u8::MAX;

const _: () = assert!(MAX_ACTIONS <= NO_ACTION as usize, "an action is a byte");

/// Many games of one rule book, stepped together.
///
/// An action that is not legal is refused before anything is done. A step or reset that ends midway, because it was
/// cancelled or an agent failed, leaves a batch that takes nothing but a reset of all lanes.
///
/// Where a lineup has a learner, the caller's other seats are those of policies: the caller is asked for their decisions. A
/// step or reset that returns true has halted there; [`AnyBatch::asked`] and [`AnyBatch::ask`] say where, and
/// [`AnyBatch::answer`] goes on.
#[derive(Debug)]
pub struct Batch<G: FullGame> {
    setup: Setup<G>,
    all: Lanes<G>,
    threads: usize,
    phase: Phase,
    /// In which states the games of a reset begin that has halted.
    starts: Vec<G::State>,
    /// The actions of a step, as bytes.
    chosen: Vec<u8>,
}

/// What a batch can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// No game has begun.
    New,
    /// Every lane waits for the caller, or is over.
    Whole,
    /// Some lanes wait for policies.
    Asking,
    /// A step or reset has ended midway.
    Interrupted,
}

/// A lane in which a policy has to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The lane.
    pub lane: usize,
    /// Whose turn it is.
    pub player: Player,
    /// Who plays: a row of the lineups.
    pub lineup: u32,
    /// The number of the lane's game, from 0 since the lane was put on its streams.
    pub episode: u32,
}

/// All lanes, in columns.
#[derive(Debug)]
struct Lanes<G: FullGame> {
    lanes: Vec<Lane<G::State>>,
    statuses: Vec<Status>,
    /// What each seat draws its choices from; empty where nobody inside the engine draws any.
    choices: Vec<Choices>,
    /// What is counted; empty where nothing is.
    tallies: Vec<Tallies>,
    terms: Terms<G>,
}

impl<G: FullGame> Lanes<G> {
    /// None yet, with room for one on each of these streams.
    fn with_room_for(
        setup: &Setup<G>,
        lineups: BoundLineups<G>,
        on: impl ExactSizeIterator<Item = Origin>,
    ) -> Result<Self, Error> {
        let lanes = on.len();
        let mut origins = memory::room_for(lanes)?;
        origins.extend(on);
        Ok(Lanes {
            lanes: memory::room_for(lanes)?,
            statuses: memory::room_for(lanes)?,
            choices: memory::room_for(setup.num_choices(&lineups, lanes))?,
            tallies: memory::room_for(setup.num_tallies(lanes))?,
            terms: Terms { lineups, starts: Vec::new(), origins },
        })
    }
}

impl<G: FullGame> Batch<G> {
    /// A batch in which no game has begun, so that a reset of all lanes comes first, or one that takes up what another of the
    /// same rules, size and settings stood at.
    ///
    /// # Errors
    /// When a size is out of range, or the lineups do not fit the game; also when the snapshot is of another number of lanes or
    /// other settings, or holds a position that the rules forbid.
    pub fn new(game: G, config: &BatchConfig, snapshot: Option<&Snapshot>) -> Result<Self, Error> {
        let setup = Setup::new(game, config)?;
        let lanes = config.num_lanes;
        let lineups = BoundLineups::new(&setup.game, &config.lineups)?;
        let chosen = memory::room_for(lanes)?;
        let (all, phase) = match snapshot {
            Some(snapshot) => {
                let all = snapshot.lanes(&setup, lineups, lanes);
                (all.map_err(|error| Error::new(error.to_string()))?, snapshot.phase())
            }
            None => {
                let origins = (0..lanes).map(|lane| Origin { seed: config.seed, game: lane as u64 });
                let mut all = Lanes::with_room_for(&setup, lineups, origins)?;
                for origin in all.terms.origins.iter() {
                    let streams = origin.streams(0);
                    all.lanes.push(Lane::new(setup.game.initial_state(), streams.dice));
                    all.statuses.push(Status::CLOSED);
                    if all.choices.capacity() > 0 {
                        all.choices.push(streams.seats);
                    }
                }
                all.tallies.resize(setup.num_tallies(lanes), Tallies::default());
                (all, Phase::New)
            }
        };
        Ok(Batch { setup, all, threads: config.threads, phase, starts: Vec::new(), chosen })
    }

    fn num_lanes(&self) -> usize {
        self.all.lanes.len()
    }

    /// Where policies have to choose.
    fn waiting(&self) -> impl Iterator<Item = (usize, &Lane<G::State>)> {
        let lanes = self.all.lanes.iter().zip(&self.all.statuses).enumerate();
        lanes
            .filter(|(_, (_, status))| self.phase == Phase::Asking && status.asked)
            .map(|(number, (lane, _))| (number, lane))
    }

    /// Plays actions or answers, if all are legal; an illegal one is told as it was `given`.
    fn play(
        &mut self,
        chosen: Vec<u8>,
        answers: bool,
        out: Out<'_>,
        given: impl Fn(usize) -> i64,
    ) -> Result<bool, Error> {
        let starts = std::mem::take(&mut self.starts);
        let done = self.work_on(&chosen, answers.then_some(&starts), out, |setup, slices| setup.run(slices));
        let wrong = match done {
            Ok(false) => self.setup.first_wrong(&self.all.statuses, &chosen, answers),
            _ => None,
        };
        (self.chosen, self.starts) = (chosen, starts);
        done?;
        wrong.map_or(Ok(self.phase == Phase::Asking), |lane| Err(self.refusal(lane, given(lane))))
    }

    /// How the lanes are shared out.
    fn plan(&self) -> Plan {
        Plan::new(self.all.lanes.len(), self.all.terms.lineups.cost(), self.threads, 1)
    }

    /// Does `work` on all lanes, on as many threads as it is worth, if every lane can take its action. Gives whether it
    /// could; otherwise nothing has changed.
    fn work_on(
        &mut self,
        actions: &[u8],
        answers: Option<&[G::State]>,
        out: Out<'_>,
        work: impl Fn(&Setup<G>, Slices<'_, G>) -> Result<(), Error> + Sync,
    ) -> Result<bool, Error> {
        let plan = self.plan();
        let (setup, all) = (&self.setup, &mut self.all);
        let slices = Slices {
            first: 0,
            lanes: &mut all.lanes,
            statuses: &mut all.statuses,
            choices: &mut all.choices,
            tallies: &mut all.tallies,
            terms: &all.terms,
            actions,
            answers,
            out,
        };
        // Of several lanes that fail, the first is named, whichever thread comes first.
        let failed = Mutex::new(None::<(usize, Error)>);
        let fine = |slices: &Slices<'_, G>| {
            setup.first_wrong(slices.statuses, slices.actions, answers.is_some()).is_none()
        };
        let before = std::mem::replace(&mut self.phase, Phase::Interrupted);
        let shared = share_out_if(plan, slices, Some(&setup.control), &fine, &|slices: Slices<'_, G>| {
            let first = slices.first;
            if let Err(error) = work(setup, slices) {
                let mut failed = lock(&failed);
                if failed.as_ref().is_none_or(|(other, _)| first < *other) {
                    *failed = Some((first, error));
                }
            }
        });
        if shared != Ok(true) {
            self.phase = before;
            return shared;
        }
        if let Some((_, error)) = lock(&failed).take() {
            return Err(error);
        }
        // An agent that was cancelled has chosen anything.
        if all.terms.lineups.is_slow() && setup.control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let asks = all.terms.lineups.asks() && all.statuses.iter().any(|status| status.asked);
        self.phase = if asks { Phase::Asking } else { Phase::Whole };
        Ok(true)
    }

    /// Why a lane cannot take an action.
    fn refusal(&self, lane: usize, action: i64) -> Error {
        let status = &self.all.statuses[lane];
        if status.ended() {
            return Error::new(format!(
                "lane {lane}: the game is over; begin a new one with reset(options={{\"reset_mask\": ...}})"
            ));
        }
        Error::IllegalAction(IllegalAction::new(action, list_legal(status.legal)).at(format!("lane {lane}")))
    }
}

/// Any [`Batch`].
///
/// A slice that is written must have the size of the batch, or of the question: anything else is a panic. What returns a
/// bool returns whether policies are asked; the rows of those lanes mean nothing until they have answered.
pub trait AnyBatch: Debug + Send + Sync {
    /// Whether every lane waits for the caller or is over, so that a step can be made; an error where a reset of all lanes
    /// has to come first.
    fn ready(&self) -> Result<(), Error>;
    /// Begins a new game in every lane, or in those where `only` is true, and writes observations, masks and seats of all
    /// lanes; nothing else of `out` is touched. Games begin in these states of the rule book, one for all lanes or one for
    /// each, or where games begin anyway, as those after them do.
    ///
    /// # Errors
    /// When seeds or mask do not have one entry a lane, or the mask selects no lane, or selects some before games have
    /// begun in all, or states are of another rule book, as many as neither one nor the lanes, or the game is over in one:
    /// nothing has changed then. When it is cancelled, or games from a state always end before the caller has chosen: then
    /// all lanes need a reset.
    fn reset(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: Option<&dyn AnyStates>,
        out: &mut Out<'_>,
    ) -> Result<bool, Error>;
    /// Writes observations, masks and seats of all lanes as they are; nothing else of `out` is touched.
    fn observe(&self, out: &mut Out<'_>);
    /// Writes what each lane takes next, lanes x actions.
    fn masks(&self, masks: &mut [i8]);
    /// The position of a lane's game.
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>>;
    /// Plays one action in every lane, and everything that chance and the agents inside the engine do after it.
    ///
    /// # Errors
    /// When a lane's action is not legal, or a lane under [`Autoreset::Disabled`] waits for a reset: the first such
    /// lane is named, and nothing has changed, neither lanes nor `out`. When it is cancelled, or an agent fails: all lanes
    /// need a reset then, and what `out` holds means nothing.
    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error>;
    /// The lanes in which policies have to choose, in order; none unless a step or reset has halted.
    fn asked(&self) -> Vec<Asked>;
    /// Writes what the policies see, for each of [`AnyBatch::asked`]: cells and masks.
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]);
    /// Where the games of [`AnyBatch::asked`] stand.
    fn asked_states(&self) -> Box<dyn AnyStates>;
    /// Plays what the policies have chosen, an action for each of [`AnyBatch::asked`], and goes on with the step or reset,
    /// which writes into the same `out`.
    ///
    /// # Errors
    /// When nothing was asked, or there are not as many actions, or one is not legal: nothing has changed then, and the
    /// question stands. Else as [`AnyBatch::step`].
    fn answer(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error>;
    /// From now on these play the games that begin; those under way go on.
    ///
    /// # Errors
    /// When the lineups do not fit the game, or a lane's game has a lineup for which `moved` does not say which row of the new
    /// lineups it is. Nothing has changed then.
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// use sarai::Game;
    /// use sarai::rules::game::Encode;
    /// use sarai::games::sho::Sho;
    /// use sarai::play::batch::{AnyBatch, Batch, BatchConfig, Lineups, Out, Seeds};
    /// let agents = |agent: Agent| vec![None, Some(agent.clone()), Some(agent)];
    /// let config = BatchConfig { lineups: Lineups::one(agents(Agent::Random), None), ..BatchConfig::new(4, 1) };
    /// let mut batch = Batch::new(Sho::new(Default::default())?, &config, None)?;
    /// let (mut observations, mut masks) = ([0; 4 * Sho::OBSERVATION_LEN], [0; 4 * Sho::NUM_ACTIONS]);
    /// let mut out = Out { observations: &mut observations, masks: &mut masks, current_player: &mut [0; 4], ..Out::default() };
    /// batch.reset(&Seeds::Keep, None, None, &mut out)?;
    /// let mut lineups = Lineups::one(agents(Agent::Greedy), None);
    /// assert!(batch.set_lineups(&lineups, &[]).is_err(), "games are under way");
    /// lineups.rows.push(config.lineups.rows[0].clone());
    /// batch.set_lineups(&lineups, &[Some(1)])?;
    /// assert_eq!(batch.lineups(false), [1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_lineups(&mut self, lineups: &Lineups, moved: &[Option<u32>]) -> Result<(), Error>;
    /// From now on games begin in one of these states, each equally likely, drawn for each game; `None` for the usual
    /// start. Games under way go on.
    ///
    /// # Errors
    /// When there are none, they are of another rule book, or the game is over in one of them. Nothing has changed then.
    fn set_starts(&mut self, starts: Option<&dyn AnyStates>) -> Result<(), Error>;
    /// How many threads step the lanes: as many as it is worth, at most [`BatchConfig::threads`].
    fn num_threads(&self) -> usize;
    /// Which of the [`Lineups::rows`] plays each lane's game; with `last` those of the games before.
    fn lineups(&self, last: bool) -> Vec<u32>;
    /// The number of each lane's game, from 0 since the lane was put on its streams. One that was over before the caller
    /// chose counts.
    fn episodes(&self) -> Vec<u32>;
    /// What was counted in each lane's game; with `last` in the games before. Nothing where [`BatchConfig::counts`] is
    /// false.
    fn counts(&self, last: bool) -> Box<dyn Iterator<Item = &Counts> + '_>;
    /// Whether a step may take so long that somebody wants to cancel it.
    fn is_slow(&self) -> bool;
    /// Everything that the future of a batch depends on that is [`AnyBatch::ready`] or new, as plain data.
    fn snapshot(&self) -> Snapshot;
}

impl<G: FullGame> AnyBatch for Batch<G> {
    fn ready(&self) -> Result<(), Error> {
        match self.phase {
            Phase::Whole => Ok(()),
            Phase::New => Err(Error::NotBegun),
            Phase::Asking | Phase::Interrupted => Err(Error::Interrupted),
        }
    }

    fn reset(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: Option<&dyn AnyStates>,
        out: &mut Out<'_>,
    ) -> Result<bool, Error> {
        let lanes = self.num_lanes();
        if let Seeds::Each(seeds) = seeds
            && seeds.len() != lanes
        {
            return Err(Error::new(format!(
                "seed has {}; a list of seeds needs one for each of the {lanes} lanes",
                counted(seeds.len(), "entry", "entries")
            )));
        }
        if let Some(only) = only {
            if only.len() != lanes {
                return Err(Error::new(format!(
                    "reset_mask has {}; it needs one for each of the {lanes} lanes",
                    counted(only.len(), "entry", "entries")
                )));
            }
            if !only.contains(&true) {
                return Err(Error::new("reset_mask selects no lane; at least one entry must be True"));
            }
            self.ready()?;
        }
        let given = starts.is_some();
        let starts = match starts {
            Some(starts) => States::own(&self.setup.game, starts)?.rows(),
            None => &[],
        };
        if given && starts.len() != 1 && starts.len() != lanes {
            return Err(Error::new(format!(
                "there are {} states for {lanes} lanes; give one for all of them, or one for each",
                starts.len()
            )));
        }
        out.check_shown::<G>(lanes);
        let chosen = |lane: usize| only.is_none_or(|only| only[lane]);
        let over = |lane: &usize| {
            let start = start_of(starts, *lane);
            start.is_some_and(|start| self.setup.game.turn(start) == Turn::Over)
        };
        if let Some(lane) = (0..lanes).filter(|&lane| chosen(lane)).find(over) {
            return Err(Error::new(format!("lane {lane}: a game cannot begin where it is already over")));
        }
        self.starts = memory::copy_of(starts)?;
        if !matches!(seeds, Seeds::Keep) {
            for (lane, origin) in
                self.all.terms.origins.iter_mut().enumerate().filter(|(lane, _)| chosen(*lane))
            {
                *origin = seeds.of(lane).unwrap_or(*origin);
            }
            self.phase = Phase::Interrupted;
        }
        let begin = |setup: &Setup<G>, slices: Slices<'_, G>| {
            let Slices { first, lanes, statuses, choices, tallies, terms, mut out, .. } = slices;
            for (index, (lane, status)) in lanes.iter_mut().zip(&mut *statuses).enumerate() {
                let number = first + index;
                if !chosen(number) {
                    continue;
                }
                let beside = Beside { choices: choices.get_mut(index), tallies: tallies.get_mut(index) };
                if seeds.of(number).is_some() {
                    lane.episodes = 0;
                }
                let start = start_of(starts, number);
                *status = begin(setup, terms, number, lane, beside, start, false)
                    .map_err(|error| if start.is_none() { error } else { error.in_lane(number) })?;
            }
            setup.show(lanes, statuses, &mut out);
            Ok(())
        };
        self.work_on(&[], None, out.reborrow(), begin)?;
        Ok(self.phase == Phase::Asking)
    }

    fn observe(&self, out: &mut Out<'_>) {
        out.check_shown::<G>(self.num_lanes());
        self.setup.show(&self.all.lanes, &self.all.statuses, out);
    }

    fn masks(&self, masks: &mut [i8]) {
        assert_eq!(masks.len(), self.num_lanes() * G::NUM_ACTIONS, "a mask a lane");
        for (status, mask) in self.all.statuses.iter().zip(masks.chunks_exact_mut(G::NUM_ACTIONS)) {
            self.setup.write_mask(status, mask);
        }
    }

    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>> {
        let position = Position::from_state(self.setup.game.clone(), self.all.lanes.get(lane)?.state).ok()?;
        Some(Box::new(position))
    }

    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error> {
        let lanes = self.num_lanes();
        assert_eq!(actions.len(), lanes, "one action a lane");
        out.check::<G>(lanes, self.setup.game.num_players(), self.setup.autoreset);
        self.ready()?;
        self.starts.clear();
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        chosen.resize(lanes, NO_ACTION);
        narrow(actions, &mut chosen);
        self.play(chosen, false, out, |lane| actions[lane])
    }

    fn asked(&self) -> Vec<Asked> {
        let asked = |(number, lane): (usize, &Lane<G::State>)| Asked {
            lane: number,
            player: lane.viewer,
            lineup: lane.lineup,
            episode: lane.episodes.wrapping_sub(1),
        };
        self.waiting().map(asked).collect()
    }

    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) {
        let rows =
            observations.chunks_exact_mut(G::OBSERVATION_LEN).zip(masks.chunks_exact_mut(G::NUM_ACTIONS));
        assert_eq!(rows.len(), self.waiting().count(), "a row for each lane that waits");
        for ((number, lane), (observation, mask)) in self.waiting().zip(rows) {
            self.setup.write(lane, &self.all.statuses[number], observation, mask, &mut 0);
        }
    }

    fn asked_states(&self) -> Box<dyn AnyStates> {
        let states = self.waiting().map(|(_, lane)| lane.state).collect();
        Box::new(States::of(self.setup.game.clone(), states))
    }

    fn answer(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error> {
        let lanes = self.num_lanes();
        out.check_shown::<G>(lanes);
        let asked: Vec<usize> = self.waiting().map(|(number, _)| number).collect();
        if asked.is_empty() || asked.len() != actions.len() {
            return Err(Error::new(format!(
                "there are {} for {} that were asked for",
                counted(actions.len(), "action", "actions"),
                asked.len()
            )));
        }
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        chosen.resize(lanes, NO_ACTION);
        for (lane, action) in asked.iter().zip(actions) {
            chosen[*lane] = u8::try_from(*action).unwrap_or(NO_ACTION);
        }
        let given = |lane| asked.binary_search(&lane).map_or(-1, |place| actions[place]);
        self.play(chosen, true, out, given)
    }

    fn num_threads(&self) -> usize {
        self.plan().threads
    }

    fn set_lineups(&mut self, lineups: &Lineups, moved: &[Option<u32>]) -> Result<(), Error> {
        let table = BoundLineups::new(&self.setup.game, lineups)?;
        let to = |lineup: u32| moved.get(lineup as usize).copied().flatten();
        let under_way = self.phase != Phase::New;
        for (number, lane) in self.all.lanes.iter().enumerate().filter(|_| under_way) {
            let new = to(lane.lineup).filter(|new| (*new as usize) < table.len());
            let same =
                new.is_some_and(|new| table.row(new).waits_like(self.all.terms.lineups.row(lane.lineup)));
            if !same {
                return Err(Error::new(format!(
                    "lane {number}: the game under way is not among the new lineups"
                )));
            }
        }
        let choices = self.setup.num_choices(&table, self.all.lanes.len());
        if self.all.choices.is_empty() && choices > 0 {
            // Nobody has drawn anything yet.
            let mut column = memory::room_for(choices)?;
            let lanes = self.all.terms.origins.iter().zip(&self.all.lanes);
            column.extend(lanes.map(|(origin, lane)| origin.streams(lane.episodes.saturating_sub(1)).seats));
            self.all.choices = column;
        }
        for lane in &mut self.all.lanes {
            (lane.lineup, lane.last_lineup) =
                (to(lane.lineup).unwrap_or_default(), to(lane.last_lineup).unwrap_or_default());
        }
        self.all.terms.lineups = table;
        Ok(())
    }

    fn set_starts(&mut self, starts: Option<&dyn AnyStates>) -> Result<(), Error> {
        let game = &self.setup.game;
        let Some(starts) = starts else {
            self.all.terms.starts.clear();
            return Ok(());
        };
        let starts = States::own(game, starts)?.rows();
        if starts.is_empty() {
            return Err(Error::new("there are no states for games to begin in"));
        }
        if let Some(row) = starts.iter().position(|start| game.turn(start) == Turn::Over) {
            return Err(Error::new(format!(
                "a game cannot begin where it is already over, as in row {row} of the starts"
            )));
        }
        self.all.terms.starts = memory::copy_of(starts)?;
        Ok(())
    }

    fn lineups(&self, last: bool) -> Vec<u32> {
        self.all.lanes.iter().map(|lane| if last { lane.last_lineup } else { lane.lineup }).collect()
    }

    fn episodes(&self) -> Vec<u32> {
        self.all.lanes.iter().map(|lane| lane.episodes.wrapping_sub(1)).collect()
    }

    fn counts(&self, last: bool) -> Box<dyn Iterator<Item = &Counts> + '_> {
        Box::new(self.all.tallies.iter().map(move |of| if last { &of.last } else { &of.now }))
    }

    fn is_slow(&self) -> bool {
        self.all.terms.lineups.is_slow()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.setup, &self.all, self.phase != Phase::New)
    }
}

multiversion! {
    /// Actions as bytes, whatever numbers they are.
    fn narrow[](actions: &[i64], chosen: &mut [u8]) -> () {
        for (chosen, &action) in chosen.iter_mut().zip(actions) {
            let none = if action & !0xff == 0 { 0 } else { NO_ACTION };
            *chosen = action as u8 | none;
        }
    }
}
