//! What positions are worth to the side of seat 0, and who decides how they go on.

use crate::rules::{Action, Game, Player, Turn};

/// The turns of a position that neither side wins.
pub(super) const ENDLESS: u32 = u32::MAX - 1;
/// The turns of a position from which chance decides something.
pub(super) const BY_CHANCE: u32 = u32::MAX;

/// Who decides how a position goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    /// The side of seat 0, which wants much.
    High,
    /// The other, which wants little.
    Low,
    Chance,
    Over,
}

/// The value of each position lies between the two.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// To the end of the game; or one of the above.
    pub(super) turns: Vec<u32>,
}

/// 1 for the side of seat 0, and -1 for the other.
pub(super) fn sign<G: Game>(game: &G, player: Player) -> f64 {
    if game.side(player) == game.side(Player(0)) { 1.0 } else { -1.0 }
}

/// How many turns an action takes that leads from one key to another: the last turn of a game counts.
pub(super) fn passed<G: Game>(game: &G, key: &G::State, next_key: &G::State, action: Action) -> u32 {
    if game.turn(next_key) == Turn::Over {
        return 1;
    }
    let mut next = *key;
    game.apply(&mut next, action, &mut ());
    game.turns_passed(&next) - game.turns_passed(key)
}

pub(super) fn mover<G: Game>(game: &G, key: &G::State) -> Mover {
    match game.turn(key) {
        Turn::Over => Mover::Over,
        Turn::Chance => Mover::Chance,
        Turn::Player(player) if sign(game, player) > 0.0 => Mover::High,
        Turn::Player(_) => Mover::Low,
    }
}

impl Values {
    /// The middle of what a position may be worth to the side of seat 0.
    pub(super) fn middle(&self, node: usize) -> f64 {
        self.lower[node] + (self.upper[node] - self.lower[node]) / 2.0
    }

    /// What a position is worth at least and at most, to the side of this sign.
    pub(super) fn bounds(&self, node: usize, sign: f64) -> (f64, f64) {
        let (lower, upper) = (self.lower[node], self.upper[node]);
        if sign > 0.0 { (lower, upper) } else { (-upper, -lower) }
    }

    pub(super) fn turns(&self, node: usize) -> Option<u32> {
        Some(self.turns[node]).filter(|&turns| turns < ENDLESS)
    }

    /// The largest distance of a middle from the true value.
    pub(super) fn error(&self) -> f64 {
        let widths = self.lower.iter().zip(&self.upper).map(|(lower, upper)| upper - lower);
        widths.fold(0.0, f64::max) / 2.0
    }
}
