//! Playing by the logits of a network: the action with the highest, or one drawn by all of them.

use std::sync::Arc;

use super::analysis::{Analysis, Line};
use super::result::ValueKind;
use crate::agents::Stream;
use crate::nets::Named;
use crate::rules::{Action, ActionSet, Encode, MAX_ACTIONS, PerPlayer, Player, Turn};

/// The largest temperature, in hundredths.
pub const MAX_TEMPERATURE: u16 = 10_000;

/// How an agent plays by logits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The network, which has logits of actions.
    pub network: Arc<Named>,
    /// By what logits are divided before an action is drawn by them, in hundredths, 1 to [`MAX_TEMPERATURE`]; 0 plays the
    /// action with the highest, of equals the smallest id, and draws nothing.
    pub temperature: u16,
}

/// The logits of the legal actions of a position, and what each is likely to be drawn with.
struct Logits {
    actions: ActionSet,
    count: usize,
    logits: [f32; MAX_ACTIONS],
    values: Option<PerPlayer<f64>>,
}

impl Logits {
    #[cfg_attr(fast, inline(always))]
    fn of<G: Encode>(
        game: &G,
        state: &G::State,
        viewer: Player,
        actions: ActionSet,
        network: &Named,
    ) -> Self {
        let (count, mut logits) = (actions.len(), [0.0; MAX_ACTIONS]);
        let values = network.net().decide(game, state, viewer, actions, &mut logits[..count]);
        Logits { actions, count, logits, values }
    }

    fn action(&self, number: usize) -> Action {
        self.actions.nth(number).expect("a legal action")
    }

    /// The number of the highest logit, of equals the first.
    #[cfg_attr(fast, inline(always))]
    fn best(&self) -> usize {
        let mut best = 0;
        for number in 1..self.count {
            if self.logits[number] > self.logits[best] {
                best = number;
            }
        }
        best
    }

    /// Makes weights of the logits, the largest 1; their sum. The mathematics is that of libm, the same on every machine.
    fn weigh(&mut self, temperature: u16) -> f64 {
        let most = self.logits[self.best()];
        let by = 100.0 / f64::from(temperature);
        let mut sum = 0.0;
        for logit in &mut self.logits[..self.count] {
            *logit = libm::exp(f64::from(*logit - most) * by) as f32;
            sum += f64::from(*logit);
        }
        sum
    }
}

/// Chooses one of the legal actions, of which there are at least two.
#[cfg_attr(fast, inline(always))]
pub(crate) fn choose<G: Encode>(
    game: &G,
    state: &G::State,
    legal: ActionSet,
    settings: &Settings,
    rng: &mut Stream,
) -> Action {
    let Turn::Player(player) = game.turn(state) else {
        panic!("an agent chooses where it is a player's turn");
    };
    let mut logits = Logits::of(game, state, player, legal, &settings.network);
    if settings.temperature == 0 {
        return logits.action(logits.best());
    }
    // What is left over by rounding belongs to the largest.
    let mut chosen = logits.best();
    let sum = logits.weigh(settings.temperature);
    let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * sum;
    for number in 0..logits.count {
        left -= f64::from(logits.logits[number]);
        if left < 0.0 {
            chosen = number;
            break;
        }
    }
    logits.action(chosen)
}

/// How likely each action is; the network's values, if it has any.
pub(crate) fn analyse<G: Encode>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
) -> Analysis {
    let Turn::Player(player) = game.turn(state) else {
        panic!("an analysis starts where a player chooses");
    };
    let legal = game.legal_actions(state);
    let mut logits = Logits::of(game, state, player, legal, &settings.network);
    let (best, values) = (logits.best(), logits.values);
    let chosen = match legal.len() {
        1 => logits.action(0),
        _ => choose(game, state, legal, settings, rng),
    };
    let sum = if settings.temperature > 0 { logits.weigh(settings.temperature) } else { 1.0 };
    let line = |(number, action)| Line {
        action,
        value: None,
        visits: 0,
        probability: match settings.temperature {
            0 => f64::from(u8::from(number == best)),
            _ => f64::from(logits.logits[number]) / sum,
        },
        kind: ValueKind::Judged,
        turns: None,
        actions: vec![action],
    };
    let lines = legal.into_iter().enumerate().map(line).collect();
    Analysis { player, best: Some(chosen), values, lines, depth: 0, work: 1 }
}

/// Priors of the legal actions in ascending order, the largest 1.
pub(crate) fn priors<G: Encode>(
    game: &G,
    state: &G::State,
    player: Player,
    network: &Named,
    mut take: impl FnMut(usize, f32),
) {
    let mut logits = Logits::of(game, state, player, game.legal_actions(state), network);
    logits.weigh(100);
    (0..logits.count).for_each(|number| take(number, logits.logits[number]));
}
