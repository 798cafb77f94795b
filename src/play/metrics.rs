//! Metrics of a game, added up while games are played; nothing of the games is kept.
//!
//! The games are those of a rollout with the same seed: game `i` is the same game, whether it is measured or not.

mod boards;
mod heat;
mod judging;
mod totals;
mod trace;

use std::sync::Mutex;
use std::sync::atomic::AtomicU8;

pub use self::boards::{REGISTER_BITS, REGISTERS};
pub use self::heat::Heat;
pub use self::totals::{Moments, PHASES, QUANTITIES, Quantity, Ratio, Spread, Totals};

use self::boards::{Boards, see};
use self::heat::Watched;
use self::judging::{Judged, scale};
use self::totals::{DECISIONS, TURNS};
use self::trace::{Looking, Trace};
use crate::agents::rng::{Stream, Streams};
use crate::agents::{Agent, Evaluator};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::threads::worker;
use crate::play::game_in_play::{BoundSeat, GameInPlay, Opening, Seat, Stop, Trees};
use crate::play::rollout::{WINDOW, check_games, turns_played};
use crate::play::window::{Asking, Playing, Row, Window};
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::FullGame;
use crate::rules::player::{Player, Side};

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct MetricsConfig {
    /// How many games, 1 to [`crate::play::rollout::MAX_GAMES`].
    pub num_games: u64,
    /// The number of the first game.
    pub first_game: u64,
    /// The seed of all streams.
    pub seed: u64,
    /// Who plays each seat.
    pub seats: Vec<Seat>,
    /// As in [`crate::play::rollout::RolloutConfig`].
    pub random_plies: u32,
    /// Worker threads, as [`crate::base::threads::resolve`] gives them.
    pub threads: usize,
    /// In how many of the games, from the first on, positions are looked at: the different ones are counted, and where
    /// pieces stand.
    pub board_games: u64,
    /// Who judges positions, if anybody does.
    pub judge: Option<Evaluator>,
}

/// What was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The sums.
    pub totals: Totals,
    /// Sketches x [`REGISTERS`]: the positions in which somebody decided, by doublings of the number of games: sketch `k`
    /// is of the games in rows `2^k - 1` to `2^(k + 1) - 2`.
    pub boards: Vec<u8>,
    /// [`REGISTERS`]: the ends of games, as a rollout's digests tell them apart.
    pub ends: Vec<u8>,
    /// What the places are called, by which [`Totals::heat`] counts.
    pub places: Vec<String>,
    /// How many of them, the last ones, are beside the board.
    pub beside: usize,
}

/// A game that is measured.
#[derive(Debug)]
struct OneGame<G: FullGame> {
    number: u64,
    row: usize,
    game: GameInPlay<G>,
    trees: Trees<G>,
    opening: Option<Opening>,
    trace: Trace,
    judged: Option<Box<Judged>>,
    watched: Option<Box<Watched>>,
    /// Whether positions are looked at.
    looks: bool,
}

/// What rows share while they are played.
#[derive(Debug)]
struct Shared {
    boards: Boards,
    board_games: usize,
    judge: Option<Evaluator>,
}

impl<G: FullGame> OneGame<G> {
    /// Its game, the random decisions of its beginning, and who looks at its positions.
    fn looking<'a>(
        &'a mut self,
        shared: &'a Shared,
        control: &'a Control,
    ) -> (&'a mut GameInPlay<G>, Option<Opening>, Looking<'a>) {
        let boards = (self.row < shared.board_games).then(|| shared.boards.of_row(self.row));
        let judged = shared.judge.as_ref().zip(self.judged.as_deref_mut());
        let watched = self.watched.as_deref_mut();
        let looking = Looking { trace: &mut self.trace, boards, watched, judged, control };
        (&mut self.game, self.opening.take(), looking)
    }

    /// Plays the random decisions of the beginning, where positions are not looked at.
    fn begin(&mut self, book: &G) {
        if let Some(mut opening) = self.opening.take() {
            opening.begin(&mut self.game, book, &mut self.trace);
        }
    }

    fn advance(&mut self, book: &G, seats: &[BoundSeat<G>], shared: &Shared, control: &Control) -> Stop {
        if !self.looks {
            self.begin(book);
            return self.game.advance(book, seats, &mut self.trees, &mut self.trace, control);
        }
        let mut trees = std::mem::take(&mut self.trees);
        let (game, opening, mut looking) = self.looking(shared, control);
        if let Some(mut opening) = opening {
            opening.begin(game, book, &mut looking);
        }
        let stop = game.advance(book, seats, &mut trees, &mut looking, control);
        self.trees = trees;
        stop
    }
}

/// A row of a window, with what all rows share.
#[derive(Debug)]
struct OneRow<G: FullGame> {
    one: OneGame<G>,
    shared: std::sync::Arc<Shared>,
}

impl<G: FullGame> Row<G> for OneRow<G> {
    fn book(&self) -> usize {
        0
    }
    fn state(&self) -> &G::State {
        &self.one.game.state
    }
    fn play(&mut self, book: &G, player: Player, legal: ActionSet, action: Action) {
        let control = Control::default();
        let (game, _, mut looking) = self.one.looking(&self.shared, &control);
        game.play(book, player, legal, action, &mut looking);
    }
    fn advance_two(one: &mut Self, other: &mut Self, books: &[G], seats: &[BoundSeat<G>], control: &Control) {
        let random = |seat: &BoundSeat<G>| matches!(seat, Seat::Inside(Agent::Random));
        let judged = one.one.judged.is_some() || other.one.judged.is_some();
        if !G::IN_PAIRS || judged || !seats.iter().all(random) {
            return;
        }
        let book = &books[0];
        let (shared, one, other) = (&one.shared, &mut one.one, &mut other.one);
        if !one.looks && !other.looks {
            one.begin(book);
            other.begin(book);
            let recorders = (&mut one.trace, &mut other.trace);
            GameInPlay::advance_two_at_random(book, &mut one.game, &mut other.game, recorders, control);
            return;
        }
        let (one, opening, mut looking) = one.looking(shared, control);
        if let Some(mut opening) = opening {
            opening.begin(one, book, &mut looking);
        }
        let (other, opening, mut other_looking) = other.looking(shared, control);
        if let Some(mut opening) = opening {
            opening.begin(other, book, &mut other_looking);
        }
        let recorders = (&mut looking, &mut other_looking);
        GameInPlay::advance_two_at_random(book, one, other, recorders, control);
    }
    fn place(&self) -> String {
        format!("game {}", self.one.number)
    }
}

/// Games under way that are measured.
///
/// ```
/// use sarai::agents::Agent;
/// use sarai::base::control::Control;
/// use sarai::games::sho::Sho;
/// use sarai::play::game_in_play::Seat;
/// use sarai::play::metrics::{Measuring, MetricsConfig};
/// use sarai::play::window::Playing;
/// use sarai::Game;
/// let game = Sho::new(Default::default())?;
/// let config = MetricsConfig {
///     num_games: 10,
///     first_game: 0,
///     seed: 7,
///     seats: vec![Seat::Inside(Agent::Random); 3],
///     random_plies: 0,
///     threads: 2,
///     board_games: 10,
///     judge: None,
/// };
/// let mut measuring = Measuring::new(game.clone(), config.clone(), None)?;
/// assert_eq!(measuring.advance(&Control::default()), Ok(true));
/// let totals = measuring.into_measured().totals;
/// assert_eq!(totals.wins.iter().sum::<u64>() + totals.draws + totals.timeouts, 10);
/// assert!(Measuring::new(game, MetricsConfig { num_games: 0, ..config }, None).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Measuring<G: FullGame> {
    config: MetricsConfig,
    start: Option<G::State>,
    window: Window<G, OneRow<G>>,
    begun: usize,
    shared: std::sync::Arc<Shared>,
    /// One for each thread, so that nobody waits for another.
    totals: Vec<Mutex<Totals>>,
    ends: Vec<AtomicU8>,
    /// A seat of each side.
    leads: Vec<(Side, Player)>,
    /// For games to come.
    spares: Vec<Trace>,
}

impl<G: FullGame> Measuring<G> {
    /// Games of which nothing has been played yet, from the start or from this state.
    ///
    /// # Errors
    /// As [`crate::play::rollout::Rollout::new`]; also where the judge cannot judge this game.
    pub fn new(game: G, config: MetricsConfig, start: Option<G::State>) -> Result<Self, Error> {
        check_games(config.num_games, config.first_game, config.random_plies)?;
        if let Some(judge) = &config.judge {
            judge.fits(&game, format_args!("evaluator '{judge}'"))?;
        }
        let board_games = config.board_games.min(config.num_games);
        let shared = Shared {
            boards: Boards::new(board_games),
            board_games: board_games as usize,
            judge: config.judge.clone(),
        };
        let mut leads: Vec<(Side, Player)> = Vec::new();
        for seat in (0..game.num_players()).map(|seat| Player(seat as u8)) {
            if leads.iter().all(|(side, _)| *side != game.side(seat)) {
                leads.push((game.side(seat), seat));
            }
        }
        let totals = (0..config.threads).map(|_| Mutex::new(Totals::new())).collect();
        let ends = (0..REGISTERS).map(|_| AtomicU8::default()).collect();
        let window = Window::new(vec![game], config.seats.clone(), config.threads, WINDOW)?;
        Ok(Measuring {
            config,
            start,
            window,
            begun: 0,
            shared: std::sync::Arc::new(shared),
            totals,
            ends,
            leads,
            spares: Vec::new(),
        })
    }

    /// Takes up the next game.
    fn begin(&mut self) -> Result<(), Error> {
        let (row, number) = (self.begun, self.config.first_game + self.begun as u64);
        let seed = self.config.seed;
        let start = self.start.unwrap_or_else(|| self.window.books()[0].initial_state());
        let judged =
            self.config.judge.as_ref().map(|_| Box::new(Judged::new(Stream::of_metrics(seed, number))));
        let watched = (row < self.shared.board_games).then(|| {
            let places = self.window.books()[0].num_places() + G::BESIDE.len();
            Box::new(Watched::new(places, self.leads.len()))
        });
        let looks = judged.is_some() || watched.is_some();
        let one = OneGame {
            number,
            row,
            game: GameInPlay::new(start, Streams::new(seed, number)),
            trees: Default::default(),
            opening: Opening::new(self.config.random_plies, seed, number),
            trace: self.spares.pop().unwrap_or_default(),
            judged,
            watched,
            looks,
        };
        self.window.push(OneRow { one, shared: std::sync::Arc::clone(&self.shared) });
        self.begun += 1;
        Ok(())
    }

    /// Plays every game of the window until it is over or asks, and adds up those that are over.
    fn play(&mut self, control: &Control) -> Result<(), Error> {
        let Measuring { window, totals, ends, leads, start, .. } = self;
        window.play(control, |row, books, seats| {
            let stop = row.one.advance(&books[0], seats, &row.shared, control);
            if stop == Stop::Over {
                let mut totals = lock(&totals[worker() % totals.len()]);
                add(&mut totals, &books[0], row, start.as_ref(), leads, ends);
            }
            stop
        })
    }

    /// What was measured, once [`Playing::advance`] has said that all games are over.
    pub fn into_measured(self) -> Measured {
        let Measuring { window, shared, totals, ends, .. } = self;
        let book = &window.books()[0];
        let (places, beside) = (book.all_places(), G::BESIDE.len());
        drop(window);
        let mut all = Totals::new();
        for totals in &totals {
            all.merge(&lock(totals));
        }
        let boards = std::sync::Arc::into_inner(shared).expect("no game is under way");
        let ends = ends.into_iter().map(AtomicU8::into_inner).collect();
        Measured { totals: all, boards: boards.boards.into_registers(), ends, places, beside }
    }
}

impl<G: FullGame> Playing for Measuring<G> {
    type Game = G;

    fn advance(&mut self, control: &Control) -> Result<bool, Error> {
        let games = self.config.num_games as usize;
        loop {
            while !self.window.is_full() && self.begun < games {
                self.begin()?;
            }
            if self.window.len() == 0 {
                return Ok(true);
            }
            self.play(control)?;
            self.spares.extend(self.window.take_over().map(|row| row.one.trace.emptied()));
            let full = self.begun == games || self.window.is_full();
            if self.window.asks() && self.window.len() > 0 && full {
                return Ok(false);
            }
        }
    }

    fn asking(&self) -> &dyn Asking<G> {
        &self.window
    }

    fn asking_mut(&mut self) -> &mut dyn Asking<G> {
        &mut self.window
    }
}

/// Adds a game that is over.
fn add<G: FullGame>(
    totals: &mut Totals,
    book: &G,
    row: &mut OneRow<G>,
    start: Option<&G::State>,
    leads: &[(Side, Player)],
    ends: &[AtomicU8],
) {
    let OneGame { game, trace, judged, watched, .. } = &mut row.one;
    let turns = turns_played(book, &game.state) - start.map_or(0, |start| turns_played(book, start));
    totals.games += 1;
    totals.spreads[TURNS].add(TURNS, turns as u64);
    totals.spreads[DECISIONS].add(DECISIONS, u64::from(game.decisions));
    totals.add_options(trace.options());
    let winner = book.winner(&game.state);
    match winner {
        Some(side) => totals.wins[side.index()] += 1,
        None if book.is_timed_out(&game.state) => totals.timeouts += 1,
        None => totals.draws += 1,
    }
    let (least, most) = book.returns_range();
    for (moments, score) in totals.returns.iter_mut().zip(book.returns(&game.state).as_slice()) {
        moments.add(scale(*score, least, most));
    }
    see(ends, game.digest(turns));
    if let Some(watched) = watched.take() {
        watched.end(book, &game.state, &mut totals.heat);
    }
    if let Some(judged) = judged.take() {
        judged.add_to(totals, leads, winner);
    }
}
