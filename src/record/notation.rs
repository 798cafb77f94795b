//! Moves as people write them: a turn such as "8/5(2) 6/3*" or "24/18/14", and a move with what it captures, such as
//! "d7xb4". It is read by the names of the actions alone, so it is one notation for all games.

use crate::base::error::{Error, shorten};
use crate::play::position::AnyPosition;
use crate::rules::game::Turn;

/// The longest text of a turn, in bytes.
const MAX_TEXT: usize = 400;

/// The most moves of a turn.
const MAX_HOPS: usize = 16;

/// How many steps are tried until a text is given up: far more than any turn that can be written takes.
const MAX_TRIED: u32 = 20_000;

fn wrong(sentence: impl Into<String>) -> Error {
    Error::position(sentence)
}

/// The actions that a text describes, in an order in which they are legal: a turn of the player to act, or the beginning of
/// one. Marks of hits may be left out, moves may be in any order and of several steps, and "bar" and "off" may be 25 and 0.
///
/// ```
/// use sarai::api::registry;
/// use sarai::record::actions;
/// let mut position = registry::find("shuanglu")?.make(None, "{}")?.new_position();
/// position.play_any(12)?;
/// let found = actions(&*position, "24/18 13/9")?;
/// assert_eq!(position.action_name(found[0]).as_deref(), Some("24/18"));
/// let error = actions(&*position, "24/21").unwrap_err();
/// assert_eq!(error.to_string(), "'24/21': from 24 a piece can go to 20 or 18, not to 21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Says which move cannot be played, and what can.
pub fn actions(position: &dyn AnyPosition, text: &str) -> Result<Vec<i64>, Error> {
    if text.len() > MAX_TEXT {
        return Err(wrong(format!("'{}' is longer than any turn", shorten(text))));
    }
    if let Ok(action) = position.action_named(text) {
        return Ok(vec![i64::from(action.0)]);
    }
    if !matches!(position.turn(), Turn::Player(_)) {
        return Err(position.action_named(text).expect_err("no action is legal here"));
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    if !words.is_empty() && words.iter().all(|word| word.contains('/')) {
        return hops(position, text, &words);
    }
    if words.is_empty() {
        return Err(wrong("there is no move in an empty text"));
    }
    let mut line = Line { mover: position.turn(), position: position.boxed(), text, taken: Vec::new() };
    for part in lower.split(',').map(str::trim) {
        match line.named(part) {
            Some(action) => line.take(action)?,
            None => part.split_whitespace().try_for_each(|word| line.word(word))?,
        }
    }
    Ok(line.taken)
}

/// The outcome of chance that a text names; dice may be in any order, and stand without a dash.
pub(super) fn outcome(position: &dyn AnyPosition, text: &str) -> Option<i64> {
    let outcomes = position.chance()?.weights().len() as i64;
    let named = |name: &str| (0..outcomes).find(|&id| position.outcome_name(id).as_deref() == Some(name));
    named(text).or_else(|| {
        let dice: Vec<&str> = match text.contains('-') {
            true => text.split('-').map(str::trim).collect(),
            false => text.split("").filter(|digit| !digit.trim().is_empty()).collect(),
        };
        let [one, other] = dice[..] else { return None };
        named(&format!("{one}-{other}")).or_else(|| named(&format!("{other}-{one}")))
    })
}

/// Words that are played one after the other.
struct Line<'a> {
    mover: Turn,
    position: Box<dyn AnyPosition>,
    text: &'a str,
    taken: Vec<i64>,
}

impl Line<'_> {
    /// The action of the same turn with this name.
    fn named(&self, name: &str) -> Option<i64> {
        let same = self.position.turn() == self.mover;
        self.position.action_named(name).ok().filter(|_| same).map(|action| i64::from(action.0))
    }

    fn take(&mut self, id: i64) -> Result<(), Error> {
        self.position.play_any(id)?;
        self.taken.push(id);
        Ok(())
    }

    /// A word that is an action, or several: "d7xb4" places and removes, "a1-g7" may be a flight.
    fn word(&mut self, word: &str) -> Result<(), Error> {
        if let Some(action) = self.named(word) {
            return self.take(action);
        }
        if word.contains('/') {
            let found = hops(&*self.position, self.text, &[word])?;
            return found.into_iter().try_for_each(|id| self.take(id));
        }
        match (word.rsplit_once('x'), word.split_once('-')) {
            (Some((before, removed)), _) if !before.is_empty() => {
                self.word(before)?;
                self.word(&format!("x{removed}"))
            }
            (None, Some((from, to))) if self.named(&format!("fly {from}")).is_some() => {
                self.word(&format!("fly {from}"))?;
                self.word(to)
            }
            _ => Err(self.none(word)),
        }
    }

    /// The error for a word that is no legal action.
    fn none(&self, word: &str) -> Error {
        let word = shorten(word);
        if self.position.turn() != self.mover {
            return wrong(format!("the turn is over before '{word}'"));
        }
        let names: Vec<String> = legal(&*self.position).into_iter().map(|(_, name)| name).collect();
        let more = if names.len() > 6 { format!(", ... ({} in all)", names.len()) } else { String::new() };
        let names = names[..names.len().min(6)].join(", ");
        wrong(format!("'{word}' is not the name of a legal action; the legal ones are {names}{more}"))
    }
}

fn legal(position: &dyn AnyPosition) -> Vec<(i64, String)> {
    let named = |id: i64| position.action_name(id).map(|name| (id, name));
    position.legal_actions().into_iter().filter_map(|action| named(i64::from(action.0))).collect()
}

/// A piece that is to move: where it is, and where it is to come down, one place after the other.
#[derive(Clone, PartialEq)]
struct Hop<'a> {
    from: String,
    way: &'a [&'a str],
    /// Whether it came to `from` by a step that was not written.
    midway: bool,
}

/// An action whose name says where from and where to.
struct Step {
    id: i64,
    from: String,
    to: String,
    hits: bool,
    /// Whether the name says more, such as the die in "4/off(6)".
    says_more: bool,
}

fn steps(position: &dyn AnyPosition) -> Vec<Step> {
    let step = |(id, name): (i64, String)| {
        let (from, rest) = name.split_once('/')?;
        let (place, more) = rest.split_at(rest.find([' ', '(']).unwrap_or(rest.len()));
        // "(6)" is the die; words make it another move than the one without them.
        if more.contains(char::is_alphabetic) {
            return None;
        }
        let to = place.trim_end_matches(['*', '+']);
        Some(Step {
            id,
            from: from.into(),
            to: to.into(),
            hits: place.contains('*'),
            says_more: !more.is_empty(),
        })
    };
    legal(position).into_iter().filter_map(step).collect()
}

/// Whether a place that was written is the one of a name.
fn is(place: &str, written: &str) -> bool {
    place == written || matches!((place, written), ("bar", "25") | ("off", "0"))
}

/// A word such as "13/8*(2)".
struct Word<'a> {
    places: Vec<&'a str>,
    /// Those of the places that have a mark of a hit.
    hit: Vec<&'a str>,
    /// How many pieces go this way.
    times: usize,
}

fn places(word: &str) -> Option<Word<'_>> {
    let (way, times) = match word.strip_suffix(')') {
        None => (word, 1),
        Some(inside) => {
            let (way, times) = inside.split_once('(')?;
            (way, times.parse().ok().filter(|times| (1..=MAX_HOPS).contains(times))?)
        }
    };
    let hit = way.split('/').filter_map(|place| place.strip_suffix('*')).collect();
    let places: Vec<&str> = way.split('/').map(|place| place.trim_end_matches('*')).collect();
    let plain = |place: &&str| !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (places.len() > 1 && places.iter().all(plain)).then_some(Word { places, hit, times })
}

/// The steps of words that all say where from and where to.
fn hops(position: &dyn AnyPosition, text: &str, words: &[&str]) -> Result<Vec<i64>, Error> {
    let read = |words: &[&str]| {
        let mut read = Vec::new();
        for &word in words {
            let Some(found) = places(word) else {
                return Err(wrong(format!(
                    "'{}' is no move: write where a piece moves from and to, such as 13/8",
                    shorten(word)
                )));
            };
            read.push(found);
        }
        Search::solve(position, text, &read)
    };
    let found = read(words);
    // In "4/off(6)" the number is that of the die, if it cannot be how many pieces go.
    let without = |word| match str::split_once(word, "/off(") {
        Some((from, rest)) if rest.ends_with(')') => &word[..from.len() + "/off".len()],
        _ => word,
    };
    let plain: Vec<&str> = words.iter().map(|&word| without(word)).collect();
    if found.is_err() && plain != words {
        return read(&plain).or(found);
    }
    found
}

/// A way to play all that was written, and what speaks against it.
struct Found {
    path: Vec<i64>,
    /// Whether a mark stands where nothing is hit; hits without a mark, names that say more, steps.
    cost: (bool, usize, usize, usize),
    /// Where a mark stands and nothing is hit.
    unhit: Option<String>,
    end: Box<dyn AnyPosition>,
}

/// Plays moves in any order.
struct Search<'a> {
    mover: Turn,
    starred: Vec<&'a str>,
    found: Vec<Found>,
    /// The longest way that went no further: its length, where it ended, and the move that was due.
    stuck: Option<(usize, Box<dyn AnyPosition>, Hop<'a>)>,
    tried: u32,
}

impl<'a> Search<'a> {
    fn solve(position: &dyn AnyPosition, text: &str, words: &'a [Word<'a>]) -> Result<Vec<i64>, Error> {
        let shown = shorten(text.trim());
        if words.iter().map(|word| word.times).sum::<usize>() > MAX_HOPS {
            return Err(wrong(format!("'{shown}' has more than {MAX_HOPS} moves, which no turn has")));
        }
        let hops: Vec<Hop<'a>> = words
            .iter()
            .flat_map(|Word { places, times, .. }| {
                vec![Hop { from: places[0].to_owned(), way: &places[1..], midway: false }; *times]
            })
            .collect();
        let starred = words.iter().flat_map(|word| word.hit.iter().copied()).collect();
        let mut search = Search { mover: position.turn(), starred, found: Vec::new(), stuck: None, tried: 0 };
        search.go(position, &hops, &mut Vec::new(), &mut Vec::new(), 0);
        let Some(least) = search.found.iter().map(|found| found.cost).min() else {
            return Err(wrong(format!("'{shown}': {}", search.explained())));
        };
        search.found.retain(|found| found.cost == least);
        let first = search.found.remove(0);
        if let Some(unhit) = first.unhit {
            return Err(wrong(format!("'{shown}': nothing is hit on {unhit}")));
        }
        match search.found.iter().find(|other| !other.end.same(&*first.end)) {
            None => Ok(first.path),
            Some(other) => Err(wrong(format!(
                "'{shown}' may be '{}' or '{}': write every step",
                names(position, &first.path),
                names(position, &other.path)
            ))),
        }
    }

    fn go(
        &mut self,
        position: &dyn AnyPosition,
        left: &[Hop<'a>],
        path: &mut Vec<i64>,
        hit: &mut Vec<String>,
        more: usize,
    ) {
        if left.is_empty() {
            let unhit = self.starred.iter().find(|place| !hit.iter().any(|hit| is(hit, place)));
            let marked = |place: &&String| self.starred.iter().any(|starred| is(place, starred));
            let unmarked = hit.iter().filter(|place| !marked(place)).count();
            let cost = (unhit.is_some(), unmarked, more, path.len());
            let unhit = unhit.map(|&place| place.to_owned());
            self.found.push(Found { path: path.clone(), cost, unhit, end: position.boxed() });
            return;
        }
        // Another player's turn, or a throw, has none of these steps.
        let steps = if position.turn() == self.mover { steps(position) } else { Vec::new() };
        let (mut lands, mut due) = (false, None);
        for (at, hop) in left.iter().enumerate() {
            if left[..at].contains(hop) {
                continue;
            }
            let mut goes = false;
            for step in steps.iter().filter(|step| is(&step.from, &hop.from)) {
                let there = is(&step.to, hop.way[0]);
                if self.tried == MAX_TRIED || !(there || between(&step.to, &hop.from, hop.way[0])) {
                    continue;
                }
                self.tried += 1;
                let mut after = position.boxed();
                if after.play_any(step.id).is_err() {
                    continue;
                }
                (goes, lands) = (true, lands || there);
                let mut left = left.to_vec();
                let way = if there { &hop.way[1..] } else { hop.way };
                if way.is_empty() {
                    left.remove(at);
                } else {
                    left[at] = Hop { from: step.to.clone(), way, midway: !there };
                }
                path.push(step.id);
                hit.extend(step.hits.then(|| step.to.clone()));
                self.go(&*after, &left, path, hit, more + usize::from(step.says_more));
                hit.truncate(hit.len() - usize::from(step.hits));
                path.pop();
            }
            if !goes && due.is_none() {
                due = Some(hop);
            }
        }
        let due = due.unwrap_or(&left[0]);
        let further = self.stuck.as_ref().is_none_or(|(length, ..)| path.len() > *length);
        if !lands && !due.midway && further {
            self.stuck = Some((path.len(), position.boxed(), due.clone()));
        }
    }

    /// Why what was written cannot be played.
    fn explained(&self) -> String {
        let Some((_, position, Hop { from, way, .. })) = &self.stuck else {
            return "no order of these moves can be played; write every step".into();
        };
        if position.turn() != self.mover {
            return format!("the turn is over before {from}/{}", way[0]);
        }
        let steps = steps(&**position);
        let ends: Vec<&str> =
            steps.iter().filter(|step| is(&step.from, from)).map(|step| &*step.to).collect();
        if !ends.is_empty() {
            return format!("from {} a piece can go to {}, not to {}", the(from), listed(&ends), way[0]);
        }
        let begins: Vec<&str> = steps.iter().map(|step| &*step.from).collect();
        match begins.is_empty() {
            true => format!("no piece moves from one place to another here; {}", position.explain()),
            false => {
                format!("no piece can move from {} here; pieces can move from {}", the(from), listed(&begins))
            }
        }
    }
}

/// Whether a step to a place leads on from one to another. Places without a number may be anywhere.
fn between(place: &str, from: &str, to: &str) -> bool {
    let number = |place: &str| if place == "bar" { Some(25) } else { place.parse::<u32>().ok() };
    match (number(from), number(place), number(to)) {
        (Some(from), Some(place), Some(to)) => from.min(to) < place && place < from.max(to),
        _ => true,
    }
}

/// A place as a sentence names it.
fn the(place: &str) -> &str {
    if place == "bar" { "the bar" } else { place }
}

/// "6, 8 or 13", each once.
fn listed(places: &[&str]) -> String {
    let mut once: Vec<&str> = Vec::new();
    for place in places {
        if !once.contains(&the(place)) {
            once.push(the(place));
        }
    }
    match once.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The names of some actions.
fn names(position: &dyn AnyPosition, path: &[i64]) -> String {
    let mut position = position.boxed();
    let mut names = Vec::new();
    for &id in path {
        names.extend(position.action_name(id));
        if position.play_any(id).is_err() {
            break;
        }
    }
    names.join(" ")
}
