//! What the searches say of every action, against plain searches that are easy to believe.

use sarai::agents::playout::settle;
use sarai::agents::result::SearchResult;
use sarai::agents::rng::Stream;
use sarai::agents::{ValueKind, alphabeta, expectimax, greedy, random};
use sarai::base::control::Control;
use sarai::games::shah::Shah;
use sarai::games::sho::Sho;
use sarai::games::shuanglu::Shuanglu;
use sarai::games::tshupu::TshuPu;
use sarai::{Evaluate, FullGame, Game, Outcome, Player, Show, Turn};

/// Positions with a choice, one from each of some random games.
fn positions<G: Game>(game: &G, count: u64) -> Vec<(G::State, Player)> {
    let mut all = Vec::new();
    for number in 0..count {
        let mut rng = Stream::new(13, number);
        let mut state = game.initial_state();
        let mut decisions = rng.below(60);
        while let Turn::Player(player) = settle(game, &mut state, &mut rng, &mut ()) {
            let legal = game.legal_actions(&state);
            if decisions == 0 && legal.len() > 1 {
                all.push((state, player));
                break;
            }
            decisions = decisions.saturating_sub(1);
            game.apply(&mut state, random(legal, &mut rng), &mut ());
        }
    }
    assert!(all.len() as u64 * 2 > count, "too many games are over by then");
    all
}

/// What `viewer` may expect so many moves on, every one of them looked at; a move goes on for as long as one player acts.
fn after_moves<G: FullGame>(game: &G, state: &G::State, viewer: Player, depth: u8) -> f64 {
    let Turn::Player(mover) = game.turn(state) else { return game.returns(state)[viewer] };
    if depth == 0 {
        return game.evaluate(state)[viewer];
    }
    let values = game.legal_actions(state).iter().map(|action| {
        let mut next = *state;
        game.apply(&mut next, action, &mut ());
        let goes_on = game.turn(&next) == Turn::Player(mover);
        after_moves(game, &next, viewer, depth - u8::from(!goes_on))
    });
    values.reduce(if mover == viewer { f64::max } else { f64::min }).expect("a player to act has an action")
}

/// What `viewer` may expect after this player's turn and the throws and turns that follow, so many turns in all.
fn after_turns<G: FullGame>(game: &G, state: &G::State, on_turn: Player, viewer: Player, depth: u8) -> f64 {
    match game.turn(state) {
        Turn::Over => game.returns(state)[viewer],
        Turn::Player(player) if player == on_turn => {
            let actions = game.legal_actions(state);
            let values = actions.iter().map(|action| {
                let mut next = *state;
                game.apply(&mut next, action, &mut ());
                after_turns(game, &next, on_turn, viewer, depth)
            });
            let better = if on_turn == viewer { f64::max } else { f64::min };
            values.reduce(better).expect("a player to act has an action")
        }
        _ if depth == 1 => game.evaluate(state)[viewer],
        Turn::Player(player) => after_turns(game, state, player, viewer, depth - 1),
        Turn::Chance => {
            let chance = game.chance(state);
            (0..chance.weights().len() as u8).map(Outcome).fold(0.0, |mean, outcome| {
                let mut next = *state;
                game.resolve(&mut next, outcome, &mut ());
                let value = match game.turn(&next) {
                    Turn::Player(player) => after_turns(game, &next, player, viewer, depth - 1),
                    Turn::Chance if depth > 2 => after_turns(game, &next, on_turn, viewer, depth - 1),
                    Turn::Chance => game.evaluate(&next)[viewer],
                    Turn::Over => game.returns(&next)[viewer],
                };
                mean + chance.probability(outcome) * value
            })
        }
    }
}

/// Compares each action's value with what a plain search says, and the chosen action's with the best of them.
fn compare<G: FullGame>(
    game: &G,
    (state, mover): (G::State, Player),
    found: &SearchResult,
    plain: impl Fn(&G::State, u8) -> f64,
) {
    let legal: Vec<_> = game.legal_actions(&state).iter().collect();
    assert_eq!(found.actions.iter().map(|rated| rated.action).collect::<Vec<_>>(), legal);
    let mut best = f64::NEG_INFINITY;
    for rated in &found.actions {
        let mut next = state;
        game.apply(&mut next, rated.action, &mut ());
        let value = plain(&next, rated.depth);
        let text = game.text(&state);
        let is_close = (rated.values[mover] - value).abs() < 1e-6;
        assert!(is_close && rated.kind != ValueKind::Bound, "{text}: {value}, not {rated:?}");
        assert_eq!(rated.line[0], rated.action);
        best = best.max(value);
    }
    assert!((found.values[mover] - best).abs() < 1e-6, "{found:?}");
    let chosen = found.actions.iter().find(|rated| rated.action == found.action).expect("a legal action");
    assert_eq!(chosen.values, found.values);
}

fn shah(preset: usize) -> Shah {
    Shah::new((Shah::PRESETS[preset].rules)()).expect("a preset")
}

#[test]
fn alphabeta_says_what_each_action_is_worth() {
    for game in [shah(0), shah(1)] {
        for (state, mover) in positions(&game, 40) {
            // No position comes about in two ways that differ in length within three moves.
            let (settings, mut rng) = (alphabeta::Settings::new(3, 1), Stream::new(0, 0));
            let found = alphabeta::analyse(&game, &state, &settings, &mut rng, &Control::default());
            let found = found.expect("there is memory");
            compare(&game, (state, mover), &found, |next, depth| {
                let goes_on = game.turn(next) == Turn::Player(mover);
                after_moves(&game, next, mover, depth - u8::from(!goes_on))
            });
            let chosen = alphabeta::search(&game, &state, &settings, &mut rng, &Control::default());
            let chosen = chosen.expect("there is memory");
            assert_eq!((chosen.action, chosen.values), (found.action, found.values));
        }
    }
}

#[test]
fn a_line_is_played_to_its_value() {
    let game = shah(1);
    let mut seen = 0;
    for (state, mover) in positions(&game, 40) {
        let (settings, mut rng) = (alphabeta::Settings::new(4, 1), Stream::new(0, 0));
        let found = alphabeta::analyse(&game, &state, &settings, &mut rng, &Control::default());
        let found = found.expect("there is memory");
        for rated in found.actions {
            let (mut at, mut moves) = (state, 0);
            for &action in &rated.line {
                assert!(game.legal_actions(&at).contains(action));
                let before = game.turn(&at);
                game.apply(&mut at, action, &mut ());
                moves += u8::from(game.turn(&at) != before);
            }
            if moves == found.depth && game.turn(&at) != Turn::Over {
                let here = game.evaluate(&at)[mover];
                assert!((here - rated.values[mover]).abs() < 1e-6, "{}: {rated:?}", game.text(&state));
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn what_wins_or_loses_soon_is_exact_for_every_action() {
    let game = shah(0);
    let (mut decided, mut open) = (0, 0);
    for number in 0..12 {
        let (mut rng, mut state) = (Stream::new(3, number), game.initial_state());
        let mut all = Vec::new();
        while let Turn::Player(mover) = game.turn(&state) {
            all.push((state, mover));
            let action = if number % 2 == 0 {
                random(game.legal_actions(&state), &mut rng)
            } else {
                greedy(&game, &state, game.legal_actions(&state))
            };
            game.apply(&mut state, action, &mut ());
        }
        for &(state, mover) in &all[all.len().saturating_sub(6)..] {
            let settings = alphabeta::Settings::new(3, 1);
            let found = alphabeta::analyse(&game, &state, &settings, &mut rng, &Control::default());
            for rated in found.expect("there is memory").actions {
                let mut at = state;
                game.apply(&mut at, rated.action, &mut ());
                let goes_on = game.turn(&at) == Turn::Player(mover);
                let plain = after_moves(&game, &at, mover, 3 - u8::from(!goes_on));
                let text = game.text(&state);
                if plain.abs() < 1.0 {
                    assert!(rated.depth == 3, "{text}: {rated:?}");
                    open += 1;
                    continue;
                }
                // It wins or loses within three moves, and the line is played to the end in as many turns as it says.
                assert_eq!((rated.kind, rated.values[mover]), (ValueKind::Exact, plain), "{text}: {rated:?}");
                let (mut turns, mut on_turn) = (1, mover);
                for &action in &rated.line[1..] {
                    if game.turn(&at) != Turn::Player(on_turn) {
                        (turns, on_turn) = (turns + 1, Player(1 - on_turn.0));
                    }
                    game.apply(&mut at, action, &mut ());
                }
                assert_eq!((game.turn(&at), rated.turns), (Turn::Over, Some(turns)), "{text}: {rated:?}");
                assert_eq!(game.returns(&at)[mover], plain);
                decided += 1;
            }
        }
    }
    assert!(decided > 50 && open > 50, "{decided} and {open}");
}

fn expectimax_is_plain<G: FullGame>(game: &G, count: u64) {
    let (mut rng, control) = (Stream::new(0, 0), Control::default());
    for (state, mover) in positions(game, count) {
        for depth in [1, 2] {
            let settings = expectimax::Settings { filter: (1000, 1000), ..expectimax::Settings::new(depth) };
            let found = expectimax::analyse(game, &state, &settings, &mut rng, &control);
            assert_eq!(found.depth, depth);
            compare(game, (state, mover), &found, |next, _| after_turns(game, next, mover, mover, depth));
            let chosen = expectimax::search(game, &state, &settings, &mut rng, &control);
            assert_eq!((chosen.action, chosen.values), (found.action, found.values));
        }
    }
}

#[test]
fn expectimax_says_what_each_action_is_worth() {
    expectimax_is_plain(
        &Sho::new(sarai::games::sho::Rules { players: 2, ..Default::default() }).expect("rules"),
        30,
    );
    expectimax_is_plain(&Shuanglu::new(Default::default()).expect("the default rules"), 10);
    expectimax_is_plain(&TshuPu::new(Default::default()).expect("the default rules"), 10);
}
