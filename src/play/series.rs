//! Series of games: the winner of a game begins the next, and who has won enough of them wins the series.
//!
//! Series `i` of seed `s` is played on stream `i` of that seed from its first game to its last, whichever call or
//! thread it falls into.

use std::collections::BTreeMap;

use crate::agents::playout::{sample, settle};
use crate::agents::rng::Streams;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::hash::digest;
use crate::base::memory::extend;
use crate::play::game_in_play::{
    BoundSeat, Counts, GameInPlay, MAX_RANDOM_PLIES, Opening, Seat, Stop, Trees,
};
use crate::play::rollout::{MAX_GAMES, turns_played};
use crate::play::window::{Asking, Playing, Row, Window};
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::{FullGame, Turn};
use crate::rules::player::{FirstPlayer, MAX_PLAYERS, PerPlayer, Player, Side};
use crate::rules::rule_book;

/// The most series in one run.
pub const MAX_SERIES: u64 = 1_000_000;

/// The most games that a series may have to be won in.
pub const MAX_TARGET: u32 = 1000;

/// The most games that a series may have.
pub const MAX_GAMES_A_SERIES: u32 = 100_000;

/// Series under way at a time.
const WINDOW: usize = 1024;

/// When a series is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// How many games a side has to win, 1 to [`MAX_TARGET`].
    pub target: u32,
    /// Whether it has to win them in a row.
    pub consecutive: bool,
}

/// Where a series stands.
///
/// ```
/// use sarai::play::series::{Goal, Score};
/// use sarai::Side;
/// let (a, b) = (Some(Side(0)), Some(Side(1)));
/// let mut score = Score::new(Goal { target: 5, consecutive: true });
/// for winner in [a, a, a, a, b, a] {
///     score.record(winner);
/// }
/// assert_eq!(score.games_won(Side(0)), 1);
/// assert_eq!(score.winner(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    goal: Goal,
    won: [u32; MAX_PLAYERS],
}

impl Score {
    /// Before the first game.
    pub fn new(goal: Goal) -> Self {
        Score { goal, won: [0; MAX_PLAYERS] }
    }

    /// Counts a game that this side has won; `None` is a draw, which changes nothing.
    pub fn record(&mut self, winner: Option<Side>) {
        let Some(winner) = winner else { return };
        for (side, won) in self.won.iter_mut().enumerate() {
            if side == winner.index() {
                *won += 1;
            } else if self.goal.consecutive {
                *won = 0;
            }
        }
    }

    /// How many games count for a side: those won in a row, or all.
    pub fn games_won(&self, side: Side) -> u32 {
        self.won[side.index()]
    }

    /// The side that has won the series.
    pub fn winner(&self) -> Option<Side> {
        self.won.iter().position(|&won| won >= self.goal.target).map(|side| Side(side as u8))
    }
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct SeriesConfig {
    /// How many series, 1 to [`MAX_SERIES`].
    pub num_series: u64,
    /// The number of the first series.
    pub first_series: u64,
    /// When a series is won.
    pub goal: Goal,
    /// A series without a winner ends after so many games, 1 to [`MAX_GAMES_A_SERIES`].
    pub max_games: u32,
    /// The seed of all streams.
    pub seed: u64,
    /// Who plays each seat.
    pub seats: Vec<Seat>,
    /// With how many random decisions each game begins, 0 to [`MAX_RANDOM_PLIES`].
    pub random_plies: u32,
    /// Worker threads, as [`crate::base::threads::resolve`] gives them.
    pub threads: usize,
}

/// The results: one entry a series, and one a game of any series, the games of a series together and in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeriesColumns {
    /// Series: the side that won it, -1 for none.
    pub series_winner: Vec<i8>,
    /// Series: what tells them apart, as [`crate::play::rollout::Columns::digests`] does games.
    pub digests: Vec<u32>,
    /// Where each series' games begin, and where the last end.
    pub offsets: Vec<i64>,
    /// Games: the seat that began, -1 where nobody came to choose.
    pub starter: Vec<i8>,
    /// Games x players: the final scores.
    pub returns: Vec<f32>,
    /// Games: the side that won, -1 for a draw.
    pub winner: Vec<i8>,
    /// Games: decisions.
    pub lengths: Vec<i32>,
    /// Games: turns played.
    pub turns: Vec<i32>,
    /// For each statistic of the game, games x players.
    pub statistics: Vec<Vec<i32>>,
}

/// One game of a series.
#[derive(Clone, Debug)]
struct Finished {
    starter: Option<Player>,
    returns: PerPlayer<f64>,
    winner: Option<Side>,
    decisions: u32,
    turns: i32,
    counts: Counts,
    digest: u32,
}

/// A series under way.
#[derive(Debug)]
struct OneSeries<G: FullGame> {
    number: u64,
    row: usize,
    /// By which book the game under way is played: see [`books`].
    book: usize,
    starter: Option<Player>,
    game: GameInPlay<G>,
    trees: Trees<G>,
    opening: Option<Opening>,
    score: Score,
    max_games: u32,
    finished: Vec<Finished>,
}

impl<G: FullGame> Row<G> for OneSeries<G> {
    fn book(&self) -> usize {
        self.book
    }
    fn state(&self) -> &G::State {
        &self.game.state
    }
    fn play(&mut self, book: &G, player: Player, legal: ActionSet, action: Action) {
        self.game.play(book, player, legal, action, &mut ());
    }
    fn place(&self) -> String {
        format!("series {}, game {}", self.number, self.finished.len())
    }
}

impl<G: FullGame> OneSeries<G> {
    /// Begins a game, up to its first decision. Who begins is drawn where the rules say so.
    fn begin(&mut self, book: &G) {
        self.game = GameInPlay::new(book.initial_state(), self.game.streams.clone());
        let GameInPlay { state, streams, counts, .. } = &mut self.game;
        // Whoever begins may have to pass on the first throw: who chooses first does not tell.
        while book.turn(state) == Turn::Chance && book.player_on_turn(state).is_none() {
            let outcome = sample(book.chance(state), &mut streams.dice);
            book.resolve(state, outcome, counts);
        }
        self.starter = book.player_on_turn(state);
        settle(book, state, &mut streams.dice, counts);
        if let Some(opening) = &mut self.opening {
            opening.begin(&mut self.game, book, &mut ());
        }
    }

    /// Plays on until the series is over or an outside agent has to choose.
    fn advance(&mut self, books: &[G], seats: &[BoundSeat<G>], control: &Control) -> Stop {
        loop {
            let book = &books[self.book];
            match self.game.advance(book, seats, &mut self.trees, &mut (), control) {
                Stop::Over => {}
                stop => return stop,
            }
            let state = &self.game.state;
            let (winner, turns) = (book.winner(state), turns_played(book, state));
            self.finished.push(Finished {
                starter: self.starter,
                returns: book.returns(state),
                winner,
                decisions: self.game.decisions,
                turns,
                counts: self.game.counts,
                digest: self.game.digest(turns) as u32,
            });
            self.score.record(winner);
            if self.score.winner().is_some() || self.finished.len() >= self.max_games as usize {
                return Stop::Over;
            }
            if books.len() > 1 {
                let next = self.starter.map(|starter| next_starter(book, starter, winner));
                self.book = next.map_or(self.book, Player::index);
            }
            self.begin(&books[self.book]);
        }
    }
}

/// Who begins the next game: the seat of the winning side that comes first from the one that began this game on; after
/// a draw the one that began this game.
fn next_starter<G: FullGame>(game: &G, starter: Player, winner: Option<Side>) -> Player {
    let Some(winner) = winner else { return starter };
    let players = game.num_players();
    let mut seat = starter;
    for _ in 0..players {
        if game.side(seat) == winner {
            break;
        }
        seat = seat.next(players);
    }
    seat
}

/// The rule book with each seat in turn as the first player, then the rule book as it is; only that one where the rules
/// have no option for who begins, because a throw decides it in every game.
fn books<G: FullGame>(game: &G) -> Result<Vec<G>, Error> {
    let seats = (0..game.num_players()).map(|seat| FirstPlayer::Seat(Player(seat as u8)));
    let begun_by_each =
        rule_book::begun_by_each(game, seats).map_err(|error| Error::new(error.to_string()))?;
    Ok(begun_by_each.into_iter().flatten().chain([game.clone()]).collect())
}

/// Series under way: [`Playing::advance`] plays until every series is over or waits for an outside agent.
#[derive(Debug)]
pub struct SeriesRun<G: FullGame> {
    config: SeriesConfig,
    window: Window<G, OneSeries<G>>,
    /// Series that have been taken up.
    begun: usize,
    columns: SeriesColumns,
    /// Series that are over and wait for an earlier one, by row.
    waiting: BTreeMap<usize, (Option<Side>, Vec<Finished>)>,
    flushed: usize,
}

/// Refuses a number that is out of range.
fn within(name: &str, given: u64, min: u64, max: u64) -> Result<(), Error> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(Error::new(format!("{name} got {given}; it takes {min} to {max}")))
}

impl<G: FullGame> SeriesRun<G> {
    /// Series of which nothing has been played yet.
    ///
    /// # Errors
    /// When a size is out of range, or seats are not as many as players.
    pub fn new(game: G, config: SeriesConfig) -> Result<Self, Error> {
        within("num_series", config.num_series, 1, MAX_SERIES)?;
        within("first_series", config.first_series, 0, u64::MAX - config.num_series)?;
        within("target", config.goal.target as u64, 1, MAX_TARGET as u64)?;
        within("random_plies", config.random_plies as u64, 0, MAX_RANDOM_PLIES as u64)?;
        within("max_games", config.max_games as u64, 1, MAX_GAMES_A_SERIES as u64)?;
        if config.num_series * config.max_games as u64 > MAX_GAMES {
            return Err(Error::new(format!(
                "{} series of up to max_games={} games may come to more than {MAX_GAMES} games; ask for fewer series \
                 at a time, with different first_series, or for a lower max_games",
                config.num_series, config.max_games
            )));
        }
        let window = Window::new(books(&game)?, config.seats.clone(), config.threads, WINDOW)?;
        let columns = SeriesColumns {
            offsets: vec![0],
            statistics: vec![Vec::new(); G::STATISTICS.len()],
            ..SeriesColumns::default()
        };
        Ok(SeriesRun { config, window, begun: 0, columns, waiting: BTreeMap::new(), flushed: 0 })
    }

    fn take_up(&mut self) -> Result<(), Error> {
        let number = self.config.first_series + self.begun as u64;
        let books = self.window.books();
        // The first game is begun by whom the rules name.
        let book = books.len() - 1;
        let mut one = OneSeries {
            number,
            row: self.begun,
            book,
            starter: None,
            game: GameInPlay::new(books[book].initial_state(), Streams::new(self.config.seed, number)),
            trees: Default::default(),
            opening: Opening::new(self.config.random_plies, self.config.seed, number),
            score: Score::new(self.config.goal),
            max_games: self.config.max_games,
            finished: Vec::new(),
        };
        one.begin(&books[book]);
        self.window.push(one);
        self.begun += 1;
        Ok(())
    }

    /// Writes the games of the series that are over, series after series.
    fn collect(&mut self) -> Result<(), Error> {
        for one in self.window.take_over() {
            self.waiting.insert(one.row, (one.score.winner(), one.finished));
        }
        while let Some((winner, games)) = self.waiting.remove(&self.flushed) {
            self.columns.append(winner, &games)?;
            self.flushed += 1;
        }
        Ok(())
    }

    /// The results, once [`Playing::advance`] has said that all series are over.
    pub fn into_columns(self) -> SeriesColumns {
        self.columns
    }
}

impl<G: FullGame> Playing for SeriesRun<G> {
    type Game = G;

    fn advance(&mut self, control: &Control) -> Result<bool, Error> {
        let series = self.config.num_series as usize;
        loop {
            while !self.window.is_full() && self.begun < series {
                self.take_up()?;
            }
            if self.window.len() == 0 {
                return Ok(true);
            }
            self.window.play(control, |one, books, seats| one.advance(books, seats, control))?;
            self.collect()?;
            let full = self.begun == series || self.window.is_full();
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

impl SeriesColumns {
    fn append(&mut self, winner: Option<Side>, games: &[Finished]) -> Result<(), Error> {
        let side = |side: Option<Side>| side.map_or(-1, |side| side.0 as i8);
        extend(&mut self.series_winner, [side(winner)].into_iter())?;
        let all = digest(&(), games.iter().map(|game| game.digest)) as u32;
        extend(&mut self.digests, [all].into_iter())?;
        extend(&mut self.starter, games.iter().map(|game| game.starter.map_or(-1, |seat| seat.0 as i8)))?;
        extend(&mut self.winner, games.iter().map(|game| side(game.winner)))?;
        extend(&mut self.lengths, games.iter().map(|game| game.decisions as i32))?;
        extend(&mut self.turns, games.iter().map(|game| game.turns))?;
        for game in games {
            extend(&mut self.returns, game.returns.as_slice().iter().map(|&score| score as f32))?;
        }
        for (statistic, column) in self.statistics.iter_mut().enumerate() {
            for game in games {
                let seats = 0..game.returns.as_slice().len();
                extend(column, seats.map(|seat| game.counts.get(statistic, Player(seat as u8)) as i32))?;
            }
        }
        let end = self.winner.len() as i64;
        extend(&mut self.offsets, [end].into_iter())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Option<Side> = Some(Side(0));
    const B: Option<Side> = Some(Side(1));

    fn score(target: u32, consecutive: bool, results: &[Option<Side>]) -> Score {
        let mut score = Score::new(Goal { target, consecutive });
        results.iter().for_each(|&winner| score.record(winner));
        score
    }

    #[test]
    fn a_loss_ends_the_losers_streak() {
        let score = score(5, true, &[A, A, A, A, B, A]);
        assert_eq!((score.games_won(Side(0)), score.games_won(Side(1)), score.winner()), (1, 0, None));
    }

    #[test]
    fn a_draw_leaves_streaks() {
        assert_eq!(score(5, true, &[A, A, None, A, A, None]).games_won(Side(0)), 4);
        assert_eq!(score(5, true, &[A, A, None, A, A, None, A]).winner(), A);
        assert_eq!(score(1, true, &[None, None]).winner(), None);
    }

    #[test]
    fn without_a_row_every_win_counts() {
        assert_eq!(score(3, false, &[A, B, B, A]).winner(), None);
        assert_eq!(score(3, false, &[A, B, B, A, B]).winner(), B);
    }
}
