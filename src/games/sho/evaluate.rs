//! How good a position of Sho looks: how far each side's coins still have to go, which of them may be killed, and how likely
//! the side that throws is to throw again.

use super::board::HAND as FROM_HAND;
use super::{Sho, State};
use crate::rules::{Evaluate, Game, MAX_PLAYERS, PerPlayer, Player, bits};

/// What a coin in hand has to go, in ways from the first shell to the last: it enters by itself and waits for company.
const HAND: f64 = 2.0;
/// What each coin more takes off a stack's way: stacks kill, and are seldom killed. All nine of a side have some way left.
const COMPANY: f64 = 0.12;
/// How much counts of what a stack loses if an enemy kills it: the stack may move on before, and the enemy choose otherwise.
const KILL: f64 = 0.3;
/// How many of the 36 throws of two dice bring a stack so far.
const THROWS: [u8; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
/// The way that even a side that is nearly home still has before it, in ways from the first shell to the last: more than what
/// `TURN` and `AGAIN` take off.
const LAST: f64 = 1.1;
/// What it is worth to throw next, beside the chance to throw again, in ways from the first shell to the last. Were it more
/// than a throw brings on average, to look two turns ahead would play worse than to look one ahead: some of its positions are
/// judged before the enemy's throw, others after it.
const TURN: f64 = 0.08;
/// What it is worth to be sure that the next throw brings another one, in ways from the first shell to the last.
const AGAIN: f64 = 0.95;

impl Sho {
    /// The shells that the stacks of a side still have to pass, and what they may lose.
    fn way(&self, s: &State, side: usize) -> f64 {
        let end = f64::from(self.rules.num_shells);
        let hand = HAND * end;
        let mut way = f64::from(s.hand[side]) * hand;
        let enemies = s.occupied() & !s.track[side];
        for at in bits(s.track[side]) {
            let size = f64::from(s.size[at]);
            let left = (end - at as f64) * (1.0 - COMPANY * (size - 1.0));
            way += left;
            let mut throws = 0;
            let nearest = at.saturating_sub(THROWS.len() - 1);
            for from in bits(enemies & ((1 << at) - 1) & !((1u64 << nearest) - 1)) {
                if s.size[from] >= s.size[at] {
                    throws += u32::from(THROWS[at - from]);
                }
            }
            if let Some(&entering) = THROWS.get(at) {
                for enemy in (0..self.num_sides).filter(|&enemy| enemy != side && s.hand[enemy] != 0) {
                    if self.size_at(s, enemy, FROM_HAND) >= s.size[at] {
                        throws += u32::from(entering);
                    }
                }
            }
            way += KILL * f64::from(throws) / 36.0 * (size * hand - left).max(0.0);
        }
        way
    }

    /// How likely one throw is to let the side stack or kill, and so throw again (R7).
    fn throws_again(&self, s: &State, side: usize) -> f64 {
        let own = s.track[side];
        let enemies = s.occupied() & !own;
        let hand = u64::from(s.hand[side] != 0) << FROM_HAND;
        let mut throws = 0;
        for (count, &ways) in THROWS.iter().enumerate() {
            let reached = (own | hand) << count;
            let kills = |at: usize| s.size[at] <= self.size_at(s, side, (at - count) as u8);
            if reached & own != 0 || bits(reached & enemies).any(kills) {
                throws += u32::from(ways);
            }
        }
        f64::from(throws) / 36.0
    }
}

impl Evaluate for Sho {
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let players = self.num_players();
        let sides = if self.rules.teams { 2 } else { players };
        // The shorter the way, the likelier the win.
        let mut odds = [0.0; MAX_PLAYERS];
        let mut all = 0.0;
        let turn = self.player_on_turn(s).map(|player| self.side_index(player));
        for (side, odds) in odds.iter_mut().enumerate().take(sides) {
            let mut extra = LAST;
            if turn == Some(side) {
                extra -= TURN + AGAIN * self.throws_again(s, side);
            }
            let way = self.way(s, side) + extra * f64::from(self.rules.num_shells);
            *odds = 1.0 / (way * way * way);
            all += *odds;
        }
        let mut values = PerPlayer::new(players, 0.0);
        for seat in (0..players as u8).map(Player) {
            let win = odds[self.side_index(seat)] / all;
            values[seat] = self.rules.stake * (win * self.gain() - (1.0 - win));
        }
        values
    }
}
