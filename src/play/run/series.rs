//! Series of games: the winner of a game begins the next, and who has won enough of them wins the series.
//!
//! Series `i` of seed `s` is played on stream `i` of that seed from its first game to its last, whichever call or
//! thread it falls into.

use super::columns::{Columns, InOrder, SeriesColumns, number};
use super::driver::{Finished, On, Played, Sink};
use super::{Found, MAX_GAMES, within};
use crate::agents::sample;
use crate::base::{Error, digest, extend};
use crate::play::Stop;
use crate::rules::{FirstPlayer, FullGame, MAX_PLAYERS, Player, Side, Turn, rule_book};

/// The most series in one run.
pub const MAX_SERIES: u64 = 1_000_000;

/// The most games that a series may have to be won in.
pub const MAX_TARGET: u32 = 1000;

/// The most games that a series may have.
pub const MAX_GAMES_A_SERIES: u32 = 100_000;

/// When a series is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// How many games a side has to win, 1 to [`MAX_TARGET`].
    pub target: u32,
    /// Whether it has to win them in a row.
    pub consecutive: bool,
}

/// Where a series stands.
#[derive(Debug)]
struct Score {
    goal: Goal,
    /// How many games count for each side: those won in a row, or all.
    won: [u32; MAX_PLAYERS],
}

impl Score {
    /// Before the first game.
    fn new(goal: Goal) -> Self {
        Score { goal, won: [0; MAX_PLAYERS] }
    }

    /// Counts a game that this side has won; `None` is a draw, which changes nothing.
    fn record(&mut self, winner: Option<Side>) {
        let Some(winner) = winner else { return };
        for (side, won) in self.won.iter_mut().enumerate() {
            if side == winner.index() {
                *won += 1;
            } else if self.goal.consecutive {
                *won = 0;
            }
        }
    }

    /// The side that has won the series.
    fn winner(&self) -> Option<Side> {
        self.won.iter().position(|&won| won >= self.goal.target).map(|side| Side(side as u8))
    }
}

/// A series under way.
#[derive(Debug)]
pub(super) struct OneSeries {
    score: Score,
    /// Who began the game under way.
    starter: Option<Player>,
    finished: Vec<(Option<Player>, Finished)>,
}

/// Writes columns, series after series.
#[derive(Debug)]
pub(super) struct SeriesSink {
    goal: Goal,
    max_games: u32,
    columns: Columns,
    series: SeriesColumns,
    waiting: InOrder<OneSeries>,
}

impl SeriesSink {
    pub(super) fn new<G: FullGame>(series: u64, goal: Goal, max_games: u32) -> Result<Self, Error> {
        within("target", goal.target.into(), 1, MAX_TARGET.into())?;
        within("max_games", max_games.into(), 1, MAX_GAMES_A_SERIES.into())?;
        if series * u64::from(max_games) > MAX_GAMES {
            return Err(Error::new(format!(
                "{series} series of up to max_games={max_games} games may come to more than {MAX_GAMES} games; ask for fewer \
                 series at a time, with different first_series, or for a lower max_games"
            )));
        }
        let of_series = SeriesColumns { offsets: vec![0], ..SeriesColumns::default() };
        let (columns, waiting) = (Columns::of::<G>(), InOrder::default());
        Ok(SeriesSink { goal, max_games, columns, series: of_series, waiting })
    }

    /// Adds the next series.
    fn append(&mut self, one: &OneSeries) -> Result<(), Error> {
        let SeriesSink { columns, series, .. } = self;
        let (games, first) = (&one.finished, columns.winner.len());
        let players = games.first().map_or(0, |(_, game)| game.returns.as_slice().len());
        columns.grow(games.len(), players)?;
        for (row, (_, game)) in games.iter().enumerate() {
            columns.write(first + row, game);
        }
        series.winner.push(number(one.score.winner()));
        series.digests.push(digest(&(), games.iter().map(|(_, game)| game.digest as u32)) as u32);
        series.offsets.push((first + games.len()) as i64);
        extend(&mut series.starter, games.iter().map(|(by, _)| by.map_or(-1, |seat| seat.0 as i8)))
    }
}

impl<G: FullGame> Sink<G> for SeriesSink {
    type Notes = OneSeries;
    const ROWS: usize = 1024;

    fn notes(&mut self, _: usize, _: u64) -> OneSeries {
        OneSeries { score: Score::new(self.goal), starter: None, finished: Vec::new() }
    }

    fn play(&self, played: &mut Played<G>, series: &mut OneSeries, on: &On<'_, G>) -> Stop {
        if played.is_new {
            // Whoever begins may have to pass on the first throw: who chooses first does not tell.
            let book = &on.books[played.book];
            let game = &mut played.game;
            while book.turn(&game.state) == Turn::Chance && book.player_on_turn(&game.state).is_none() {
                let outcome = sample(book.chance(&game.state), &mut game.streams.dice);
                book.resolve(&mut game.state, outcome, &mut game.counts);
            }
            series.starter = book.player_on_turn(&game.state);
        }
        on.play(played, &mut ())
    }

    fn over(&self, played: &mut Played<G>, series: &mut OneSeries, books: &[G]) -> bool {
        let finished = played.finished(books);
        let winner = finished.winner;
        series.finished.push((series.starter, finished));
        series.score.record(winner);
        if series.score.winner().is_some() || series.finished.len() >= self.max_games as usize {
            return false;
        }
        let next = series.starter.map(|starter| next_starter(&books[played.book], starter, winner));
        let book = next.filter(|_| books.len() > 1).map_or(played.book, Player::index);
        played.again(books, book);
        true
    }

    fn place(played: &Played<G>, series: &OneSeries) -> String {
        format!("series {}, game {}", played.number, series.finished.len())
    }

    fn take(&mut self, played: &Played<G>, series: OneSeries, _: &[G]) -> Result<(), Error> {
        self.waiting.put(played.row, series);
        while let Some(series) = self.waiting.next() {
            self.append(&series)?;
        }
        Ok(())
    }

    fn found(self, _: G) -> Found {
        Found::Columns(Box::new(Columns { series: Some(self.series), ..self.columns }))
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
pub(super) fn books<G: FullGame>(game: &G) -> Result<Vec<G>, Error> {
    let seats = (0..game.num_players()).map(|seat| FirstPlayer::Seat(Player(seat as u8)));
    let begun_by_each =
        rule_book::begun_by_each(game, seats).map_err(|error| Error::new(error.to_string()))?;
    Ok(begun_by_each.into_iter().flatten().chain([game.clone()]).collect())
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
        assert_eq!((score.won[..2].to_vec(), score.winner()), (vec![1, 0], None));
    }

    #[test]
    fn a_draw_leaves_streaks() {
        assert_eq!(score(5, true, &[A, A, None, A, A, None]).won[0], 4);
        assert_eq!(score(5, true, &[A, A, None, A, A, None, A]).winner(), A);
        assert_eq!(score(1, true, &[None, None]).winner(), None);
    }

    #[test]
    fn without_a_row_every_win_counts() {
        assert_eq!(score(3, false, &[A, B, B, A]).winner(), None);
        assert_eq!(score(3, false, &[A, B, B, A, B]).winner(), B);
    }
}
