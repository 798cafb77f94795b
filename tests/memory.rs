//! The memory that solving takes, against what it is said to take before. A binary of its own, since it counts what the
//! whole process allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use sarai::Game;
use sarai::base::control::Control;
use sarai::exact::plan::places;
use sarai::exact::retrograde::Effort;
use sarai::exact::solvable::Solvable;
use sarai::exact::solve::{AnySolvable, Event};
use sarai::games::shah::{Rules, Shah};

/// The system's allocator, with how much is taken now, and the most since that was last set.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let taken = TAKEN.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(taken, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`, and all memory is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
#[ignore = "nightly"]
fn solving_takes_the_memory_that_it_says() {
    let folder = std::env::temp_dir().join(format!("sarai-memory-{}", std::process::id()));
    let game = Shah::new(Rules { max_turns: u16::MAX, no_capture_limit: 0, ..Rules::default() }).unwrap();
    let tables = game.tables(4);
    let (control, mut before, mut groups) = (Control::default(), 0, Vec::new());
    let mut tell = |event: Event<'_>| match event {
        Event::Begun(_) => {
            before = TAKEN.load(Ordering::Relaxed);
            MOST.store(before, Ordering::Relaxed);
        }
        Event::Done { group, .. } => {
            // Two bytes are reckoned for a place that is solved, and these tables need one.
            let needs = group.needs.iter().map(|(_, pair)| pair);
            let spared: u64 = group.pairs[..1].iter().chain(needs).map(|&pair| places(&tables, pair)).sum();
            groups.push((group.memory - spared, (MOST.load(Ordering::Relaxed) - before) as u64));
        }
        Event::Found(_) | Event::Written { .. } => {}
    };
    let effort = Effort { threads: 1, control: &control };
    let done = game.solve(&folder, Some((4, 4)), effort, &mut tell);
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(done, Ok(()));
    assert_eq!(groups.len(), 3);
    for (said, taken) in groups {
        assert!(taken >= said && taken < said + (256 << 10), "{taken} bytes taken, {said} said");
    }
}
