//! Games that are played side by side, some of whose seats may belong to agents outside the engine.
//!
//! A rollout and a run of series both keep so many rows under way at a time, play them on different threads, and let
//! outside agents answer for many rows at once. What a row is, is theirs.

use std::fmt::Debug;
use std::sync::atomic::Ordering;

use crate::agents::Agent;
use crate::base::control::Control;
use crate::base::error::{Error, IllegalAction, counted, list_legal};
use crate::base::memory;
use crate::base::threads::{Plan, share_out};
use crate::play::game_in_play::{BoundSeat, Seat, Stop};
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::FullGame;
use crate::rules::player::Player;

/// What a game costs that is played to its end, in decisions: a guess, by which work is shared among threads.
const DECISIONS_A_GAME: u64 = 100;

/// The most bytes that games under way may keep in trees, about.
const KEPT: u64 = 1 << 29;

/// What a node of a tree takes at most, about.
const NODE: u64 = 1 << 10;

/// What outside agents are asked: where the rows stand that wait for them.
pub trait Asking<G: FullGame> {
    /// The rule book.
    fn book(&self) -> &G;

    /// How many rows wait for this outside agent.
    fn questions(&self, agent: usize) -> usize;

    /// Where each of them stands.
    ///
    /// # Errors
    /// When there is no memory for them.
    fn asked(&self, agent: usize) -> Result<Vec<G::State>, Error>;

    /// Writes the observation and the mask of each of them, row by row.
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]);

    /// Plays what the agent chose in each of them.
    ///
    /// # Errors
    /// When there is not one action for each of [`Asking::questions`], or one is not legal. Nothing is played then.
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error>;
}

/// Games under way, some of whose seats may belong to agents outside the engine.
pub trait Playing: Debug + Send {
    /// The game.
    type Game: FullGame;

    /// Plays on. True when all games are over; false when outside agents have to answer first.
    ///
    /// # Errors
    /// When cancelled, when more comes than may be kept, or when threads or memory cannot be had.
    fn advance(&mut self, control: &Control) -> Result<bool, Error>;

    /// What outside agents are asked.
    fn asking(&self) -> &dyn Asking<Self::Game>;

    /// The same, to answer.
    fn asking_mut(&mut self) -> &mut dyn Asking<Self::Game>;
}

/// What stands in a row of a window.
pub(crate) trait Row<G: FullGame>: Send {
    /// The rule book by which it is played at the moment, by its index.
    fn book(&self) -> usize;
    /// Where the game under way stands.
    fn state(&self) -> &G::State;
    /// Plays a legal action of `player`.
    fn play(&mut self, book: &G, player: Player, legal: ActionSet, action: Action);
    /// Plays two rows on for a while, where that is faster than one after the other; neither needs to be over then.
    fn advance_two(
        _one: &mut Self,
        _other: &mut Self,
        _books: &[G],
        _seats: &[BoundSeat<G>],
        _control: &Control,
    ) {
    }
    /// What an error calls it, as in "game 12".
    fn place(&self) -> String;
}

#[derive(Debug)]
struct UnderWay<R> {
    row: R,
    /// What it waits for; `None` when it can be played on.
    stop: Option<Stop>,
}

/// Rows under way, in the order in which they were taken up.
#[derive(Debug)]
pub(crate) struct Window<G: FullGame, R> {
    books: Vec<G>,
    seats: Vec<BoundSeat<G>>,
    threads: usize,
    /// How many rows are under way at most.
    room: usize,
    playing: Vec<UnderWay<R>>,
}

impl<G: FullGame, R: Row<G>> Window<G, R> {
    /// An empty window whose rows are played by these rule books, which differ in who begins only. At most so many are under
    /// way; fewer where each of them keeps trees while it waits for somebody outside.
    ///
    /// # Errors
    /// When seats are not as many as players.
    pub(crate) fn new(books: Vec<G>, seats: Vec<Seat>, threads: usize, most: usize) -> Result<Self, Error> {
        let players = books[0].num_players();
        if seats.len() != players {
            return Err(Error::new(format!(
                "agents has {}; this game has {players} seats and needs an agent for each",
                counted(seats.len(), "entry", "entries")
            )));
        }
        let seats = seats.iter().map(|seat| seat.bind(&books[0])).collect::<Result<Vec<_>, _>>()?;
        let nodes = |seat: &BoundSeat<G>| match seat {
            Seat::Inside(agent) => u64::from(agent.keeps()),
            Seat::Outside(_) => 0,
        };
        let waits = seats.iter().any(|seat| matches!(seat, Seat::Outside(_)));
        let kept = NODE * seats.iter().map(nodes).sum::<u64>();
        let room = if waits && kept > 0 { most.min((KEPT / kept).max(1) as usize) } else { most };
        Ok(Window { books, seats, threads, room, playing: Vec::new() })
    }

    /// Whether no more rows may be taken up.
    pub(crate) fn is_full(&self) -> bool {
        self.len() >= self.room
    }

    pub(crate) fn books(&self) -> &[G] {
        &self.books
    }

    pub(crate) fn len(&self) -> usize {
        self.playing.len()
    }

    /// Whether agents outside the engine have a seat.
    pub(crate) fn asks(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Outside(_)))
    }

    /// Whether rows are played two at a time.
    fn in_pairs(&self) -> bool {
        G::IN_PAIRS && self.seats.iter().all(|seat| matches!(seat, Seat::Inside(Agent::Random)))
    }

    /// What it costs to play a row on, in units of a random decision.
    fn cost(&self) -> u64 {
        let inside = self.seats.iter().filter_map(|seat| match seat {
            Seat::Inside(agent) => Some(agent.cost()),
            Seat::Outside(_) => None,
        });
        let round: u64 = inside.sum();
        // Where agents outside the engine have a seat, a row is played on for a round only.
        if self.asks() { 1 + round } else { round * DECISIONS_A_GAME / self.seats.len() as u64 }
    }

    /// Takes a row in.
    pub(crate) fn push(&mut self, row: R) {
        self.playing.push(UnderWay { row, stop: None });
    }

    /// Plays every row, with `advance`, until it is over or asks.
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be had.
    pub(crate) fn play(
        &mut self,
        control: &Control,
        advance: impl Fn(&mut R, &[G], &[BoundSeat<G>]) -> Stop + Sync,
    ) -> Result<(), Error> {
        let (books, seats) = (&self.books[..], &self.seats[..]);
        let one = |playing: &mut UnderWay<R>| {
            if control.is_cancelled() {
                playing.stop = Some(Stop::Cancelled);
                return;
            }
            let stop = advance(&mut playing.row, books, seats);
            if stop == Stop::Over {
                control.done.fetch_add(1, Ordering::Relaxed);
            }
            playing.stop = Some(stop);
        };
        let two = |pair: &mut [UnderWay<R>]| {
            if let [one, other] = pair {
                R::advance_two(&mut one.row, &mut other.row, books, seats, control);
            }
            pair.iter_mut().for_each(one);
        };
        // Two at a time only where that is faster: two slow games must not share a thread.
        let plan =
            Plan::new(self.playing.len(), self.cost(), self.threads, if self.in_pairs() { 2 } else { 1 });
        share_out(plan, &mut self.playing[..], Some(control), |rows| rows.chunks_mut(2).for_each(two))?;
        let stops = || self.playing.iter().filter_map(|playing| playing.stop.as_ref());
        let failed = stops().find_map(|stop| match stop {
            Stop::Failed(error) => Some(error.clone()),
            _ => None,
        });
        let cancelled = || stops().any(|stop| matches!(stop, Stop::Cancelled | Stop::Full));
        match failed {
            Some(error) => Err(error),
            None if cancelled() => Err(Error::Cancelled),
            None => Ok(()),
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &R> {
        self.playing.iter().map(|playing| &playing.row)
    }

    /// Takes out the rows that are over, in their order.
    pub(crate) fn take_over(&mut self) -> impl Iterator<Item = R> + '_ {
        self.playing.extract_if(.., |playing| playing.stop == Some(Stop::Over)).map(|playing| playing.row)
    }

    /// For outside agent number `agent`, which rows wait for it.
    fn waiting(&self, agent: usize) -> impl Iterator<Item = (usize, Player)> + '_ {
        self.playing.iter().enumerate().filter_map(move |(at, playing)| match playing.stop {
            Some(Stop::Asks { agent: asked, player }) if asked == agent => Some((at, player)),
            _ => None,
        })
    }
}

impl<G: FullGame, R: Row<G>> Asking<G> for Window<G, R> {
    fn book(&self) -> &G {
        &self.books[0]
    }

    fn questions(&self, agent: usize) -> usize {
        self.waiting(agent).count()
    }

    fn asked(&self, agent: usize) -> Result<Vec<G::State>, Error> {
        let mut states = memory::room_for(self.questions(agent))?;
        states.extend(self.waiting(agent).map(|(at, _)| *self.playing[at].row.state()));
        Ok(states)
    }

    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        let rows =
            observations.chunks_exact_mut(G::OBSERVATION_LEN).zip(masks.chunks_exact_mut(G::NUM_ACTIONS));
        for ((at, player), (observation, mask)) in self.waiting(agent).zip(rows) {
            let row = &self.playing[at].row;
            let book = &self.books[row.book()];
            book.observe(row.state(), player, observation);
            book.legal_actions(row.state()).write_mask(mask);
        }
    }

    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error> {
        let asked: Vec<(usize, Player)> = self.waiting(agent).collect();
        if asked.len() != actions.len() {
            return Err(Error::new(format!(
                "an agent returned {} for {}",
                counted(actions.len(), "action", "actions"),
                counted(asked.len(), "row", "rows")
            )));
        }
        let mut chosen = Vec::with_capacity(asked.len());
        for (&(at, player), &action) in asked.iter().zip(actions) {
            let row = &self.playing[at].row;
            let legal = self.books[row.book()].legal_actions(row.state());
            let Some(fine) = u16::try_from(action).ok().map(Action).filter(|&action| legal.contains(action))
            else {
                let error = IllegalAction::new(action, list_legal(legal));
                return Err(Error::IllegalAction(error.at(format!("{}, {player}", row.place()))));
            };
            chosen.push((at, player, legal, fine));
        }
        for (at, player, legal, action) in chosen {
            let playing = &mut self.playing[at];
            playing.row.play(&self.books[playing.row.book()], player, legal, action);
            playing.stop = None;
        }
        Ok(())
    }
}
