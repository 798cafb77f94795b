//! What a position is worth when everybody plays as well as can be, counted out: every action, every throw, to the end.

use std::collections::HashMap;

use sarai::Turn;
use sarai::api::AnyGame;
use sarai::play::position::AnyPosition;

/// The expected returns of each player.
type Values = Vec<f64>;

/// Counts positions out, up to so many of them.
struct Solver {
    known: HashMap<String, Option<Values>>,
    left: usize,
}

impl Solver {
    /// `None` when there are too many positions, or when equally good choices of one player are not so to the others:
    /// what these may expect is then nobody's to say.
    fn values(&mut self, game: &dyn AnyGame, position: &dyn AnyPosition) -> Option<Values> {
        let turn = position.turn();
        if turn == Turn::Over {
            return Some(position.returns().as_slice().to_vec());
        }
        let key = position.text();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.left = self.left.checked_sub(1)?;
        let values = match turn {
            Turn::Player(player) => {
                let options = self.options(game, position)?;
                let best = options.iter().map(|(_, values)| values[player.index()]).fold(f64::MIN, f64::max);
                let mut good = options.iter().filter(|(_, values)| values[player.index()] > best - 1e-9);
                let (_, first) = good.next().expect("a player to act has an action");
                let same = good.all(|(_, other)| first.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9));
                same.then(|| first.clone())
            }
            _ => {
                let chance = position.chance().expect("a chance node has outcomes");
                let mut mean = vec![0.0; game.num_players()];
                for (outcome, &weight) in chance.weights().iter().enumerate() {
                    let values = self.after(game, position, outcome as i64)?;
                    for (mean, value) in mean.iter_mut().zip(values) {
                        *mean += value * weight as f64 / chance.total() as f64;
                    }
                }
                Some(mean)
            }
        };
        self.known.insert(key, values.clone());
        values
    }

    fn after(&mut self, game: &dyn AnyGame, position: &dyn AnyPosition, id: i64) -> Option<Values> {
        let mut next = position.boxed();
        next.play_any(id).expect("what may be played");
        self.values(game, &*next)
    }

    /// Each legal action with what it is worth to every player.
    fn options(&mut self, game: &dyn AnyGame, position: &dyn AnyPosition) -> Option<Vec<(i64, Values)>> {
        let legal = position.legal_actions().into_iter().map(|action| action.0 as i64);
        legal.map(|id| Some((id, self.after(game, position, id)?))).collect()
    }
}

/// What each legal action is worth to the player to act.
pub struct ExactValue(Vec<(i64, f64)>);

impl ExactValue {
    /// Counts out what a player may do here; `None` when that takes more than `limit` positions or has no one answer.
    pub fn of(game: &dyn AnyGame, position: &dyn AnyPosition, limit: usize) -> Option<ExactValue> {
        let Turn::Player(player) = position.turn() else { return None };
        let mut solver = Solver { known: HashMap::new(), left: limit };
        let options = solver.options(game, position)?;
        Some(ExactValue(options.into_iter().map(|(id, values)| (id, values[player.index()])).collect()))
    }

    /// The best that can be done.
    pub fn best(&self) -> f64 {
        self.0.iter().map(|&(_, worth)| worth).fold(f64::MIN, f64::max)
    }

    /// The worst that can be done.
    pub fn worst(&self) -> f64 {
        self.0.iter().map(|&(_, worth)| worth).fold(f64::MAX, f64::min)
    }

    /// What this action loses of the best.
    pub fn lost_by(&self, action: i64) -> f64 {
        let (_, worth) = self.0.iter().find(|&&(id, _)| id == action).expect("a legal action");
        self.best() - worth
    }
}
