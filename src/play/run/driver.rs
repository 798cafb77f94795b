//! The loop that every run shares: so many rows are under way at a time, played on different threads, and outside agents answer
//! for many rows at once. What is noted of games and becomes of them is a sink's.

use std::any::Any;
use std::fmt::Debug;
use std::mem::take;
use std::sync::atomic::Ordering;

use super::{Found, Run, RunConfig};
use crate::agents::{Agent, BoundAgent, Streams};
use crate::base::{Control, Error, IllegalAction, Plan, counted, list_legal, share_out};
use crate::play::game_in_play::{BoundSeat, Counts, GameInPlay, Opening, Recorder, Seat, Stop, Trees};
use crate::play::{AnyStates, States};
use crate::rules::{Action, ActionSet, FullGame, PerPlayer, Player, Side};

/// What a game costs that is played to its end, in decisions: a guess, by which work is shared among threads.
const DECISIONS_A_GAME: u64 = 100;

/// The most bytes that games under way may keep in trees, about.
const KEPT: u64 = 1 << 29;

/// What a node of a tree takes at most, about.
const NODE: u64 = 1 << 10;

/// What becomes of games.
pub(super) trait Sink<G: FullGame>: Debug + Send + Sync {
    /// What is noted of a row while it is under way.
    type Notes: Debug + Send;
    /// How many rows are under way at most: memory does not grow beyond them and what was collected.
    const ROWS: usize = 4096;

    /// What is noted of a row of which nothing has been played yet.
    fn notes(&mut self, row: usize, number: u64) -> Self::Notes;
    /// Plays on by [`On::play`], with the recorder that a row needs.
    fn play(&self, played: &mut Played<G>, notes: &mut Self::Notes, on: &On<'_, G>) -> Stop;
    /// Plays two rows on for a while by [`On::play_two`], where nothing much is noted; neither needs to be over then.
    fn play_two(&self, _one: &mut Row<G, Self::Notes>, _other: &mut Row<G, Self::Notes>, _on: &On<'_, G>) {}
    /// A game is over; asked on any thread. Whether another one has begun in its row.
    fn over(&self, _played: &mut Played<G>, _notes: &mut Self::Notes, _books: &[G]) -> bool {
        false
    }
    /// What an error calls a row, as in "game 12".
    fn place(played: &Played<G>, _notes: &Self::Notes) -> String {
        format!("game {}", played.number)
    }
    /// Why nothing more may be noted.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
    /// Takes in a row that is over.
    fn take(&mut self, played: &Played<G>, notes: Self::Notes, books: &[G]) -> Result<(), Error>;
    /// What was collected.
    fn found(self, book: G) -> Found;
}

/// The game under way in a row.
#[derive(Debug)]
pub(super) struct Played<G: FullGame> {
    /// Its number among all of the seed.
    pub(super) number: u64,
    pub(super) row: usize,
    /// The rule book by which it is played at the moment, by its index.
    pub(super) book: usize,
    pub(super) game: GameInPlay<G>,
    /// Whether nothing of the game has been played.
    pub(super) is_new: bool,
    /// How many turns had been played where it began.
    turns_before: i32,
    trees: Trees<G>,
    opening: Option<Opening>,
    /// What an outside agent chose.
    chosen: Option<(Player, ActionSet, Action)>,
}

/// What is told of a game that is over.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub(super) returns: PerPlayer<f64>,
    pub(super) winner: Option<Side>,
    pub(super) decisions: u32,
    pub(super) turns: i32,
    pub(super) counts: Counts,
    pub(super) digest: u64,
}

/// How many turns a game took so far: a win ends a turn that has not passed.
fn turns_played<G: FullGame>(game: &G, state: &G::State) -> i32 {
    (game.turns_passed(state) + game.winner(state).is_some() as u32) as i32
}

impl<G: FullGame> Played<G> {
    /// Begins another game by one of the books, on the same streams.
    pub(super) fn again(&mut self, books: &[G], book: usize) {
        self.game = GameInPlay::new(books[book].initial_state(), self.game.streams.clone());
        (self.book, self.is_new, self.turns_before) = (book, true, 0);
    }

    /// What is told of the game, which is over.
    pub(super) fn finished(&self, books: &[G]) -> Finished {
        let (book, game) = (&books[self.book], &self.game);
        let turns = turns_played(book, &game.state) - self.turns_before;
        Finished {
            returns: book.returns(&game.state),
            winner: book.winner(&game.state),
            decisions: game.decisions,
            turns,
            counts: game.counts,
            digest: game.digest(turns),
        }
    }
}

/// Who plays on, by which rule books.
pub(super) struct On<'a, G: FullGame> {
    pub(super) books: &'a [G],
    seats: &'a [BoundSeat<G>],
    pub(super) control: &'a Control,
}

impl<'a, G: FullGame> On<'a, G> {
    /// Plays what is due before anybody inside the engine chooses: an answer, or the random decisions of the beginning.
    fn begin<R: Recorder<G>>(&self, played: &mut Played<G>, recorder: &mut R) -> &'a G {
        let book = &self.books[played.book];
        if let Some((player, legal, action)) = played.chosen.take() {
            played.game.play(book, player, legal, action, recorder);
        }
        if take(&mut played.is_new)
            && let Some(opening) = &mut played.opening
        {
            opening.begin(&mut played.game, book, recorder);
        }
        book
    }

    /// Plays a game on until it is over or somebody outside has to choose.
    pub(super) fn play<R: Recorder<G>>(&self, played: &mut Played<G>, recorder: &mut R) -> Stop {
        let book = self.begin(played, recorder);
        played.game.advance(book, self.seats, &mut played.trees, recorder, self.control)
    }

    /// Plays two random games on until one of them is over.
    pub(super) fn play_two<R: Recorder<G>>(
        &self,
        one: (&mut Played<G>, &mut R),
        other: (&mut Played<G>, &mut R),
    ) {
        let book = self.begin(one.0, one.1);
        self.begin(other.0, other.1);
        let games = (&mut one.0.game, &mut other.0.game);
        GameInPlay::advance_two_at_random(book, games.0, games.1, (one.1, other.1), self.control);
    }
}

/// A row under way.
#[derive(Debug)]
pub(super) struct Row<G: FullGame, N> {
    pub(super) played: Played<G>,
    pub(super) notes: N,
    /// What it waits for; `None` when it can be played on.
    stop: Option<Stop>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Driver<G: FullGame, S: Sink<G>> {
    /// They differ in who begins only; the first game of a row is played by the last.
    books: Vec<G>,
    seats: Vec<BoundSeat<G>>,
    config: RunConfig,
    pub(super) sink: S,
    /// How many rows are under way at most.
    room: usize,
    /// Rows that have been taken up.
    begun: usize,
    /// Those under way, in the order in which they were taken up.
    pub(super) rows: Vec<Row<G, S::Notes>>,
}

impl<G: FullGame, S: Sink<G>> Driver<G, S> {
    /// Games of which nothing has been played yet. Fewer are under way at a time where each of them keeps trees while it
    /// waits for somebody outside.
    pub(super) fn new(books: Vec<G>, seats: Vec<BoundSeat<G>>, config: RunConfig, sink: S) -> Self {
        let mut driver = Driver { books, seats, config, sink, room: S::ROWS, begun: 0, rows: Vec::new() };
        let kept = NODE * driver.inside().map(|agent| u64::from(agent.keeps())).sum::<u64>();
        if driver.asks() && kept > 0 {
            driver.room = S::ROWS.min((KEPT / kept).max(1) as usize);
        }
        driver
    }

    /// The agents inside the engine.
    fn inside(&self) -> impl Iterator<Item = &BoundAgent<G>> {
        self.seats.iter().filter_map(|seat| match seat {
            Seat::Inside(agent) => Some(agent),
            Seat::Outside(_) => None,
        })
    }

    /// Whether agents outside the engine have a seat.
    fn asks(&self) -> bool {
        self.inside().count() < self.seats.len()
    }

    fn take_up(&mut self) {
        let Driver { books, config, begun: row, .. } = self;
        let (row, number, book) = (*row, config.first + *row as u64, books.len() - 1);
        let start = config.start.as_ref().map(|(states, games)| {
            let states = (&**states as &dyn Any).downcast_ref::<States<G>>().expect("states of this game");
            states.rows()[row / games]
        });
        let state = start.unwrap_or_else(|| books[book].initial_state());
        let played = Played {
            number,
            row,
            book,
            game: GameInPlay::new(state, Streams::new(config.seed, number)),
            is_new: true,
            turns_before: start.map_or(0, |start| turns_played(&books[book], &start)),
            trees: Trees::<G>::default(),
            opening: Opening::new(config.random_plies, config.seed, number),
            chosen: None,
        };
        self.rows.push(Row { played, notes: self.sink.notes(row, number), stop: None });
        self.begun += 1;
    }

    /// How the rows are shared among threads.
    fn plan(&self, together: usize) -> Plan {
        let round: u64 = self.inside().map(Agent::cost).sum();
        // Where agents outside the engine have a seat, a row is played on for a round only.
        let seats = self.seats.len() as u64;
        let cost = if self.asks() { 1 + round } else { round * DECISIONS_A_GAME / seats };
        Plan::new(self.rows.len(), cost, self.config.threads, together)
    }

    /// Plays every row until it is over or asks.
    fn play(&mut self, control: &Control) -> Result<(), Error> {
        // Two at a time only where that is faster: two slow games must not share a thread.
        let in_pairs =
            G::IN_PAIRS && !self.asks() && self.inside().all(|agent| matches!(agent, Agent::Random));
        let plan = self.plan(1 + usize::from(in_pairs));
        let Driver { books, seats, sink, rows, .. } = self;
        let (books, sink) = (&books[..], &*sink);
        let on = &On { books, seats, control };
        let one = |row: &mut Row<G, S::Notes>| {
            row.stop = Some(Stop::Cancelled);
            while !control.is_cancelled() {
                let stop = sink.play(&mut row.played, &mut row.notes, on);
                if stop == Stop::Over && sink.over(&mut row.played, &mut row.notes, books) {
                    continue;
                }
                if stop == Stop::Over {
                    control.done.fetch_add(1, Ordering::Relaxed);
                }
                row.stop = Some(stop);
                break;
            }
        };
        share_out(plan, &mut rows[..], Some(control), |rows| {
            for pair in rows.chunks_mut(2) {
                if let [one, other] = pair
                    && in_pairs
                {
                    sink.play_two(one, other, on);
                }
                pair.iter_mut().for_each(one);
            }
        })?;
        let failed = rows.iter().find_map(|row| match &row.stop {
            Some(Stop::Failed(error)) => Some(error.clone()),
            _ => None,
        });
        failed.map_or(Ok(()), Err)?;
        if rows.iter().any(|row| matches!(row.stop, Some(Stop::Cancelled | Stop::Full))) {
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// The rows that wait for an outside agent.
    fn waiting(&self, agent: usize) -> impl Iterator<Item = (usize, &Played<G>, Player)> {
        self.rows.iter().enumerate().filter_map(move |(at, row)| match row.stop {
            Some(Stop::Asks { agent: asked, player }) if asked == agent => Some((at, &row.played, player)),
            _ => None,
        })
    }
}

impl<G: FullGame, S: Sink<G>> Run for Driver<G, S> {
    fn advance(&mut self, control: &Control) -> Result<bool, Error> {
        let num = self.config.num as usize;
        loop {
            while self.rows.len() < self.room && self.begun < num {
                self.take_up();
            }
            if self.rows.is_empty() {
                return Ok(true);
            }
            let played = self.play(control);
            self.sink.check()?;
            played?;
            for row in self.rows.extract_if(.., |row| row.stop == Some(Stop::Over)) {
                self.sink.take(&row.played, row.notes, &self.books)?;
            }
            let full = self.begun == num || self.rows.len() >= self.room;
            if self.asks() && !self.rows.is_empty() && full {
                return Ok(false);
            }
        }
    }

    fn questions(&self, agent: usize) -> usize {
        self.waiting(agent).count()
    }

    fn asked(&self, agent: usize) -> Box<dyn AnyStates> {
        let states = self.waiting(agent).map(|(_, played, _)| played.game.state).collect();
        Box::new(States::of(self.books[0].clone(), states))
    }

    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        let rows =
            observations.chunks_exact_mut(G::OBSERVATION_LEN).zip(masks.chunks_exact_mut(G::NUM_ACTIONS));
        for ((_, played, player), (observation, mask)) in self.waiting(agent).zip(rows) {
            let (book, state) = (&self.books[played.book], &played.game.state);
            book.observe(state, player, observation);
            book.legal_actions(state).write_mask(mask);
        }
    }

    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error> {
        let asked = self.questions(agent);
        if asked != actions.len() {
            return Err(Error::new(format!(
                "an agent returned {} for {}",
                counted(actions.len(), "action", "actions"),
                counted(asked, "row", "rows")
            )));
        }
        let mut chosen = Vec::with_capacity(asked);
        for ((at, played, player), &action) in self.waiting(agent).zip(actions) {
            let legal = self.books[played.book].legal_actions(&played.game.state);
            let Some(fine) = u16::try_from(action).ok().map(Action).filter(|&action| legal.contains(action))
            else {
                let place = format!("{}, {player}", S::place(played, &self.rows[at].notes));
                return Err(IllegalAction::new(action, list_legal(legal)).at(place).into());
            };
            chosen.push((at, (player, legal, fine)));
        }
        for (at, choice) in chosen {
            (self.rows[at].played.chosen, self.rows[at].stop) = (Some(choice), None);
        }
        Ok(())
    }

    fn found(mut self: Box<Self>) -> Found {
        // By the last book, which is the game's own.
        let book = self.books.pop().expect("a rule book");
        self.sink.found(book)
    }
}
