//! Types and functions that every module may use; none of them is specific to
//! verification.

pub mod bits;
pub mod cancel;
pub mod control;
pub mod random;

/// Defines a 32-bit id type, so that ids of different kinds cannot be confused.
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id of position `index` of a vector.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an id fits 32 bits"))
            }

            /// Returns the position in a vector indexed by this id.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
