//! Makes tables of Shah, and says what it takes.
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use sarai::Game;
use sarai::base::control::Control;
use sarai::exact::retrograde::Effort;
use sarai::exact::solve::{Event, groups, solve_into};
use sarai::games::shah::{Rules, Shah};
use sarai::rules::solvable::Solvable;

fn main() {
    let (mut out, mut stones, mut threads, mut preset) = (PathBuf::from("tables"), (255u8, 255u8), 1usize, 0usize);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().unwrap().into(),
            "--threads" => threads = args.next().unwrap().parse().unwrap(),
            "--preset" => preset = args.next().unwrap().parse().unwrap(),
            "--all" => stones = (255, 255),
            "--stones" => {
                let text = args.next().unwrap();
                let mut parts = text.split(',').map(|n| n.parse().unwrap());
                let first = parts.next().unwrap();
                stones = (first, parts.next().unwrap_or(first));
            }
            other => panic!("{other}?"),
        }
    }
    let game = if preset == 0 { Shah::new(Rules::default()) } else { Shah::new((Shah::PRESETS[1].rules)()) }.unwrap();
    let all = groups(&game.tables(stones.0.max(stones.1)), stones);
    let places: u64 = all.iter().map(|group| group.places).sum();
    let memory = all.iter().map(|group| group.memory).max().unwrap_or(0);
    println!("{} tables of {places} places; at most {} MB of memory", all.len(), memory >> 20);
    let (mut done, mut solved, mut spent) = (0u64, 0u64, 0.0);
    let control = Control::default();
    let result = solve_into(&out, &game, stones, Effort { threads, control: &control }, |event| match event {
        Event::Found(group) => done += group.places,
        Event::Begun(group) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
            println!("[{now}] {} of {} places, {} MB", group.pairs[0], group.places, group.memory >> 20);
        }
        Event::Written(pair, summary, digest) => {
            println!("{pair} {} {digest}", serde_json::to_string(summary).unwrap());
        }
        Event::Done(group, took) => {
            done += group.places;
            solved += group.places;
            spent += took.as_secs_f64();
            let rate = solved as f64 / spent;
            println!(
                "{:.1} s, {:.2} million places a second; {done} of {places}, about {:.1} hours left",
                took.as_secs_f64(),
                group.places as f64 / took.as_secs_f64() / 1e6,
                (places - done) as f64 / rate / 3600.0
            );
        }
    });
    println!("{result:?}");
}
