//! Worker threads, shared by everything that asks for the same number of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::error::BadRequest;

/// The most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// How long a thread that has run out of work waits awake for the others.
const PATIENCE: Duration = Duration::from_micros(200);

/// The pools made so far, and the process that made them.
struct Pools {
    process: u32,
    pools: Vec<(usize, Arc<ThreadPool>)>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });

/// How many threads a request for `threads` means: the machine's processors for `None`.
///
/// # Errors
/// When it is not 1 to [`MAX_THREADS`].
///
/// ```
/// use sarai::threads::resolve;
/// assert_eq!(resolve(Some(2))?, 2);
/// assert!(resolve(None)? >= 1);
/// assert!(resolve(Some(0)).is_err());
/// # Ok::<(), sarai::error::BadRequest>(())
/// ```
pub fn resolve(threads: Option<usize>) -> Result<usize, BadRequest> {
    match threads {
        None => {
            let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
            Ok(processors.min(MAX_THREADS))
        }
        Some(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        Some(threads) => Err(BadRequest::new(format!(
            "num_threads got {threads}; it takes 1 to {MAX_THREADS}, or None for all processors"
        ))),
    }
}

/// Runs `work` where rayon's parallel iterators use this many threads; on the calling thread for 1.
///
/// # Errors
/// When the system refuses to start the threads.
pub fn install<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, BadRequest> {
    if threads <= 1 { Ok(work()) } else { Ok(pool(threads)?.install(work)) }
}

/// Runs `work(0)` on the calling thread and `work(1)` to `work(threads - 1)` on others, and returns when all are done.
/// A number goes to the same thread every time, whose cache may still hold what it worked on.
///
/// The caller works instead of waiting for threads to wake up, which takes as long as stepping many lanes.
///
/// # Errors
/// When the system refuses to start the threads; nothing has run then.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let runs = AtomicUsize::new(0);
/// sarai::threads::share(3, |number| { runs.fetch_add(number, Ordering::Relaxed); })?;
/// assert_eq!(runs.into_inner(), 0 + 1 + 2);
/// # Ok::<(), sarai::error::BadRequest>(())
/// ```
pub fn share(threads: usize, work: impl Fn(usize) + Sync) -> Result<(), BadRequest> {
    if threads <= 1 {
        work(0);
        return Ok(());
    }
    let done = AtomicUsize::new(1);
    pool(threads - 1)?.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, worker| {
            work(worker.index() + 1);
            done.fetch_add(1, Ordering::Release);
        });
        work(0);
        // The others are at their last lanes: to sleep now would cost more than they need.
        let patience = Instant::now() + PATIENCE;
        while done.load(Ordering::Acquire) < threads && Instant::now() < patience {
            std::hint::spin_loop();
        }
    });
    Ok(())
}

fn pool(threads: usize) -> Result<Arc<ThreadPool>, BadRequest> {
    let mut shared = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if shared.process != process {
        // A fork copies the pools but not their threads. Such a pool can neither work nor be joined.
        std::mem::forget(std::mem::take(&mut shared.pools));
        shared.process = process;
    }
    if let Some((_, pool)) = shared.pools.iter().find(|(size, _)| *size == threads) {
        return Ok(pool.clone());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sarai-{index}"))
        .build()
        .map_err(|error| BadRequest::new(format!("{threads} threads could not be started: {error}")))?;
    let pool = Arc::new(pool);
    shared.pools.push((threads, pool.clone()));
    Ok(pool)
}
