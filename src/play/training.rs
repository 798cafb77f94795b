//! Networks that learn by playing against themselves: TD(lambda) on the positions at the ends of turns.
//!
//! In each game every player goes where the network likes the end of the turn best, but where it explores. After the game
//! each of these positions learns, the last first: its target is what the next one was thought to be worth, mixed with the
//! target of that one, and in the end what the game brought. These are not values but chances; see `outputs`. The network
//! stays as it is during a game, so that a game depends on the seed, its number and the games before it alone.
//!
//! In games without chance, turns may be chosen, and their values learnt, by looking some turns ahead, down to exact
//! tables. With dice, looking two turns ahead takes the luck out of targets: what the next turn's best end is thought to be
//! worth is averaged over all throws, and of what came after a throw only the difference to that counts.

mod lookahead;
mod outputs;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::lookahead::Level;
use self::outputs::{Heads, MOST, Prediction, Target};
use crate::agents::perfect::{Oracle, Source};
use crate::agents::{Stream, Streams, sample};
use crate::base::{Control, Error, multiversion};
use crate::nets::{Activation, Encoding, Inputs, Layer, MAX_UNITS, Mlp, Net};
use crate::rules::{FullGame, Game, Outcome, PerPlayer, Player, Turn, rule_book};

/// The most ends of a turn among which is chosen.
const MOST_ENDS: usize = 1 << 16;

/// After so many games the network learns by 1/sqrt(2) of what it learnt by at first.
const FADES: f64 = 20_000.0;

/// The most games, and the most decisions, that are counted.
const MOST_COUNTED: u64 = 1 << 53;

/// The most turns that it looks ahead.
pub const MAX_AHEAD: u8 = 6;

/// The last layer learns by this share of the rate: all of its inputs are large at once.
const LAST: f64 = 0.5;

/// The training settings of a network, as in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Where dice and exploration come from, and the first weights.
    pub seed: u64,
    /// How many games it has played.
    pub games: u64,
    /// How many turns it chose the ends of in these.
    pub decisions: u64,
    /// The share of a later position's target in that of an earlier one, 0 to 1.
    pub lambda: f64,
    /// How far the network goes towards its targets, above 0, 1 at most.
    pub rate: f64,
    /// How likely a turn ends anywhere, 0 to 1, to four decimals.
    pub epsilon: f64,
    /// How many turns it looks ahead for a target, 1 to [`MAX_AHEAD`], with dice at most 2.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub ahead: u8,
    /// Whether it uses the exact tables that come with the package.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tables: bool,
}

fn one() -> u8 {
    1
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(ahead: &u8) -> bool {
    *ahead == 1
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(tables: &bool) -> bool {
    !tables
}

/// A network that learns.
///
/// ```
/// use sarai::base::control::Control;
/// use sarai::games::shuanglu::Shuanglu;
/// use sarai::play::training::{AnyTrainer, Trainer, Training};
/// use sarai::rules::game::Game;
/// let game = Shuanglu::new(Default::default())?;
/// let setting = Training::of::<Shuanglu>(1);
/// let mut trainer = Trainer::new(game.clone(), 10, setting.clone())?;
/// trainer.play(2, &Control::default())?;
/// assert_eq!(trainer.training().games, 2);
/// // It continues where it was.
/// let mut again = Trainer::resumed(game.clone(), &trainer.net("")?, None)?;
/// trainer.play(1, &Control::default())?;
/// again.play(1, &Control::default())?;
/// assert_eq!(trainer.net("")?.digest(), again.net("")?.digest());
/// assert!(Trainer::new(game, 0, setting).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trainer<G: FullGame> {
    game: G,
    /// Up to its heads.
    mlp: Mlp,
    heads: Heads,
    training: Training,
    /// Exact tables.
    oracle: Option<Arc<dyn Oracle<G>>>,
    /// One for each turn that it looks ahead.
    levels: Vec<Level<G::State>>,
    plies: Vec<Ply<G::State>>,
}

impl<G: FullGame> fmt::Debug for Trainer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trainer").field("training", &self.training).finish_non_exhaustive()
    }
}

/// A turn of a game.
#[derive(Clone, Copy, Debug)]
struct Ply<S> {
    /// Where it ended.
    end: S,
    /// Who sees that position when it is judged; `None` where the game was over.
    viewer: Option<Player>,
    /// The prediction for the best end.
    best: Target,
    /// The mean of the next turn's `best` over all throws, where the network looks ahead over dice.
    mean: Option<Target>,
    /// Whether the turn ended elsewhere.
    explored: bool,
}

impl<G: FullGame> Trainer<G> {
    /// A network with one hidden layer of so many units, which knows nothing.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn new(game: G, hidden: usize, training: Training) -> Result<Self, Error> {
        training.check()?;
        if !(1..=MAX_UNITS).contains(&hidden) {
            return Err(Error::new(format!("hidden got {hidden}; it takes 1 to {MAX_UNITS} units")));
        }
        let heads = Heads::of(&game);
        let units = heads.count();
        let encoding = if G::FEATURES.len() > 0 { Encoding::Expert } else { Encoding::Unary };
        let inputs = Inputs::new(encoding, G::OBSERVATION, G::FEATURES);
        let mut rng = Stream::of_samples(training.seed, 0);
        let mut small = |count: usize| -> Vec<f32> {
            (0..count).map(|_| (rng.below(2001) as f32 - 1000.0) / 10_000.0).collect()
        };
        let layers = vec![
            Layer {
                weights: small(hidden * inputs.len()),
                bias: small(hidden),
                activation: Activation::Sigmoid,
            },
            Layer { weights: small(units * hidden), bias: vec![0.0; units], activation: Activation::Sigmoid },
        ];
        Self::of(game, Mlp::new(inputs, layers), heads, training)
    }

    /// Goes on with the weights of a network: by the settings that are given, whoever made it and for whatever rules; or by
    /// its own where there are none, as if its training had not stopped.
    ///
    /// # Errors
    /// When it does not fit the game, has other layers than learn here, or has no settings for these rules where none are
    /// given.
    pub fn resumed(game: G, net: &Net, training: Option<Training>) -> Result<Self, Error> {
        net.fits(&game).map_err(|why| Error::new(format!("the network {why}")))?;
        let refused = |why: &str| Error::new(format!("the network cannot be trained on: {why}"));
        let own = || {
            if net.description().rules != rule_book::to_value::<G>(game.rules()) {
                return Err(refused("it was trained for other rules, so give those"));
            }
            let told = net.description().training.clone();
            let told = told.ok_or_else(|| refused("it was not made by sarai.train"))?;
            serde_json::from_value(told).map_err(|_| refused("what it says of its training cannot be read"))
        };
        let training = training.map_or_else(own, Ok)?;
        training.check()?;
        let (heads, layers) = Heads::found(&game, net).map_err(refused)?;
        Self::of(game, Mlp::new(net.mlp().inputs().clone(), layers), heads, training)
    }

    fn of(game: G, mlp: Mlp, heads: Heads, training: Training) -> Result<Self, Error> {
        let plain = !G::DICE && game.num_players() == 2;
        if training.tables && !plain {
            return Err(Error::new(format!(
                "{} has dice or more than two players, and exact tables are for games of two without; leave out tables",
                G::NAME
            )));
        }
        if G::DICE && training.ahead > 2 {
            return Err(Error::new(format!(
                "ahead got {}; in {}, which has dice, it takes 1 or 2 turns",
                training.ahead,
                G::NAME
            )));
        }
        if !plain && !G::DICE && training.ahead > 1 {
            return Err(Error::new(format!(
                "{} has more than two players, and looking ahead without dice is for two; leave out ahead",
                G::NAME
            )));
        }
        let oracle = if training.tables { Some(Source::shipped().tables(&game)?) } else { None };
        let levels = (0..training.ahead).map(|_| Level::default()).collect();
        Ok(Trainer { game, mlp, heads, training, oracle, levels, plies: Vec::new() })
    }

    /// The viewer of the end of a turn; `None` where the game is over.
    #[cfg_attr(fast, inline(always))]
    fn viewer(&self, end: &G::State) -> Option<Player> {
        (self.game.turn(end) != Turn::Over).then(|| self.game.player_on_turn(end).unwrap_or(Player(0)))
    }

    /// The prediction of the network for the end of a turn.
    #[cfg_attr(fast, inline(always))]
    fn predict(&self, end: &G::State) -> Prediction {
        let Some(viewer) = self.viewer(end) else {
            let values = self.game.returns(end);
            return Prediction { values, target: self.heads.target_of(&values) };
        };
        let mut heads = [0.0; MOST];
        let heads = &mut heads[..self.heads.count()];
        self.mlp.judge(&self.game, end, viewer, heads);
        self.heads.predict(&self.game, viewer, heads)
    }

    /// The expected return of each player at the end of a turn.
    #[cfg_attr(fast, inline(always))]
    fn values(&self, end: &G::State) -> PerPlayer<f64> {
        self.predict(end).values
    }

    /// The best end of a turn by the network, and its training target.
    #[cfg_attr(fast, inline(always))]
    fn seen(&self, level: &Level<G::State>, player: Player) -> (usize, Target) {
        let mut best = (0, self.predict(level.turns.end(0)));
        for end in 1..level.turns.len() {
            let predicted = self.predict(level.turns.end(end));
            if predicted.values[player] > best.1.values[player] {
                best = (end, predicted);
            }
        }
        (best.0, best.1.target)
    }

    /// The mean over all throws of what is thought of the best end of the turn.
    #[cfg_attr(fast, inline(always))]
    fn mean(&mut self, state: &G::State) -> Target {
        let chance = self.game.chance(state);
        let mut mean = [0.0; MOST];
        let mut level = std::mem::take(&mut self.levels[1]);
        for outcome in (0..chance.weights().len() as u8).map(Outcome) {
            let mut next = *state;
            self.game.resolve(&mut next, outcome, &mut ());
            let best = match self.game.turn(&next) {
                Turn::Player(player) if level.turns.list(&self.game, &next, MOST_ENDS).is_ok() => {
                    self.seen(&level, player).1
                }
                _ => self.predict(&next).target,
            };
            let probability = chance.probability(outcome);
            mean.iter_mut().zip(best).for_each(|(mean, best)| *mean += probability * best);
        }
        self.levels[1] = level;
        mean
    }

    /// Learns from the turns of a game that is over.
    #[cfg_attr(fast, inline(always))]
    fn learn(&mut self, returns: PerPlayer<f64>) {
        let Training { games, lambda, rate, .. } = self.training;
        let rate = rate * (FADES / (FADES + games as f64)).sqrt();
        let rates = (rate as f32, (rate * LAST) as f32);
        let mut target = self.heads.target_of(&returns);
        let mut next_best = target;
        while let Some(ply) = self.plies.pop() {
            target = ply.without_luck(target, &next_best);
            next_best = ply.best;
            if let Some(viewer) = ply.viewer {
                let targets = self.heads.targets(&self.game, viewer, &target);
                self.mlp.learn(&self.game, &ply.end, viewer, rates, &targets[..self.heads.count()]);
            }
            target = ply.target_before(target, lambda);
        }
    }
}

/// Any [`Trainer`].
pub trait AnyTrainer: fmt::Debug + Send {
    /// How it is trained, and for how long it was.
    fn training(&self) -> &Training;
    /// See [`Game::DICE`].
    fn has_dice(&self) -> bool;
    /// The network as it is now; an error where it has learnt what is no number, since it went too far at a time.
    fn net(&self, card: &str) -> Result<Net, Error>;
    /// Plays so many games, or fewer when it is cancelled, and learns from each; an error where a table cannot be read. A
    /// game that was not finished counts for nothing.
    fn play(&mut self, games: u64, control: &Control) -> Result<(), Error>;
}

impl<G: FullGame> AnyTrainer for Trainer<G> {
    fn training(&self) -> &Training {
        &self.training
    }

    fn has_dice(&self) -> bool {
        G::DICE
    }

    fn net(&self, card: &str) -> Result<Net, Error> {
        let rules = rule_book::to_value::<G>(self.game.rules()).to_string();
        let training: Value = serde_json::to_value(&self.training).expect("plain data");
        let mut layers = self.mlp.layers();
        layers.extend(self.heads.sum());
        let encoding = self.mlp.inputs().encoding();
        Net::new(G::NAME, &rules, encoding, self.heads.outputs(), card, Some(&training), &layers)
    }

    fn play(&mut self, games: u64, control: &Control) -> Result<(), Error> {
        for done in 0..games {
            if control.is_cancelled() {
                break;
            }
            if !play_one(self, control)? {
                break;
            }
            control.done.store(done + 1, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    }
}

impl<S> Ply<S> {
    /// The target of the end of the turn without the luck of the throw after it, where the mean over all throws is known;
    /// `next` is the best that was thought after that throw.
    fn without_luck(&self, mut target: Target, next: &Target) -> Target {
        if let Some(mean) = self.mean {
            for ((target, mean), next) in target.iter_mut().zip(mean).zip(next) {
                *target += mean - next;
            }
        }
        target
    }

    /// The target of the position before the turn, when that of the end of the turn is `target`.
    fn target_before(&self, mut target: Target, lambda: f64) -> Target {
        if self.explored {
            // The result of another end is no estimate of the position.
            return self.best;
        }
        // At the end of a game, the best that was thought is what it brought.
        if self.viewer.is_some() {
            for (target, &best) in target.iter_mut().zip(&self.best) {
                *target = lambda * *target + (1.0 - lambda) * best;
            }
        }
        target
    }
}

impl Training {
    /// The default settings for this game.
    pub fn of<G: Game>(seed: u64) -> Self {
        Training {
            seed,
            games: 0,
            decisions: 0,
            lambda: 0.7,
            rate: 0.08,
            // Without dice every game would be the same.
            epsilon: if G::DICE { 0.0 } else { 0.1 },
            ahead: one(),
            tables: false,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let checks = [
            ("lambda", self.lambda, (0.0..=1.0).contains(&self.lambda), "0 to 1"),
            ("rate", self.rate, self.rate > 0.0 && self.rate <= 1.0, "a number above 0, at most 1"),
            ("epsilon", self.epsilon, (0.0..=1.0).contains(&self.epsilon), "0 to 1"),
        ];
        if !(1..=MAX_AHEAD).contains(&self.ahead) {
            return Err(Error::new(format!("ahead got {}; it takes 1 to {MAX_AHEAD} turns", self.ahead)));
        }
        if self.games.max(self.decisions) > MOST_COUNTED {
            return Err(Error::new(format!("more than {MOST_COUNTED} games or decisions cannot be counted")));
        }
        match checks.into_iter().find(|(_, _, fits, _)| !fits) {
            Some((name, given, _, takes)) => Err(Error::new(format!("{name} got {given}; it takes {takes}"))),
            None => Ok(()),
        }
    }
}

multiversion! {
    /// One game, and what is learnt from it. Gives whether it was finished; one that was cancelled counts for nothing.
    fn play_one[G: FullGame](trainer: &mut Trainer<G>, control: &Control) -> Result<bool, Error> {
        let mut streams = Streams::new(trainer.training.seed, trainer.training.games);
        // In ten thousandths; what is drawn is a whole number.
        let epsilon = (trainer.training.epsilon * 10_000.0).round() as u32;
        let mut state = trainer.game.initial_state();
        let looks_over_dice = G::DICE && trainer.training.ahead > 1;
        let (mut decisions, mut has_thrown) = (0, false);
        trainer.plies.clear();
        loop {
            match trainer.game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    if looks_over_dice {
                        // A throw that left nothing to play was a turn too.
                        if has_thrown {
                            let (viewer, best) = (trainer.viewer(&state), trainer.predict(&state).target);
                            trainer.plies.push(Ply { end: state, viewer, best, mean: None, explored: false });
                        }
                        if !trainer.plies.is_empty() {
                            let mean = trainer.mean(&state);
                            trainer.plies.last_mut().expect("one at least").mean = Some(mean);
                        }
                        has_thrown = true;
                    }
                    let outcome = sample(trainer.game.chance(&state), &mut streams.dice);
                    trainer.game.resolve(&mut state, outcome, &mut ());
                }
                Turn::Player(player) => {
                    has_thrown = false;
                    if control.is_cancelled() {
                        return Ok(false);
                    }
                    let rng = &mut streams.seats[player.index()];
                    decisions += 1;
                    let mut level = std::mem::take(&mut trainer.levels[0]);
                    if level.turns.list(&trainer.game, &state, MOST_ENDS).is_err() {
                        // Too many to look at: it goes a step on its way, and learns nothing from that.
                        let legal = trainer.game.legal_actions(&state);
                        let action = crate::agents::random(legal, rng);
                        trainer.game.apply(&mut state, action, &mut ());
                        trainer.levels[0] = level;
                        continue;
                    }
                    let ahead = trainer.training.ahead > 1 && !G::DICE || trainer.oracle.is_some();
                    let (best, target) = if ahead {
                        let (best, values) = trainer.searched(&mut level, player)?;
                        (best, trainer.heads.target_of(&values))
                    } else {
                        trainer.seen(&level, player)
                    };
                    let explored = epsilon > 0 && rng.below(10_000) < epsilon;
                    let at = if explored { rng.below(level.turns.len() as u32) as usize } else { best };
                    state = *level.turns.end(at);
                    trainer.levels[0] = level;
                    let viewer = trainer.viewer(&state);
                    let ply = Ply { end: state, viewer, best: target, mean: None, explored };
                    trainer.plies.push(ply);
                }
            }
        }
        let returns = trainer.game.returns(&state);
        trainer.learn(returns);
        trainer.training.games += 1;
        trainer.training.decisions += decisions;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Evaluator, expectimax};
    use crate::games::sho::Sho;
    use crate::games::shuanglu;
    use crate::games::tshupu::TshuPu;
    use crate::nets::Named;

    fn ply(viewer: Option<u8>, best: f64, explored: bool) -> Ply<()> {
        let mut target = [0.0; MOST];
        target[..2].copy_from_slice(&[best, -best]);
        Ply { end: (), viewer: viewer.map(Player), best: target, mean: None, explored }
    }

    #[test]
    fn luck_does_not_count() {
        let mut before = ply(Some(0), 0.0, false);
        let (target, next) = (ply(None, 0.75, false).best, ply(None, 0.5, false).best);
        assert_eq!(before.without_luck(target, &next), target);
        // A throw that was half a point better than the mean; what came after that was a quarter better than thought.
        before.mean = Some([0.0; MOST]);
        assert_eq!(before.without_luck(target, &next)[..2], [0.25, -0.25]);
    }

    /// The mean over all throws is what looking a turn ahead finds, with the same network.
    fn assert_means_are_searched<G: FullGame>(game: G) {
        let training = Training { ahead: 2, ..Training::of::<G>(4) };
        let mut trainer = Trainer::new(game.clone(), 7, training).expect("sensible");
        trainer.play(3, &Control::default()).expect("no tables");
        let net = trainer.net("").expect("finite weights");
        let settings = expectimax::Settings {
            evaluator: Evaluator::Network(Named::of(net)),
            ..expectimax::Settings::new(1)
        };
        let mut rng = Stream::of_samples(2, 0);
        let (mut state, mut looked_at) = (game.initial_state(), 0);
        for _ in 0..200 {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let due = expectimax::expected_returns(&game, &state, &settings, &Control::default());
                    let mean = trainer.mean(&state);
                    let mut heads = [0.0; MOST];
                    for (head, chance) in heads.iter_mut().zip(trainer.heads.targets(&game, Player(0), &mean))
                    {
                        *head = chance;
                    }
                    let told =
                        trainer.heads.predict(&game, Player(0), &heads[..trainer.heads.count()]).values;
                    for (told, due) in told.as_slice().iter().zip(due.as_slice()) {
                        assert!((told - due).abs() < 1e-4, "{}: {told}, not {due}", G::NAME);
                    }
                    looked_at += 1;
                    let outcome = sample(game.chance(&state), &mut rng);
                    game.resolve(&mut state, outcome, &mut ());
                }
                Turn::Player(_) => {
                    let action = crate::agents::random(game.legal_actions(&state), &mut rng);
                    game.apply(&mut state, action, &mut ());
                }
            }
        }
        assert!(looked_at > 10, "{looked_at}");
    }

    #[test]
    fn targets_are_means_over_all_throws() {
        let scoring = shuanglu::Scoring::Gammon;
        let gammons = shuanglu::Rules { scoring, ..shuanglu::Rules::default() };
        assert_means_are_searched(shuanglu::Shuanglu::new(gammons).expect("fair rules"));
        assert_means_are_searched(Sho::new(Default::default()).expect("fair rules"));
        assert_means_are_searched(TshuPu::new(Default::default()).expect("fair rules"));
    }

    #[test]
    fn targets_are_mixed_from_the_end_of_the_game_back() {
        // Seat 0 loses. Before that: a turn that explored, and two by the best.
        let plies = [
            ply(Some(1), 0.5, false),
            ply(Some(0), 0.25, true),
            ply(Some(1), 0.75, false),
            ply(None, -1.0, false),
        ];
        let mut target = plies[3].best;
        let mut before = Vec::new();
        for ply in plies.iter().rev() {
            target = ply.target_before(target, 0.75);
            assert_eq!(target[1], -target[0]);
            before.push(target[0]);
        }
        // -1 as it ended; 3/4 of that and 1/4 of 0.75; the best where it explored; 3/4 of that and 1/4 of 0.5.
        assert_eq!(before, [-1.0, -0.5625, 0.25, 0.3125]);
        // A game that an explored turn ended says nothing of what was before it.
        assert_eq!(ply(None, 0.5, true).target_before(plies[3].best, 0.75)[0], 0.5);
    }
}
