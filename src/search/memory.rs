//! Large memory with random access: hints to processor and operating system.
//!
//! Searches are limited by memory access. Where a table is larger than the
//! caches, most of the time of a read is address translation; pages of two
//! megabytes halve it. And the program can do other work during a read that was
//! prefetched.

/// Minimum size of a block, in bytes, that is allocated in large pages.
const LARGE_BLOCK: usize = 4 << 20;

/// Returns an empty vector with room for `capacity` items, in large pages if it
/// is large and the system supports them.
fn block<T>(capacity: usize) -> Vec<T> {
    let block = Vec::with_capacity(capacity);
    if capacity * size_of::<T>() >= LARGE_BLOCK {
        prefer_large_pages(&block);
    }
    block
}

/// Makes room for `more` items, growing by at least an eighth. Doubling could
/// exceed a memory limit by far.
#[inline(always)]
pub(super) fn make_room<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        grow(items, more);
    }
}

#[cold]
fn grow<T>(items: &mut Vec<T>, more: usize) {
    items.reserve_exact(more.max(items.len() / 8).max(16));
}

/// Prefetches an item.
#[inline(always)]
#[allow(unsafe_code, unused_variables)]
pub(super) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction exists on every x86-64 processor and has no
    // effect that the program can observe.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prefer_large_pages<T>(block: &Vec<T>) {
    const PAGE: usize = 4096;
    let start = block.as_ptr() as usize;
    let end = start + block.capacity() * size_of::<T>();
    let (first, last) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
    // SAFETY: the range lies within the block. The advice changes no contents;
    // if it is refused, nothing happens.
    unsafe {
        libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_large_pages<T>(_block: &Vec<T>) {}

/// Rows of items that never move. They are stored in blocks, each twice as
/// large as the one before.
#[derive(Debug)]
pub(super) struct Rows<T> {
    width: usize,
    n_rows: usize,
    blocks: Vec<Vec<T>>,
}

/// Number of rows of the first block.
const FIRST_ROWS: usize = 1 << FIRST_BITS;
const FIRST_BITS: u32 = 10;

impl<T: Copy> Rows<T> {
    /// Creates an empty list of rows of `width` items.
    pub fn new(width: usize) -> Self {
        Self { width, n_rows: 0, blocks: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Returns the memory in use.
    pub fn bytes(&self) -> usize {
        self.n_rows * self.width * size_of::<T>()
    }

    // Called for every new state. The attribute makes inlining independent of
    // other code.
    #[inline]
    pub fn push(&mut self, row: &[T]) {
        let (block, _) = self.place(self.n_rows);
        if block == self.blocks.len() {
            self.blocks.push(self::block((FIRST_ROWS << block) * self.width));
        }
        self.blocks[block].extend_from_slice(row);
        self.n_rows += 1;
    }

    /// Appends copies of an item, in rows of one, until there are `n_rows`.
    pub fn extend_to(&mut self, n_rows: usize, item: T) {
        while self.n_rows < n_rows {
            let (block, start) = self.place(self.n_rows);
            if block == self.blocks.len() {
                self.blocks.push(self::block((FIRST_ROWS << block) * self.width));
            }
            let n_new = (n_rows - self.n_rows).min((FIRST_ROWS << block) - start);
            self.blocks[block].resize(start + n_new, item);
            self.n_rows += n_new;
        }
    }

    /// Returns the items before `end` in the block that contains the last of
    /// them, and the index of the first of them.
    pub fn before(&mut self, end: usize) -> (usize, &mut [T]) {
        let (block, last) = self.place(end - 1);
        (end - 1 - last, &mut self.blocks[block][..=last])
    }

    /// Returns the items of a block from a row on; empty after the last row.
    #[inline]
    pub fn rest(&self, row: usize) -> &[T] {
        let (block, start) = self.place(row);
        self.blocks.get(block).map_or(&[], |block| &block[start..])
    }

    #[inline]
    pub fn rest_mut(&mut self, row: usize) -> &mut [T] {
        let (block, start) = self.place(row);
        self.blocks.get_mut(block).map_or(&mut [], |block| &mut block[start..])
    }

    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        let (block, start) = self.place(row);
        &self.blocks[block][start..start + self.width]
    }

    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let (block, start) = self.place(row);
        &mut self.blocks[block][start..start + self.width]
    }

    /// Returns the block of a row and its offset there.
    #[inline]
    fn place(&self, row: usize) -> (usize, usize) {
        let number = row + FIRST_ROWS;
        let bits = usize::BITS - 1 - number.leading_zeros();
        ((bits - FIRST_BITS) as usize, (number - (1 << bits)) * self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_where_they_were_put() {
        for width in 1..4 {
            let mut rows = Rows::new(width);
            let row = |index: usize| (0..width).map(|item| index * 7 + item).collect::<Vec<_>>();
            (0..20_000).for_each(|index| rows.push(&row(index)));
            rows.row_mut(19_999).fill(3);
            assert_eq!(rows.len(), 20_000);
            assert!((0..19_999).all(|index| rows.row(index) == row(index)));
            assert_eq!(rows.row(19_999), vec![3; width]);
        }
    }

    #[test]
    fn room_is_made_by_the_eighth() {
        let mut items: Vec<u8> = vec![0; 8000];
        items.shrink_to_fit();
        make_room(&mut items, 1);
        assert!((8001..=9500).contains(&items.capacity()), "{}", items.capacity());
        let before = items.capacity();
        make_room(&mut items, 1);
        assert_eq!(items.capacity(), before);
        make_room(&mut items, 20_000);
        assert!(items.capacity() >= 28_000);
    }

    #[test]
    fn a_large_block_is_a_block() {
        let mut large = block::<u64>(LARGE_BLOCK / 4);
        large.resize(LARGE_BLOCK / 4, 5);
        prefetch(&large[0]);
        assert!(large.iter().all(|item| *item == 5));
    }
}
