//! Pictures, words and what boards that are played on need, for every registered game.

use std::collections::BTreeSet;

use crate::common::{Case, preset_cases};
use sarai::Turn;
use sarai::agents::playout::sample;
use sarai::agents::rng::Stream;
use sarai::api::AnyGame;
use sarai::draw::svg::number;
use sarai::draw::{Options, maths, theme};
use sarai::play::position::AnyPosition;
use serde_json::Value;

/// Positions of games of each preset, so many steps apart.
fn walk(game: &dyn AnyGame, number: u64, mut each: impl FnMut(&dyn AnyPosition, Option<(usize, String)>)) {
    let mut rng = Stream::new(53, number);
    let (mut position, mut last) = (game.new_position(), None);
    for step in 0..600 {
        if step % 7 == 0 || position.turn() == Turn::Over {
            each(&*position, last.clone());
        }
        match position.turn() {
            Turn::Over => return,
            Turn::Chance => {
                let outcome = sample(position.chance().expect("outcomes"), &mut rng);
                position.play_any(outcome.0.into()).expect("an outcome");
            }
            Turn::Player(player) => {
                let action = sarai::agents::random(position.legal_actions(), &mut rng);
                let name = position.action_name(action.0.into()).expect("a legal action");
                last = Some((player.index(), name));
                position.play_any(action.0.into()).expect("a legal action");
            }
        }
    }
}

fn text<'a>(of: &'a Value, name: &str) -> &'a str {
    of[name].as_str().unwrap_or_else(|| panic!("{name} of {of} is no text"))
}

#[test]
fn a_scene_says_all_that_a_board_needs() {
    for Case { game, .. } in preset_cases() {
        for number in 0..1 {
            walk(&*game, number, |position, last| {
                let options = Options { theme: &theme::DARK, last, ..Options::default() };
                let scene = position.scene(&options).expect("a scene");
                assert_eq!(text(&scene, "svg"), position.draw(&options).expect("a picture").written());
                let (width, height) = (scene["width"].as_f64().unwrap(), scene["height"].as_f64().unwrap());
                for name in ["headline", "description"] {
                    assert!(text(&scene, name).len() > 5, "{scene}");
                }
                let points = scene["points"].as_array().expect("points");
                let names: BTreeSet<&str> = points.iter().map(|point| text(point, "name")).collect();
                assert_eq!(names.len(), points.len(), "two places have one name: {names:?}");
                for point in points {
                    let (x, y, r) = (point["x"].as_f64(), point["y"].as_f64(), point["r"].as_f64());
                    let (x, y, r) = (x.unwrap(), y.unwrap(), r.unwrap());
                    assert!(r > 0.0 && (0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{point}");
                    assert!(!text(point, "words").is_empty());
                }
                let moves = scene["moves"].as_array().expect("moves");
                let ids: Vec<u64> = moves.iter().map(|one| one["action"].as_u64().unwrap()).collect();
                let legal: Vec<u64> = position.legal_actions().iter().map(|action| action.0.into()).collect();
                assert_eq!(ids, legal);
                let mut said = BTreeSet::new();
                for one in moves {
                    assert!(said.insert(text(one, "words")), "two moves have the words of {one}");
                    for place in one["places"].as_array().expect("places") {
                        assert!(place.as_u64().unwrap() < points.len() as u64, "{one}");
                    }
                }
                let over = position.turn() == Turn::Over;
                assert_eq!((&scene["over"], scene["result"].is_string()), (&Value::Bool(over), over));
                assert_eq!(scene["player"].is_u64(), matches!(position.turn(), Turn::Player(_)));
            });
        }
    }
}

#[test]
fn all_legal_moves_and_the_last_can_be_marked_by_their_names() {
    for Case { game, .. } in preset_cases() {
        walk(&*game, 9, |position, last| {
            let name = |action: sarai::Action| position.action_name(action.0.into()).expect("legal");
            let legal: Vec<String> = position.legal_actions().iter().map(name).collect();
            let marked = Options { last, legal: legal.clone(), ..Options::default() };
            let picture = position.draw(&marked).expect("a picture").written();
            for name in legal {
                let name = sarai::draw::svg::escape(&name);
                assert!(picture.contains(&format!("<title>legal: {name}</title>")), "{name} is not marked");
            }
            let wrong = Options { legal: vec!["nonsense".into()], ..Options::default() };
            let error = position.draw(&wrong).unwrap_err().to_string();
            let player = matches!(position.turn(), Turn::Player(_));
            assert!(!player || error.contains("legal[0] is 'nonsense', which names no action"), "{error}");
        });
    }
}

#[test]
fn a_picture_has_a_size_that_can_be_shown_and_a_last_move_of_a_seat() {
    for Case { game, .. } in preset_cases() {
        let position = game.new_position();
        for size in [15.9, 16384.5, f64::NAN, f64::INFINITY] {
            let error = position.draw(&Options { size, ..Options::default() }).unwrap_err();
            assert!(error.to_string().starts_with("size must be a width in pixels from 16 to 16384, got "));
        }
        let seats = game.num_players();
        let last = Some((seats, "a move".to_owned()));
        let error = position.draw(&Options { last, ..Options::default() }).unwrap_err();
        assert_eq!(error.to_string(), format!("last[0] must be a seat from 0 to {}, got {seats}", seats - 1));
    }
}

/// As Python writes two decimals: the number as it is stored decides, and a tie goes to the even digit.
#[test]
fn numbers_are_rounded_as_python_rounds_them() {
    for (value, written) in [
        (0.125, "0.12"),
        (0.375, "0.38"),
        (2.675, "2.67"),
        (1.005, "1"),
        (-0.004, "0"),
        (-1.0 / 3.0, "-0.33"),
        (99.995, "100"),
        (1e6, "1000000"),
        (512.625, "512.62"),
    ] {
        assert_eq!(number(value), written);
    }
}

/// A distance that is a whole number comes out as that number, wherever the points lie.
#[test]
fn distances_are_exact_where_they_can_be() {
    for (x, y, far) in [(3.0, 4.0, 5.0), (20.0, 21.0, 29.0), (0.6, 0.8, 1.0), (180.0, 19.0, 181.0)] {
        assert_eq!(maths::hypot(x, y), far);
        assert_eq!(maths::dist((x, 0.0), (0.0, y)), far);
    }
}
