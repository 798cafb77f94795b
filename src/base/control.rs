//! How a long piece of work is watched and stopped by whoever waits for it, without a thread of its own.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::base::Error;

/// How often the thread that waits looks up from its work.
const GLANCE: Duration = Duration::from_millis(100);

/// Reading the clock costs as much as a few decisions: it is read every so many checks.
const CHECKS_A_LOOK: u32 = 8;

/// Shared between the threads that play and the one that waits for them.
#[derive(Debug, Default)]
pub struct Control {
    /// Set from outside or by a look: stop soon.
    pub cancel: AtomicBool,
    /// Rows finished: games of a rollout, series of a run of series.
    pub done: AtomicU64,
    /// When the work is to stop by itself.
    deadline: Option<Instant>,
}

/// What a thread does from time to time while it works.
struct Look {
    due: Instant,
    checks: u32,
    look: Box<dyn FnMut(&Control) -> bool>,
}

thread_local! {
    static LOOK: RefCell<Option<Look>> = const { RefCell::new(None) };
}

impl Control {
    /// Stops the work after so long, if at all.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sarai::base::control::Control;
    /// assert!(Control::until(Some(Duration::ZERO)).is_cancelled());
    /// assert!(!Control::until(None).is_cancelled());
    /// ```
    pub fn until(time: Option<Duration>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Control { deadline, ..Control::default() }
    }

    /// Whether somebody has stopped it, without a look.
    pub fn is_called_off(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether the work is to stop. On a thread that [`watching`] has set up, this also takes its look when one is due.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.is_late() || self.look(CHECKS_A_LOOK)
    }

    /// Fails where the work is to stop.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// The same for a thread that only waits: its look is taken as soon as it is due.
    #[cfg(feature = "threads")]
    pub(crate) fn wait_is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.look(1)
    }

    #[inline]
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    #[inline]
    fn look(&self, checks_a_look: u32) -> bool {
        let due = LOOK.with(|watch| {
            let mut watch = watch.borrow_mut();
            let look = watch.as_mut()?;
            look.checks += 1;
            if look.checks < checks_a_look {
                return None;
            }
            look.checks = 0;
            let now = Instant::now();
            if now < look.due {
                return None;
            }
            // Taken out while it looks: a look may well begin work that is watched itself.
            watch.take()
        });
        let Some(mut look) = due else { return false };
        let stop = (look.look)(self);
        look.due = Instant::now() + GLANCE;
        LOOK.with(|watch| *watch.borrow_mut() = Some(look));
        if stop {
            self.cancel.store(true, Ordering::Relaxed);
        }
        stop
    }
}

/// Does `work` on this thread, which takes a `look` about ten times a second, whenever the work asks whether it is
/// to stop. A look that returns true stops the work.
///
/// ```
/// use sarai::base::control::{Control, watching};
/// let control = Control::default();
/// let mut rounds = 0;
/// watching(|_| true, || {
///     while !control.is_cancelled() {
///         rounds += 1;
///     }
/// });
/// assert!(rounds > 0);
/// // Without anybody who looks, nothing stops by itself.
/// assert!(!Control::default().is_cancelled());
/// ```
pub fn watching<T>(look: impl FnMut(&Control) -> bool + 'static, work: impl FnOnce() -> T) -> T {
    /// Puts back what was there, in a panic too.
    struct Restore(Option<Look>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let ours = LOOK.with(|watch| std::mem::replace(&mut *watch.borrow_mut(), self.0.take()));
            drop(ours);
        }
    }
    let look = Look { due: Instant::now() + GLANCE, checks: 0, look: Box::new(look) };
    let _restore = Restore(LOOK.with(|watch| watch.borrow_mut().replace(look)));
    work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    fn until_cancelled(control: &Control) -> u64 {
        let mut rounds = 0;
        while !control.is_cancelled() {
            rounds += 1;
        }
        rounds
    }

    #[test]
    fn a_look_may_begin_work_that_is_watched_itself() {
        let looks = Rc::new(Cell::new(0));
        let outer = Control::default();
        let count = Rc::clone(&looks);
        let look = move |_: &Control| {
            let inner = Control::default();
            watching(|_| true, || until_cancelled(&inner));
            count.set(count.get() + 1);
            count.get() == 2
        };
        watching(look, || until_cancelled(&outer));
        assert_eq!(looks.get(), 2, "the outer look went on after the inner work");
        // Nobody looks any more.
        assert!(!(0..100 * CHECKS_A_LOOK).any(|_| Control::default().is_cancelled()));
    }

    #[test]
    fn a_panic_ends_the_watch() {
        let looked = Rc::new(Cell::new(false));
        let seen = Rc::clone(&looked);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let look = move |_: &Control| {
                seen.set(true);
                true
            };
            watching(look, || panic!("as it should"))
        }));
        assert!(caught.is_err());
        let later = Instant::now() + 2 * GLANCE;
        let control = Control::default();
        while Instant::now() < later {
            assert!(!control.is_cancelled());
        }
        assert!(!looked.get());
    }
}
