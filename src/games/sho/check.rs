//! Which positions of Sho a game can lead to.

use super::board::{MAX_POOL, OFF};
use super::{PaRa, Phase, Sho, State};
use crate::base::error::Error;
use crate::rules::forms::{bail, check_end, ensure, null, word};
use crate::rules::{FirstPlayer, Game, MAX_PLAYERS, Side, Turn, bits};

impl Sho {
    /// Every invariant of a position.
    pub(super) fn check_state(&self, s: &State) -> Result<(), Error> {
        let phase = word(&s.phase);
        self.check_coins(s)?;
        ensure!(
            s.player.0 < self.rules.players,
            "player is {}; seats are 0 to {}",
            s.player.0,
            self.rules.players - 1
        );
        let random = self.rules.first_player == FirstPlayer::Random;
        ensure!(
            s.phase != Phase::First || (random && s.turn == 0 && *s == self.start()),
            "phase first is only for the start of a game with first_player=\"random\""
        );

        // The end: one side has everything off, or the turns have run out.
        let mut all_off =
            (0..self.num_sides as u8).map(Side).filter(|i| s.off[i.index()] == self.rules.coins);
        let finished = all_off.next();
        ensure!(
            all_off.next().is_none(),
            "two sides have all their coins off, but the game ends with the first"
        );
        ensure!(
            s.winner == finished,
            "winner is {}, but {}",
            null(s.winner.map(|side| side.0)),
            finished.map_or("no side has all its coins off".into(), |side| format!(
                "side {} has all its coins off",
                side.0
            ))
        );
        let (turns, over) = ((s.turn, self.rules.max_turns), (&s.phase, s.phase == Phase::Over));
        check_end(turns, over, s.winner.map(|side| side.0))?;
        self.check_throw(s)?;
        ensure!(
            self.turn(s) != Turn::Player(s.player) || !self.legal(s).is_empty(),
            "player {} has no legal action in phase {phase}, so the turn should have passed",
            s.player.0
        );
        Ok(())
    }

    fn check_coins(&self, s: &State) -> Result<(), Error> {
        let on_shells = self.on_track & !1;
        let mut sizes = 0u64;
        for (at, &size) in s.size.iter().enumerate() {
            sizes |= ((size != 0) as u64) << at;
        }
        let mut seen = 0;
        for side in 0..MAX_PLAYERS {
            let track = s.track[side];
            if track & (seen | !on_shells) != 0 {
                bail!("two sides are on one position, or a stack is off the track");
            }
            seen |= track;
            let on_track: u32 = bits(track).map(|p| s.size[p] as u32).sum();
            let coins = s.hand[side] as u32 + s.off[side] as u32 + on_track;
            let due = if side < self.num_sides { self.rules.coins as u32 } else { 0 };
            ensure!(coins == due, "side {side} has {coins} coins, not {due}");
            if s.cleared >> side & 1 != 0 && (s.hand[side] as u32 != due || due == 0) {
                bail!("side {side} is cleared with {} of its {due} coins in hand", s.hand[side]);
            }
            if !self.rules.niner_stack && bits(track).any(|p| s.size[p] == self.rules.coins) {
                bail!("side {side} has a stack of all {due} coins, which niner_stack=false forbids");
            }
        }
        ensure!(seen == sizes, "a stack without coins, or coins that belong to nobody");
        Ok(())
    }

    /// Pool, value, moved and the six-three mark, as far as each phase can show them.
    fn check_throw(&self, s: &State) -> Result<(), Error> {
        let pool = s.pool.as_slice();
        let phase = word(&s.phase);
        let split = self.rules.pa_ra == PaRa::Flexible;
        let second = s.moved != 0;
        let largest = if second { 25 } else { 12 };
        let smallest = if second { 1 } else { 2 };
        if let Some(value) = pool.iter().find(|value| !(smallest..=largest).contains(*value)) {
            bail!("the pool holds {value}; its values are {smallest} to {largest}");
        }
        let lengths = match (s.phase, self.rules.pa_ra) {
            (Phase::First | Phase::Over, _) => 0..=0,
            (Phase::Roll | Phase::Overflow, PaRa::Choose) => 0..=MAX_POOL - 1,
            (Phase::Roll | Phase::Overflow, _) => 0..=0,
            (Phase::Reroll, PaRa::None) => {
                bail!("there is no phase reroll with pa_ra=\"none\"");
            }
            (Phase::Reroll, _) => 1..=MAX_POOL - 1,
            (Phase::Value, PaRa::None) => {
                bail!("there is no phase value with pa_ra=\"none\"");
            }
            (Phase::Value, _) => 2..=MAX_POOL,
            (Phase::Source, _) if second => 1..=1,
            (Phase::Source, PaRa::None) => 1..=1,
            (Phase::Source, _) => 1..=MAX_POOL,
        };
        if split && !second && pool.len() > 1 && pool[..pool.len() - 1].iter().any(|&value| value != 2) {
            bail!(
                "a flexible pa ra is one or more throws of 1-1 and another throw, but the pool is {pool:?}"
            );
        }
        ensure!(
            lengths.contains(&pool.len()),
            "the pool has {} values in phase {phase}; it has {} to {}",
            pool.len(),
            lengths.start(),
            lengths.end()
        );
        if s.phase == Phase::Reroll && (pool[0] != 2 || (split && s.pool.total() as usize != 2 * pool.len()))
        {
            bail!("phase reroll follows a throw of 1-1, but the pool is {pool:?}");
        }
        if second {
            let stands = s.moved == OFF && s.off[self.side_index(s.player)] > 0
                || s.moved < OFF && s.track[self.side_index(s.player)] >> s.moved & 1 != 0;
            if !(split && s.phase == Phase::Source && stands) {
                bail!(
                    "moved is {}; it must be the position of the first stack of a split, whose second stack is chosen next",
                    s.moved
                );
            }
        }
        match s.phase {
            Phase::Source => {
                let offered = if second || pool.len() == 1 {
                    s.value == pool[0]
                } else {
                    s.value != 0 && self.values(s) >> (s.value - 1) & 1 != 0
                };
                ensure!(offered, "value is {}, which the pool {pool:?} does not offer", s.value);
            }
            Phase::Overflow => {
                ensure!(self.rules.finish_overflow, "phase overflow needs finish_overflow=true");
                if s.off[self.side_index(s.player)] == 0 || !(1..=63).contains(&s.value) {
                    bail!("phase overflow follows a finish, but value is {}", s.value);
                }
                ensure!(
                    self.sources(s, self.side_index(s.player), s.value) != 0,
                    "nothing can move by the overflow of {}",
                    s.value
                );
            }
            _ if s.value != 0 => bail!("value is {} in phase {phase}", s.value),
            _ => {}
        }
        // The mark outlives its roll only where the turn passed without a move.
        let nine = pool.contains(&9);
        let shown = match s.phase {
            Phase::Value | Phase::Source => nine && !second,
            Phase::Roll => pool.is_empty() && s.turn > 0,
            _ => false,
        };
        if s.six_three_roll && !(self.rules.six_three && shown) {
            bail!("six_three_roll is true in phase {phase} with the pool {pool:?}");
        }
        Ok(())
    }
}
