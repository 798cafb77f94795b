//! A game in progress for the tests of the games: played by names, checked after every step.

use crate::agents::playout::settle;
use crate::agents::random;
use crate::agents::rng::{Stream, Streams};
use crate::rules::action::Action;
use crate::rules::chance::Outcome;
use crate::rules::game::{Evaluate, Game, Heuristic, Show, Tally, Turn};
use crate::rules::player::Player;

/// Counts the `N` things that a game counts, for each of so many seats.
pub struct Counts<const SEATS: usize, const N: usize>(pub [[u32; SEATS]; N]);

impl<const SEATS: usize, const N: usize> Tally for Counts<SEATS, N> {
    fn add(&mut self, statistic: usize, player: Player, n: u32) {
        self.0[statistic][player.index()] += n;
    }
}

/// A game in progress; each game adds its own ways to set it up and to look at it.
pub struct Table<G: Game, const SEATS: usize, const N: usize> {
    pub game: G,
    pub state: G::State,
    pub counts: Counts<SEATS, N>,
}

/// What keeps a line of text from being a position.
pub fn refused<G: Show>(rules: G::Rules, line: &str) -> String {
    let game = G::new(rules).expect("the rules are valid");
    match game.parse(line).and_then(|state| game.check(&state)) {
        Err(error) => error.to_string(),
        Ok(()) => panic!("accepted: {line}"),
    }
}

impl<G: Show, const SEATS: usize, const N: usize> Table<G, SEATS, N> {
    /// At the position that `set_up` gives.
    #[track_caller]
    pub fn of(rules: G::Rules, set_up: impl FnOnce(&G) -> G::State) -> Self {
        let game = G::new(rules).expect("the rules are valid");
        let state = set_up(&game);
        Self::on(&game, state)
    }

    /// At a position of a game that is known, with nothing counted yet.
    #[track_caller]
    pub fn on(game: &G, state: G::State) -> Self {
        let table = Table { game: game.clone(), state, counts: Counts([[0; SEATS]; N]) };
        table.settle();
        table
    }

    #[track_caller]
    pub fn start(rules: G::Rules) -> Self {
        Self::of(rules, |game| game.initial_state())
    }

    /// At the position of a line of text.
    #[track_caller]
    pub fn read(rules: G::Rules, line: &str) -> Self {
        Self::of(rules, |game| game.parse(line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Every invariant holds, and text and JSON come back as the same state.
    #[track_caller]
    pub fn settle(&self) {
        let text = self.game.text(&self.state);
        if let Err(error) = self.game.check(&self.state) {
            panic!("{error}: {text}");
        }
        assert_eq!(self.game.parse(&text), Ok(self.state));
        let json = serde_json::to_string(&self.game.to_dict(&self.state)).expect("a dict is plain data");
        let dict = serde_json::from_str(&json).expect("a dict reads what it writes");
        assert_eq!(self.game.state_from_dict(dict), Ok(self.state));
    }

    #[track_caller]
    pub fn resolve(&mut self, outcome: usize) -> &mut Self {
        assert_eq!(self.game.turn(&self.state), Turn::Chance, "{}", self.game.text(&self.state));
        self.game.resolve(&mut self.state, Outcome(outcome as u8), &mut self.counts);
        self.settle();
        self
    }

    /// Plays the first legal action with exactly this name, marks included.
    #[track_caller]
    pub fn play(&mut self, name: &str) -> &mut Self {
        let legal = self.legal();
        let Some(at) = legal.iter().position(|known| known == name) else {
            panic!("{name} is not among {legal:?} in {}", self.game.text(&self.state));
        };
        let action = self.actions()[at];
        self.game.apply(&mut self.state, action, &mut self.counts);
        self.settle();
        self
    }

    pub fn actions(&self) -> Vec<Action> {
        self.game.legal_actions(&self.state).iter().collect()
    }

    pub fn name(&self, action: Action) -> String {
        self.game.action_name(&self.state, action)
    }

    /// The names of the legal actions, by ascending id.
    pub fn legal(&self) -> Vec<String> {
        self.actions().into_iter().map(|action| self.name(action)).collect()
    }
}

/// Checks the evaluation in every unfinished position of some random games: its values stay within the range of the returns
/// and sum to zero, and when the sides are exchanged each seat gets the value that the seat in its place had before.
#[track_caller]
pub fn judges_sides_alike<G: Evaluate>(
    rules: G::Rules,
    exchange: impl Fn(&mut G::State),
    place: impl Fn(Player) -> Player,
) {
    let game = G::new(rules).expect("the rules are valid");
    let (low, high) = game.returns_range();
    let mut seen = 0;
    for number in 0..20 {
        let mut streams = Streams::new(5, number);
        let mut state = game.initial_state();
        while game.turn(&state) != Turn::Over {
            let values = game.evaluate(&state);
            let scale = high.max(-low);
            assert!(
                values.as_slice().iter().all(|value| (low..=high).contains(value)),
                "{state:?}: {values:?}"
            );
            assert!(values.as_slice().iter().sum::<f64>().abs() < 1e-9 * scale, "{state:?}: {values:?}");
            let mut other = state;
            exchange(&mut other);
            let exchanged = game.evaluate(&other);
            for seat in (0..game.num_players() as u8).map(Player) {
                let (before, after) = (values[seat], exchanged[place(seat)]);
                assert!((before - after).abs() < 1e-9 * scale, "{state:?}: {values:?}, {exchanged:?}");
            }
            seen += 1;
            let Turn::Player(player) = settle(&game, &mut state, &mut streams.dice, &mut ()) else { break };
            let action = random(game.legal_actions(&state), &mut streams.seats[player.index()]);
            game.apply(&mut state, action, &mut ());
        }
    }
    assert!(seen > 500, "{seen} positions");
}

/// Checks in every position of a random game that each legal move has the score that is due, and that the best of them is
/// the first with the largest.
#[track_caller]
pub fn weighs_moves<G: Heuristic + Show>(
    rules: G::Rules,
    seed: u64,
    due: impl Fn(&G, &G::State, Action) -> i32,
) {
    let game = G::new(rules).expect("these rules are consistent");
    let (mut state, mut rng) = (game.initial_state(), Stream::new(seed, 0));
    while let Turn::Player(_) = settle(&game, &mut state, &mut rng, &mut ()) {
        let legal = game.legal_actions(&state);
        let mut best: Option<(i32, Action)> = None;
        for action in legal {
            let score = due(&game, &state, action);
            let name = game.action_name(&state, action);
            assert_eq!(game.score(&state, action), score, "{name} in {}", game.text(&state));
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, action));
            }
        }
        assert_eq!(game.best(&state, legal), best.map(|(_, action)| action), "{}", game.text(&state));
        game.apply(&mut state, random(legal, &mut rng), &mut ());
    }
}
