//! What every registered game keeps, whatever its rules: a further game is covered without a change here.

use std::collections::HashSet;

use crate::common::{Case, MAX_STEPS, mixed_cases, option_names, pick, playable, preset_cases, presets};
use sarai::agents::playout::sample;
use sarai::agents::rng::Stream;
use sarai::api::AnyGame;
use sarai::api::registry;
use sarai::api::registry::find;
use sarai::games::Visit;
use sarai::play::position::AnyPosition;
use sarai::rules::action::MAX_ACTIONS;
use sarai::rules::game::MAX_STATISTICS;
use sarai::{FullGame, Player, Turn, agents, games};
use serde_json::{Value, json};

/// Steps of a walk that are checked in full; the rest is played with the cheap checks.
const CHECKED_STEPS: usize = 400;

fn seats(game: &dyn AnyGame) -> impl Iterator<Item = Player> {
    (0..game.num_players() as u8).map(Player)
}

/// Turn, legal set and outcomes belong together.
fn check_turn(position: &dyn AnyPosition) {
    let legal = position.legal_actions();
    match position.turn() {
        Turn::Player(_) => {
            assert!(!legal.is_empty(), "a player to act has an action");
            assert!(position.chance().is_none());
        }
        Turn::Chance => {
            assert!(legal.is_empty(), "nobody acts at a chance node");
            let weights = position.chance().expect("outcomes").weights();
            assert!(!weights.is_empty() && weights.iter().all(|&weight| weight > 0));
        }
        Turn::Over => {
            assert!(legal.is_empty(), "nobody acts at the end");
            assert!(position.chance().is_none());
        }
    }
}

/// Text and dict give back the same position.
fn check_forms(game: &dyn AnyGame, position: &dyn AnyPosition) {
    let (text, json) = (position.text(), position.to_json());
    assert!(!text.contains('\n'), "one line: {text:?}");
    let read = [
        game.parse(&text).unwrap_or_else(|error| panic!("{error} in its own text")),
        game.parse_json(&json).unwrap_or_else(|error| panic!("{error} in its own dict {json}")),
    ];
    for other in read {
        assert!(other.same(position) && position.same(&*other), "{json}");
        assert_eq!(other.text(), position.text());
        assert_eq!(other.turn(), position.turn());
        assert_eq!(other.legal_actions(), position.legal_actions());
        assert_eq!((other.text(), other.to_json()), (text.clone(), json.clone()));
    }
    let view = position.view();
    assert_eq!(view["state"], serde_json::from_str::<Value>(&json).expect("a dict is JSON"));
    assert_eq!(view["rules"], game.rules());
    assert_eq!(view["game"], game.name());
}

/// Every cell is written, within the range that its part declares.
fn check_observation(game: &dyn AnyGame, position: &dyn AnyPosition) {
    for viewer in seats(game) {
        // No part declares i8::MIN, see `what_a_game_says_of_itself_is_consistent`.
        let mut cells = vec![i8::MIN; game.observation_len()];
        position.observe(viewer, &mut cells);
        for part in game.observation() {
            for (at, cell) in cells[part.start..][..part.len].iter().enumerate() {
                assert!(
                    (part.low..=part.high).contains(cell),
                    "{viewer}: cell {at} of {} is {cell}, not {} to {}",
                    part.name,
                    part.low,
                    part.high
                );
            }
        }
        let mut again = vec![55; game.observation_len()];
        position.observe(viewer, &mut again);
        assert_eq!(again, cells, "{viewer}: what stood in the buffer before shows");
    }
}

/// Names tell actions and outcomes apart, and lead back to the action.
fn check_names(game: &dyn AnyGame, position: &dyn AnyPosition) {
    let mut names = HashSet::new();
    for action in position.legal_actions() {
        let name = position.action_name(action.0 as i64).expect("a legal action has a name");
        assert_eq!(position.action_named(&name), Ok(action), "{name}");
        assert_eq!(position.action_named(&format!("  {name} ")), Ok(action), "{name}");
        assert!(names.insert(name.clone()), "two actions are called {name}");
    }
    assert!(position.action_named("no such move").is_err());
    let mut outcomes = HashSet::new();
    let count = position.chance().map_or(0, |chance| chance.weights().len());
    assert!(count <= game.max_chance_outcomes());
    for outcome in 0..count as i64 {
        let name = position.outcome_name(outcome).expect("an outcome has a name");
        assert!(outcomes.insert(name.clone()), "two outcomes are called {name}");
    }
    for id in [-1, count as i64, 256, i64::MAX] {
        assert_eq!(position.outcome_name(id), None);
    }
}

/// Whatever is not legal is refused and changes nothing.
fn check_refusals(game: &dyn AnyGame, position: &dyn AnyPosition) {
    let playable = playable(position);
    let mut wrong: Vec<i64> = (0..game.num_actions().max(256) as i64).collect();
    wrong.extend([-1, i64::MIN, i64::MAX, game.num_actions() as i64]);
    // Ids that would be legal if they were cut down to 8, 16 or 32 bits.
    wrong.extend([1 << 8, 1 << 16, 1 << 32].iter().flat_map(|wrap| {
        let first = playable.first().copied().unwrap_or(0);
        [first + wrap, first - wrap]
    }));
    let mut tried = position.boxed();
    for id in wrong.into_iter().filter(|id| !playable.contains(id)) {
        let error = tried.play_any(id).expect_err("an illegal action is refused");
        assert_eq!(error.action, id);
        assert!(error.to_string().contains(&id.to_string()), "{error}");
        assert_eq!(position.action_name(id), None, "an illegal action has no name");
    }
    assert!(tried.same(position), "a refused action has changed the position");
    assert_eq!((tried.text(), tried.to_json()), (position.text(), position.to_json()));
}

/// Nothing is won before the end; at the end partners share, and what one side gains the others lose.
fn check_returns(game: &dyn AnyGame, position: &dyn AnyPosition) {
    let (returns, winner) = (position.returns(), position.winner());
    let scores = returns.as_slice();
    assert_eq!(scores.len(), game.num_players());
    if position.turn() != Turn::Over {
        assert!(scores.iter().all(|&score| score == 0.0), "{scores:?} before the end");
        assert_eq!(winner, None);
        return;
    }
    assert!(scores.iter().all(|score| score.is_finite()), "{scores:?}");
    let largest = scores.iter().fold(0.0f64, |largest, score| largest.max(score.abs()));
    assert!(scores.iter().sum::<f64>().abs() <= 1e-9 * largest, "{scores:?} is not zero-sum");
    for one in seats(game) {
        for other in seats(game) {
            let (mine, theirs) = (returns[one], returns[other]);
            if game.side(one) == game.side(other) {
                assert_eq!(mine, theirs, "{one} and {other} are partners");
            } else if winner == Some(game.side(one)) {
                assert!(mine > theirs, "{one} has won over {other}: {scores:?}");
            }
        }
    }
    let (least, most) = game.returns_range();
    assert!(scores.iter().all(|score| (least..=most).contains(score)), "{scores:?} from {least} to {most}");
    if winner.is_none() {
        assert!(scores.iter().all(|&score| score == 0.0), "{scores:?} without a winner");
    } else {
        assert!(seats(game).any(|seat| winner == Some(game.side(seat))), "{winner:?} sits nowhere");
    }
}

fn check_all(game: &dyn AnyGame, position: &dyn AnyPosition) {
    check_turn(position);
    check_forms(game, position);
    check_observation(game, position);
    check_names(game, position);
    check_refusals(game, position);
    check_returns(game, position);
}

/// Says where a walk failed; the panic itself says what.
struct Where<'a> {
    label: &'a str,
    seed: u64,
    step: usize,
    text: String,
}

impl Drop for Where<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}, walk {}, step {}: {}", self.label, self.seed, self.step, self.text);
        }
    }
}

/// Plays one game at random to its end, `checked` steps of it with every check. What was played, in order.
fn walk(case: &Case, seed: u64, checked: usize) -> Vec<i64> {
    let game = &*case.game;
    let mut rng = Stream::new(seed, 0);
    let mut position = game.new_position();
    let mut here = Where { label: &case.label, seed, step: 0, text: String::new() };
    let max_turns = game.rules()["max_turns"].as_u64();
    let mut script = Vec::new();
    loop {
        here.text = position.text();
        position.check().expect("every position that play reaches holds");
        check_turn(&*position);
        check_returns(game, &*position);
        if here.step < checked || position.turn() == Turn::Over {
            check_all(game, &*position);
        }
        let Some(id) = pick(&*position, &mut rng) else { break };
        let (before, turns) = (position.boxed(), position.turns_passed());
        position.play_any(id).expect("what was picked is legal");
        assert!(!position.same(&*before), "{id} has changed nothing");
        assert!(position.turns_passed() >= turns, "a turn was taken back");
        assert!(max_turns.is_none_or(|max| position.turns_passed() as u64 <= max), "max_turns is passed");
        script.push(id);
        here.step += 1;
        assert!(here.step < MAX_STEPS, "this game does not end");
    }
    replay(case, &script, &*position);
    script
}

/// The same outcomes and actions give the same game.
fn replay(case: &Case, script: &[i64], end: &dyn AnyPosition) {
    let mut position = case.game.new_position();
    for (step, &id) in script.iter().enumerate() {
        position.play_any(id).unwrap_or_else(|error| panic!("{}: step {step}: {error}", case.label));
    }
    assert!(position.same(end), "{}: the replay ends elsewhere", case.label);
    assert_eq!(position.text(), end.text());
    assert_eq!(position.turn(), Turn::Over);
}

/// Walks of every preset, some with every check after each step, and more with the cheap ones.
fn presets_keep_the_contract(checked: u64, more: u64, steps: usize) {
    for case in preset_cases() {
        let mut scripts = HashSet::new();
        for seed in 0..checked + more {
            scripts.insert(walk(&case, seed, if seed < checked { steps } else { 0 }));
        }
        assert!(scripts.len() > checked as usize, "{}: the games are all alike", case.label);
    }
}

#[test]
fn every_preset_keeps_the_contract_on_random_walks() {
    presets_keep_the_contract(2, 8, CHECKED_STEPS);
}

#[test]
#[ignore = "nightly"]
fn every_preset_keeps_the_contract_on_many_random_walks() {
    presets_keep_the_contract(12, 36, 3000);
}

#[test]
fn mixes_of_options_keep_the_contract_on_random_walks() {
    for case in mixed_cases(12) {
        walk(&case, 1, 60);
    }
}

#[test]
#[ignore = "nightly"]
fn many_mixes_of_options_keep_the_contract_on_random_walks() {
    for case in mixed_cases(60) {
        walk(&case, 1, CHECKED_STEPS);
    }
}

#[test]
fn what_a_game_says_of_itself_is_consistent() {
    let mut names = HashSet::new();
    for entry in registry::all() {
        assert!(names.insert(entry.name), "two games are called {}", entry.name);
        assert!(entry.name.chars().all(|c| c.is_ascii_lowercase()), "{}: one lower-case word", entry.name);
        assert_eq!(find(entry.name).expect("it is registered").name, entry.name);
        let described = entry.describe();
        let named = |key: &str| -> Vec<String> {
            let list = described[key].as_array().expect("a list");
            for item in list {
                let meaning = item["meaning"].as_str().expect("a meaning");
                assert!(!meaning.is_empty(), "{}: {} {} says nothing", entry.name, key, item["name"]);
            }
            let names: Vec<_> = list.iter().map(|i| i["name"].as_str().expect("a name").to_owned()).collect();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{key}: {names:?}");
            names
        };
        assert_eq!(named("presets"), presets(entry));
        assert!(named("statistics").len() <= MAX_STATISTICS);
        named("observation");
        let game = entry.make(None, "{}").expect("the default rules make a game");
        let rules = game.rules();
        let mut options: Vec<&String> = rules.as_object().expect("an object").keys().collect();
        assert_eq!(options, named("options").iter().collect::<Vec<_>>(), "the order of the rule book");
        for option in described["options"].as_array().expect("a list") {
            assert_eq!(option["default"], rules[option["name"].as_str().expect("a name")]);
        }
        options.sort();
        assert_eq!(game.name(), entry.name);
        assert_eq!(game.statistics(), named("statistics"));
        assert_eq!(described["num_actions"], game.num_actions());
        let book = described["rule_book"].as_str().expect("a text");
        assert!(book.contains("\n# Rules\n") && book.contains("\n| R1 | ") && !book.contains("# Options"));
        assert!((1..=MAX_ACTIONS).contains(&game.num_actions()));
        let mut end = 0;
        for part in game.observation() {
            assert_eq!(part.start, end, "{}: the parts follow one another", part.name);
            assert!(part.len > 0 && part.low <= part.high && part.low > i8::MIN, "{}", part.name);
            end += part.len;
        }
        assert_eq!(end, game.observation_len(), "{}: the parts tile the observation", entry.name);
    }
    assert!(find("no such game").expect_err("unknown").to_string().contains("no such game"));
}

#[test]
fn rules_survive_json_and_every_preset_has_seats() {
    for entry in registry::all() {
        let all = entry.presets();
        let default = entry.make(None, "{}").expect("default rules");
        for (at, name) in presets(entry).iter().enumerate() {
            let game = entry.make(Some(name), "{}").expect("a preset makes a game");
            assert_eq!(game.rules(), all[name.as_str()]);
            let again = entry.make(None, &game.rules().to_string()).expect("its own rules");
            assert_eq!(again.rules(), game.rules(), "{}/{name}", entry.name);
            assert!(again.new_position().same(&*game.new_position()));
            assert_eq!(at == 0, default.rules() == game.rules(), "the first preset alone is the default");
            assert!((2..=4).contains(&game.num_players()));
            let sides: HashSet<_> = seats(&*game).map(|seat| game.side(seat)).collect();
            assert!(sides.len() >= 2, "{}/{name}: nobody to play against", entry.name);
        }
    }
}

#[test]
fn positions_of_other_rules_are_not_the_same() {
    for entry in registry::all() {
        let names = presets(entry);
        for (at, name) in names.iter().enumerate() {
            for other in &names[at + 1..] {
                let [one, other] = [name, other].map(|name| entry.make(Some(name), "{}").expect("a preset"));
                assert!(!one.new_position().same(&*other.new_position()), "{}: {name}", entry.name);
            }
        }
    }
}

#[test]
fn bad_options_are_refused_by_name() {
    for entry in registry::all() {
        let refused = |preset: Option<&str>, given: &Value, due: &str| {
            let error = entry.make(preset, &given.to_string()).expect_err("bad options are refused");
            assert!(error.to_string().contains(due), "{given}: '{error}' does not say {due}");
        };
        refused(None, &json!({"no_such_option": 1}), "'no_such_option'");
        refused(Some("no such preset"), &json!({}), "'no such preset'");
        for list in [json!([]), json!(3), json!(null), json!("players")] {
            refused(None, &list, "JSON object");
        }
        let rules = entry.make(None, "{}").expect("default rules").rules();
        for name in option_names(entry) {
            let mut bad = vec![
                json!(null),
                json!([]),
                json!({}),
                json!("no such word"),
                json!(-1e300),
                json!(i64::MIN),
            ];
            bad.push(if rules[&name].is_boolean() { json!(1) } else { json!(true) });
            for value in bad {
                refused(None, &json!({ &name: value }), &format!("'{name}'"));
            }
        }
        for text in ["", "{", "{\"a\": }", &"[".repeat(10_000), &" ".repeat(1 << 20)] {
            assert!(entry.make(None, text).is_err());
        }
    }
}

/// What is known of a position must serve whenever the same position comes about, whatever the clock says then.
#[test]
fn a_key_knows_all_of_a_position_but_its_clock() {
    struct Keys;
    impl Visit for Keys {
        fn game<G: FullGame>(&mut self) {
            for preset in G::PRESETS {
                let game = G::new((preset.rules)()).expect("a preset");
                let mut later = 0;
                for number in 0..20 {
                    let mut rng = Stream::new(20, number);
                    let (mut state, mut blind) = (game.initial_state(), game.key(&game.initial_state()));
                    for _ in 0..300 {
                        let key = game.key(&state);
                        assert_eq!(game.key(&key), key, "{}", game.text(&state));
                        assert_eq!(key, game.key(&blind), "{}", game.text(&state));
                        assert_eq!(
                            (game.turn(&key), game.legal_actions(&key)),
                            (game.turn(&state), game.legal_actions(&state))
                        );
                        later += (key != state) as u32;
                        blind = key;
                        match game.turn(&state) {
                            Turn::Over => break,
                            Turn::Chance => {
                                let outcome = sample(game.chance(&state), &mut rng);
                                game.resolve(&mut state, outcome, &mut ());
                                game.resolve(&mut blind, outcome, &mut ());
                            }
                            Turn::Player(_) => {
                                let action = agents::random(game.legal_actions(&state), &mut rng);
                                game.apply(&mut state, action, &mut ());
                                game.apply(&mut blind, action, &mut ());
                            }
                        }
                        // By the clock alone.
                        if game.turn(&state) == Turn::Over && game.winner(&state).is_none() {
                            break;
                        }
                    }
                }
                assert!(later > 100, "{} {}: the clock never ran", G::NAME, preset.name);
            }
        }
    }
    games::visit(&mut Keys);
}

/// Heat maps count by them.
#[test]
fn what_stands_stands_on_a_place_with_a_name_of_its_own() {
    struct Standing;
    impl Visit for Standing {
        fn game<G: FullGame>(&mut self) {
            for preset in G::PRESETS {
                let game = G::new((preset.rules)()).expect("a preset");
                let places = game.all_places().len();
                assert_eq!(places, game.num_places() + G::BESIDE.len(), "{}", G::NAME);
                let names: HashSet<_> = game.all_places().into_iter().collect();
                assert_eq!(names.len(), places, "{}", G::NAME);
                let mut seen = HashSet::new();
                for number in 0..20 {
                    let mut rng = Stream::new(21, number);
                    let mut state = game.initial_state();
                    for _ in 0..300 {
                        game.standing(&state, &mut |place, side, pieces| {
                            assert!(place < places);
                            assert!(pieces > 0 || place >= game.num_places(), "nothing stands there");
                            assert!(
                                (0..game.num_players() as u8).any(|seat| game.side(Player(seat)) == side)
                            );
                            if pieces > 0 {
                                seen.insert(place);
                            }
                        });
                        match game.turn(&state) {
                            Turn::Over => break,
                            Turn::Chance => {
                                let outcome = sample(game.chance(&state), &mut rng);
                                game.resolve(&mut state, outcome, &mut ());
                            }
                            Turn::Player(_) => {
                                let action = agents::random(game.legal_actions(&state), &mut rng);
                                game.apply(&mut state, action, &mut ());
                            }
                        }
                    }
                }
                assert!(2 * seen.len() > names.len(), "{}: hardly anything stands anywhere", G::NAME);
            }
        }
    }
    games::visit(&mut Standing);
}
