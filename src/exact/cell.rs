//! What is known of one position, in two bytes.

/// The value of a position for the side to move, and in how many turns the game ends; while a table is being solved, what
/// is known so far of an open one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell(u16);

const WON: u16 = 0x4000;
const LOST: u16 = 0x8000;
const TURNS: u16 = 0x3fff;
/// Of an open cell: how many quiet moves are not known to lose.
const LEFT: u16 = 0x3f;
/// Of an open cell: there are captures, and all of them lose.
const CAPTURES_LOSE: u16 = 0x40;

/// The most turns that a cell can hold.
pub const MAX_TURNS: u16 = TURNS - 1;
/// In place of the turns: nobody has kept them.
const NOT_KEPT: u16 = TURNS;
/// The most quiet moves that an open cell can count.
pub(super) const MAX_LEFT: u32 = LEFT as u32;

impl Cell {
    /// A position in which neither side can force a win.
    pub const DRAWN: Cell = Cell(0);

    /// A position that is won in so many turns, at most [`MAX_TURNS`].
    ///
    /// ```
    /// use sarai::exact::cell::Cell;
    /// let cell = Cell::won(3);
    /// assert_eq!((cell.value(), cell.turns()), (1, Some(3)));
    /// assert_eq!((Cell::DRAWN.value(), Cell::DRAWN.turns()), (0, None));
    /// ```
    pub const fn won(turns: u16) -> Cell {
        Cell(WON | turns)
    }

    /// A position that is lost in so many turns.
    pub const fn lost(turns: u16) -> Cell {
        Cell(LOST | turns)
    }

    /// What is left of a cell when its turns are forgotten.
    ///
    /// ```
    /// use sarai::exact::cell::Cell;
    /// let cell = Cell::lost(4).without_turns();
    /// assert_eq!((cell.value(), cell.turns()), (-1, None));
    /// assert_eq!(Cell::DRAWN.without_turns(), Cell::DRAWN);
    /// ```
    pub const fn without_turns(self) -> Cell {
        if self.0 & (WON | LOST) == 0 { Cell::DRAWN } else { Cell(self.0 | NOT_KEPT) }
    }

    /// 1 where the side to move wins, -1 where it loses, else 0.
    #[inline]
    pub fn value(self) -> i8 {
        self.is_won() as i8 - self.is_lost() as i8
    }

    /// In how many turns the game ends when both sides play their best; `None` in a draw, and where only values are kept.
    #[inline]
    pub fn turns(self) -> Option<u16> {
        (!self.is_open() && self.distance() != NOT_KEPT).then_some(self.distance())
    }

    /// The cell as a number: 0 for a draw, otherwise the turns, with bit 14 set in a won position and bit 15 in a lost one.
    #[cfg_attr(fast, inline(always))]
    pub fn to_bits(self) -> u16 {
        self.0
    }

    /// The cell that [`Cell::to_bits`] wrote.
    #[cfg_attr(fast, inline(always))]
    pub fn from_bits(bits: u16) -> Cell {
        Cell(bits)
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn is_won(self) -> bool {
        self.0 & WON != 0
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn is_lost(self) -> bool {
        self.0 & LOST != 0
    }

    /// Neither won nor lost, as far as is known.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn is_open(self) -> bool {
        self.0 & (WON | LOST) == 0
    }

    /// The turns of a cell that is not open.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn distance(self) -> u16 {
        self.0 & TURNS
    }

    /// An open cell with so many quiet moves.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn open(left: u32, captures_lose: bool) -> Cell {
        debug_assert!(left <= MAX_LEFT);
        Cell(left as u16 | if captures_lose { CAPTURES_LOSE } else { 0 })
    }

    /// Of an open cell: how many quiet moves are left.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn left(self) -> u32 {
        (self.0 & LEFT) as u32
    }

    /// An open cell with one quiet move less.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn one_less(self) -> Cell {
        Cell(self.0 - 1)
    }

    /// Of an open cell: there are captures, and all of them lose.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn captures_lose(self) -> bool {
        self.0 & CAPTURES_LOSE != 0
    }

    /// What the cell is when nothing more can be found out.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn settled(self) -> Cell {
        if self.is_open() { Cell::DRAWN } else { self }
    }
}
