//! Threads that wait for work.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, Yield};

use crate::base::{Control, Error, try_lock};

/// How long a thread waits awake: the one that calls for the others, and those for more work. To wake a thread that sleeps
/// can take the system longer than a step of some thousand lanes.
const PATIENCE: Duration = Duration::from_micros(200);

/// How long the one that calls then sleeps before it looks up.
const NAP: Duration = Duration::from_millis(10);

/// How often a thread that waits awake for work looks for it before it lets others have its processor.
const LOOKS: u32 = 32;

/// How many pools of different sizes are kept.
const MAX_POOLS: usize = 4;

/// Runs `work(0)` on the calling thread and `work(1)` to `work(threads - 1)` on others, and returns when all are done. A
/// number goes to the same thread every time, whose cache may still hold what it worked on.
pub(super) fn together(
    threads: usize,
    control: Option<&Control>,
    work: &(dyn Fn(usize) + Sync),
) -> Result<(), Error> {
    /// Counts a thread as done, in a panic too. The one that calls is told, which costs a call of the system only if it
    /// sleeps: it would wait for that as well.
    struct Done<'a>(&'a AtomicUsize, &'a Thread);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Release);
            self.1.unpark();
        }
    }
    let (begun, done, caller) = (AtomicUsize::new(1), AtomicUsize::new(1), thread::current());
    let are_done = || done.load(Ordering::Acquire) == threads;
    let pool = pool(threads - 1)?;
    pool.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, worker| {
            begun.fetch_add(1, Ordering::Relaxed);
            let _done = Done(&done, &caller);
            work(worker.index() + 1);
        });
        work(0);
        // The others are at their last pieces: to sleep now would cost more than they need. But one that has not begun by
        // now, when all is done, has no processor, and may be waiting for this one.
        let patience = Instant::now() + PATIENCE;
        while !are_done() && begun.load(Ordering::Relaxed) == threads && Instant::now() < patience {
            std::hint::spin_loop();
        }
        while !are_done() {
            thread::park_timeout(NAP);
            if let Some(control) = control {
                control.wait_is_cancelled();
            }
        }
    });
    pool.spawn_broadcast(|_| stay_awake());
    Ok(())
}

/// Keeps a thread of a pool awake until there has been no work for a while: whoever steps a batch soon calls again.
fn stay_awake() {
    thread_local! {
        static AWAKE: Cell<bool> = const { Cell::new(false) };
    }
    // It waits already, and this call is the work that it has just found.
    if AWAKE.replace(true) {
        return;
    }
    let mut end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        for _ in 0..LOOKS {
            match rayon::yield_local() {
                Some(Yield::Executed) => end = Instant::now() + PATIENCE,
                _ => std::hint::spin_loop(),
            }
        }
        thread::yield_now();
    }
    AWAKE.set(false);
}

/// The number of the thread that works, from 1 on in its pool; 0 is the thread that called.
pub(crate) fn worker() -> usize {
    rayon::current_thread_index().map_or(0, |thread| thread + 1)
}

/// The pools made last, and the process that made them.
struct Pools {
    process: u32,
    /// The one that was used last stands last.
    pools: Vec<Arc<ThreadPool>>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });

/// A pool of this many threads. Those that have not been used for longest end.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, Error> {
    let process = std::process::id();
    let known = with_pools(|shared| {
        if shared.process != process {
            // A fork copies the pools but not their threads. Such a pool can neither work nor be joined.
            std::mem::forget(std::mem::take(&mut shared.pools));
            shared.process = process;
        }
        let at = shared.pools.iter().position(|pool| pool.current_num_threads() == threads)?;
        let pool = shared.pools.remove(at);
        shared.pools.push(pool.clone());
        Some(pool)
    });
    if let Some(pool) = known.flatten() {
        return Ok(pool);
    }
    // Made while nothing is locked: a fork in this moment must leave the child no lock that nobody will open.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sarai-{index}"))
        .build()
        .map_err(|error| {
            Error::NoThreads(format!(
                "the system starts no more threads ({error}); ask for fewer than {} with num_threads, or for 1, which starts \
                 none",
                threads + 1
            ))
        })?;
    let pool = Arc::new(pool);
    let ended = with_pools(|shared| {
        let surplus = (shared.pools.len() + 1).saturating_sub(MAX_POOLS);
        let ended: Vec<_> = shared.pools.drain(..surplus).collect();
        shared.pools.push(pool.clone());
        ended
    });
    drop(ended);
    Ok(pool)
}

/// Looks at the pools, unless somebody else does at this moment: whoever is in the way makes a pool for one use.
///
/// Waiting is no choice: a fork while another thread looks leaves the child a lock that is never opened.
fn with_pools<R>(look: impl FnOnce(&mut Pools) -> R) -> Option<R> {
    try_lock(&POOLS).map(|mut pools| look(&mut pools))
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, share_out};
    use super::*;
    use crate::base::lock::lock;
    use std::collections::BTreeSet;
    use std::sync::Condvar;

    /// Whoever has the first piece waits until all others are done: a thread that keeps its part to itself would wait
    /// for ever.
    #[test]
    fn threads_help_each_other() {
        const ITEMS: usize = 64;
        let mut items: Vec<usize> = (0..ITEMS).collect();
        let (others, news) = (Mutex::new(0), Condvar::new());
        let on_threads = Mutex::new(BTreeSet::new());
        let helped = AtomicUsize::new(0);
        share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |piece| {
            let item = piece[0];
            lock(&on_threads).insert(format!("{:?}", std::thread::current().id()));
            if item > 0 {
                *lock(&others) += 1;
                news.notify_all();
                return;
            }
            let mut count = lock(&others);
            while *count < ITEMS - 1 {
                let (next, waited) = news.wait_timeout(count, Duration::from_secs(60)).unwrap();
                count = next;
                if waited.timed_out() {
                    return;
                }
            }
            helped.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(helped.into_inner(), 1, "the part of the thread that waited was left to it");
        assert_eq!(lock(&on_threads).len(), 2);
    }

    #[test]
    fn a_panic_in_a_helper_comes_back() {
        let mut items = vec![0; 64];
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |_| panic!("as it should"))
        }));
        assert!(caught.is_err());
    }

    /// As in the child of a fork that came while another thread looked at the pools.
    #[test]
    fn a_lock_that_nobody_opens_keeps_nobody_from_working() {
        let _looking = lock(&POOLS);
        let mut items = [0; 8];
        share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |piece| piece[0] += 1).unwrap();
        assert_eq!(items, [1; 8]);
    }

    #[test]
    fn few_pools_are_kept() {
        for threads in 2..20 {
            let plan = Plan { threads, piece: 1 };
            share_out(plan, &mut vec![0; 64][..], None, |_| ()).unwrap();
        }
        // Another test may be looking at this moment.
        let kept = loop {
            if let Some(kept) = with_pools(|shared| shared.pools.len()) {
                break kept;
            }
        };
        assert!(kept <= MAX_POOLS, "{kept}");
    }
}
