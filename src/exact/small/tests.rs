//! Games that are graphs, whose values can be worked out by hand, and random ones against slow solvers.

use serde::{Deserialize, Serialize};

use super::{AnySolution, Limits, Solution, StateValue, solve};
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::rules::options::OptionSpec;
use crate::rules::{
    Action, ActionFields, ActionSet, Chance, Game, Outcome, PerPlayer, Player, Position, Preset, Side,
    Statistic, Tally, Turn,
};

/// What happens at a place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Place {
    /// Seat 0 goes to one of these.
    High(Vec<usize>),
    /// Seat 1 does.
    Low(Vec<usize>),
    /// A coin decides.
    Coin(usize, usize),
    /// The first once in four times.
    Quarter(usize, usize),
    /// Worth so much to seat 0.
    Over(f64),
}
use Place::{Coin, High, Low, Over, Quarter};

/// The places; the first is the start.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Places {
    all: Vec<Place>,
    /// Whether seat 1 gets what seat 0 does not lose.
    unfair: bool,
}

static QUARTER: Chance = Chance::new(&[1, 3]);

#[derive(Clone, Debug)]
struct Walk {
    places: Places,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct At {
    place: usize,
    turn: u32,
}

impl Walk {
    fn of(all: Vec<Place>) -> Self {
        Walk { places: Places { all, unfair: false } }
    }

    fn at(&self, state: &At) -> &Place {
        &self.places.all[state.place]
    }
}

impl Game for Walk {
    const NAME: &'static str = "walk";
    const ID: &'static str = "Walk";
    const RULE_BOOK: &'static str = "";
    const HOW_TO_PLAY: &'static str = "";
    const NUM_ACTIONS: usize = 8;
    const OPTIONS: &'static [OptionSpec] = &[];
    const PRESETS: &'static [Preset<Places>] = &[];
    const STATISTICS: &'static [Statistic] = &[];
    type Rules = Places;
    type State = At;

    fn new(places: Places) -> Result<Self, Error> {
        Ok(Walk { places })
    }
    fn rules(&self) -> &Places {
        &self.places
    }
    fn num_players(&self) -> usize {
        2
    }
    fn max_chance_outcomes(&self) -> usize {
        2
    }
    fn initial_state(&self) -> At {
        At { place: 0, turn: 0 }
    }
    fn turn(&self, state: &At) -> Turn {
        match self.at(state) {
            High(_) => Turn::Player(Player(0)),
            Low(_) => Turn::Player(Player(1)),
            Coin(..) | Quarter(..) => Turn::Chance,
            Over(_) => Turn::Over,
        }
    }
    fn player_on_turn(&self, _: &At) -> Option<Player> {
        None
    }
    fn key(&self, state: &At) -> At {
        At { turn: 0, ..*state }
    }
    fn without_limits(&self) -> Self {
        self.clone()
    }
    fn legal_actions(&self, state: &At) -> ActionSet {
        match self.at(state) {
            High(next) | Low(next) => ActionSet::from_iter((0..next.len()).map(|id| Action(id as u16))),
            _ => ActionSet::EMPTY,
        }
    }
    fn action_fields(_: Action) -> ActionFields {
        ActionFields::of("go")
    }
    fn apply<T: Tally>(&self, state: &mut At, action: Action, _: &mut T) {
        if let High(next) | Low(next) = self.at(state) {
            *state = At { place: next[action.index()], turn: state.turn + 1 };
        }
    }
    fn chance(&self, state: &At) -> &'static Chance {
        if matches!(self.at(state), Coin(..)) { Chance::first_player(2) } else { &QUARTER }
    }
    fn resolve<T: Tally>(&self, state: &mut At, outcome: Outcome, _: &mut T) {
        if let Coin(one, other) | Quarter(one, other) = *self.at(state) {
            state.place = [one, other][outcome.index()];
        }
    }
    fn winner(&self, state: &At) -> Option<Side> {
        match self.at(state) {
            Over(value) if *value != 0.0 => Some(Side((*value < 0.0) as u8)),
            _ => None,
        }
    }
    fn returns(&self, state: &At) -> PerPlayer<f64> {
        let mut returns = PerPlayer::new(2, 0.0);
        if let Over(value) = *self.at(state) {
            returns[Player(0)] = value;
            returns[Player(1)] = if self.places.unfair { value } else { -value };
        }
        returns
    }
    fn turns_passed(&self, state: &At) -> u32 {
        state.turn
    }
    fn check(&self, _: &At) -> Result<(), Error> {
        Ok(())
    }
}

const LIMITS: Limits = Limits { positions: 1000, bytes: None };

fn solved(walk: &Walk) -> Solution<Walk> {
    solve(walk, &[walk.initial_state()], LIMITS, &Control::default()).unwrap()
}

fn at(walk: &Walk, place: usize) -> Position<Walk> {
    Position::trusted(walk.clone(), At { place, turn: 0 })
}

/// What a place is worth to seat 0, and the turns.
fn value(solution: &Solution<Walk>, place: usize) -> (f64, Option<u32>) {
    let StateValue { returns, turns } = solution.at(&At { place, turn: 7 }).unwrap();
    assert_eq!(returns[Player(0)], -returns[Player(1)]);
    (returns[Player(0)], turns)
}

#[test]
fn a_loop_that_one_side_can_leave_for_a_win_is_won_in_so_many_turns() {
    // 0 may go round by 1, where the other may go back, or to 2, where the other has nothing better than to lose soon or
    // late; 3 is a detour of the loser's.
    let walk = Walk::of(vec![
        High(vec![1, 2]),
        Low(vec![0, 4]),
        Low(vec![3, 5]),
        High(vec![6]),
        Over(-1.0),
        Over(1.0),
        Low(vec![5]),
    ]);
    let solution = solved(&walk);
    assert_eq!(value(&solution, 0), (1.0, Some(4)));
    assert_eq!(value(&solution, 2), (1.0, Some(3)));
    assert_eq!(value(&solution, 1), (-1.0, Some(1)));
    let moves = solution.moves(&at(&walk, 0)).unwrap();
    assert_eq!(moves, [(Action(1), 1.0, Some(4)), (Action(0), -1.0, Some(2))]);
    // Quick losses come last.
    let moves = solution.moves(&at(&walk, 2)).unwrap();
    assert_eq!(moves, [(Action(0), -1.0, Some(3)), (Action(1), -1.0, Some(1))]);
    let found = solution.summary();
    assert_eq!((found.positions, found.decisions, found.ahead, found.behind, found.even), (7, 5, 3, 2, 0));
    assert_eq!((found.longest, found.error), (Some(4), 0.0));
}

#[test]
fn what_nobody_can_force_goes_on_for_ever_and_is_worth_nothing() {
    // Each can leave the loop for a loss only.
    let solution = solved(&Walk::of(vec![High(vec![1, 2]), Low(vec![0, 3]), Over(-1.0), Over(2.0)]));
    assert_eq!(value(&solution, 0), (0.0, None));
    assert_eq!(value(&solution, 1), (0.0, None));
    assert_eq!(solution.summary().even, 2);
    // Ways out of different worth: seat 0 takes 2, though 1 is nearer; seat 1 would rather lose 1 than 2.
    let walk = Walk::of(vec![
        High(vec![1, 3]),
        Low(vec![0, 2, 4]),
        High(vec![1, 5]),
        Over(1.0),
        Over(2.0),
        Over(3.0),
    ]);
    let solution = solved(&walk);
    assert_eq!(value(&solution, 0), (1.0, Some(1)));
    assert_eq!(value(&solution, 1), (1.0, Some(2)));
    assert_eq!(value(&solution, 2), (3.0, Some(1)));
}

#[test]
fn a_loop_that_is_left_for_a_throw_has_no_number_of_turns() {
    let walk = Walk::of(vec![High(vec![1, 2]), Low(vec![0]), Coin(3, 4), Over(1.0), Over(0.5)]);
    let solution = solved(&walk);
    assert_eq!(value(&solution, 0), (0.75, None));
    assert_eq!(value(&solution, 1), (0.75, None));
}

#[test]
fn waiting_for_ever_is_no_gain() {
    // Under a limit of turns seat 0 would gamble at the last moment, before the answer comes: here it comes always.
    let walk =
        Walk::of(vec![High(vec![0, 1]), Coin(2, 3), Over(1.0), Low(vec![4]), High(vec![5]), Over(-1.0)]);
    let solution = solved(&walk);
    assert!(value(&solution, 0).0.abs() < 1e-15 && value(&solution, 0).1.is_none());
    assert!(value(&solution, 1).0.abs() < 1e-15 && value(&solution, 1).1.is_none());
    assert_eq!(value(&solution, 3), (-1.0, Some(2)));
    let walk =
        Walk::of(vec![High(vec![0, 1]), Quarter(2, 3), Over(1.0), Low(vec![4]), High(vec![5]), Over(-1.0)]);
    let solution = solved(&walk);
    assert_eq!((value(&solution, 0).0, value(&solution, 1).0), (0.0, -0.5));
}

#[test]
fn who_throws_first_wins_four_times_in_seven() {
    // Both throw in turn, and a quarter of throws wins.
    let walk = Walk::of(vec![Quarter(2, 1), Quarter(3, 0), Over(1.0), Over(-1.0)]);
    let solution = solved(&walk);
    let error = solution.summary().error;
    assert!(0.0 < error && error <= 1e-10, "{error}");
    for (place, due) in [(0, 1.0 / 7.0), (1, -1.0 / 7.0)] {
        let (found, turns) = value(&solution, place);
        assert!((found - due).abs() <= error && turns.is_none(), "{found}");
    }
    // The same with a choice: to double the stakes as often as one's throw comes up, or to take what there is.
    let walk = Walk::of(vec![High(vec![1, 3]), Coin(0, 2), Over(-1.0), Over(0.25)]);
    assert!((value(&solved(&walk), 0).0 - 0.25).abs() < 1e-9);
}

#[test]
fn play_that_may_go_on_for_ever_by_chance_is_bounded_soundly() {
    // Both wish to go round: the true value is nothing, and nothing tells it from what lies between the ways out.
    let walk = Walk::of(vec![High(vec![1, 3]), Coin(2, 2), Low(vec![0, 4]), Over(-1.0), Over(1.0)]);
    let solution = solved(&walk);
    let (least, most) = (value(&solution, 0).0 - solution.summary().error, solution.summary().error);
    assert!(least <= 0.0 && most >= 0.0 && solution.summary().error == 1.0);
}

#[test]
fn what_is_too_large_or_has_no_one_value_is_refused() {
    let long = Walk::of((1..100).map(|next| High(vec![next])).chain([Over(1.0)]).collect());
    let start = [long.initial_state()];
    let refused =
        |walk: &Walk, limits| solve(walk, &start, limits, &Control::default()).unwrap_err().to_string();
    let error = refused(&long, Limits { positions: 40, bytes: None });
    assert!(error.starts_with("there are more than 40 positions: 41 were found"), "{error}");
    assert_eq!(
        solve(&long, &start, Limits { positions: 100, bytes: None }, &Control::default()).unwrap().len(),
        100
    );
    let error = refused(&long, Limits { bytes: Some(5000), ..LIMITS });
    assert!(error.contains("bytes to solve, and 5000 are free"), "{error}");
    let unfair = Walk { places: Places { unfair: true, ..long.places.clone() } };
    assert!(refused(&unfair, LIMITS).contains("do not get the same"));
    let stopped = Control::default();
    stopped.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(solve(&long, &start, LIMITS, &stopped).unwrap_err(), Error::Cancelled);
    // What was not met has no value.
    let walk = Walk::of(vec![Over(1.0), High(vec![0])]);
    let refused = |place| solved(&walk).moves(&at(&walk, place)).unwrap_err().to_string();
    assert!(solved(&walk).value(&at(&walk, 1)).is_err() && refused(1).contains("was not met"));
    assert!(refused(0).contains("no player acts here"));
}

/// A random game; the first place leads to all others, so that all are met.
fn random(rng: &mut Stream, chance: bool) -> Walk {
    let places = 6 + rng.below(20) as usize;
    let mut all: Vec<Place> = (0..places)
        .map(|_| {
            let next: Vec<usize> = (0..1 + rng.below(3)).map(|_| rng.below(places as u32) as usize).collect();
            let one = rng.below(places as u32) as usize;
            match rng.below(if chance { 8 } else { 5 }) {
                0 | 1 => High(next),
                2 | 3 => Low(next),
                4 => Over(f64::from(rng.below(5)) - 2.0),
                5 => Coin(next[0], one),
                6 => Coin(one, next[0]),
                _ => Quarter(next[0], one),
            }
        })
        .collect();
    for first in (0..places).step_by(7) {
        let last = (first + 7).min(places);
        all.push(High((first..last).collect()));
    }
    let joined = all.len();
    all.push(High((places..joined).collect()));
    // The start comes first.
    all.swap(0, joined);
    for place in &mut all {
        match place {
            High(next) | Low(next) => next.iter_mut().for_each(|next| *next = swapped(*next, joined)),
            Coin(one, other) | Quarter(one, other) => {
                (*one, *other) = (swapped(*one, joined), swapped(*other, joined));
            }
            Over(_) => {}
        }
    }
    Walk::of(all)
}

fn swapped(place: usize, last: usize) -> usize {
    if place == 0 {
        last
    } else if place == last {
        0
    } else {
        place
    }
}

/// What every place is worth when play ends after so many steps for as much as `after` has it.
fn slowly(walk: &Walk, mut values: Vec<f64>, steps: usize) -> Vec<f64> {
    for _ in 0..steps {
        let step = |place: &Place| match place {
            High(next) => next.iter().map(|&next| values[next]).fold(f64::MIN, f64::max),
            Low(next) => next.iter().map(|&next| values[next]).fold(f64::MAX, f64::min),
            Coin(one, other) => (values[*one] + values[*other]) / 2.0,
            Quarter(one, other) => (values[*one] + 3.0 * values[*other]) / 4.0,
            Over(value) => *value,
        };
        values = walk.places.all.iter().map(step).collect();
    }
    values
}

#[test]
fn random_games_without_chance_are_what_stepping_back_finds() {
    let mut rng = Stream::new(14, 1);
    let (mut endless, mut longest) = (0, 0);
    for _ in 0..2000 {
        let walk = random(&mut rng, false);
        let len = walk.places.all.len();
        let due = slowly(&walk, vec![0.0; len], len + 1);
        let solution = solved(&walk);
        assert_eq!(solution.len(), len, "all are met");
        assert_eq!(solution.summary().error, 0.0);
        for (place, &due) in due.iter().enumerate() {
            let (found, turns) = value(&solution, place);
            assert_eq!(found, due, "{place} of {walk:?}");
            let (High(next) | Low(next)) = &walk.places.all[place] else { continue };
            // The turns are those of the best way: the quickest for the winner, the slowest for the loser.
            let ways = next.iter().filter(|&&next| value(&solution, next).0 == found);
            let ways = ways.filter_map(|&next| match walk.places.all[next] {
                Over(_) => Some(1),
                _ => value(&solution, next).1.map(|turns| turns + 1),
            });
            let wins = (found > 0.0) == matches!(walk.places.all[place], High(_));
            let best = if wins { ways.min() } else { ways.max() };
            assert_eq!(turns, best.filter(|_| found != 0.0), "{place} of {walk:?}");
            endless += u32::from(found == 0.0);
            longest = longest.max(turns.unwrap_or(0));
        }
    }
    assert!(endless > 1000 && longest > 6, "{endless}, {longest}");
}

#[test]
fn random_games_with_chance_are_within_the_error_of_what_stepping_back_finds() {
    let mut rng = Stream::new(14, 2);
    let mut met = 0;
    for _ in 0..1000 {
        let walk = random(&mut rng, true);
        let len = walk.places.all.len();
        let (low, high) = (slowly(&walk, vec![-2.0; len], 2000), slowly(&walk, vec![2.0; len], 2000));
        let solution = solved(&walk);
        let error = solution.summary().error + 1e-12;
        for place in (0..len).filter(|&place| !matches!(walk.places.all[place], Over(_))) {
            let (found, _) = value(&solution, place);
            // Where play may go on for ever, only the bounds are known.
            assert!(low[place] - error <= found && found <= high[place] + error, "{place} of {walk:?}");
            met += u32::from(
                high[place] - low[place] < 1e-12 && !matches!(found, -2.0 | -1.0 | 0.0 | 1.0 | 2.0),
            );
        }
        let again = solved(&walk);
        assert!((0..len).all(|place| value(&again, place) == value(&solution, place)), "to the last bit");
    }
    assert!(met > 1000, "{met} values by chance are too few to tell");
}
