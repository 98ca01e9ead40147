//! Enums whose values have names: those of columns.

/// Defines an enum and the names of its values: `ALL`, `name` and `by_name`. The attributes are those of the enum.
macro_rules! named {
    ($(#[$about:meta])* pub enum $type:ident { $($(#[$what:meta])* $value:ident $name:literal)* }) => {
        $(#[$about])*
        pub enum $type {
            $($(#[$what])* $value,)*
        }

        impl $type {
            /// All values, each at its index: the variants have no numbers of their own.
            pub(crate) const ALL: &[$type] = &[$($type::$value),*];

            /// The names of all values, in the same order.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// The name in the column.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)*
                }
            }

            /// The value with a name in the column; None for a name that no value has.
            pub fn by_name(name: &str) -> Option<$type> {
                let place = $type::NAMES.iter().position(|known| *known == name)?;
                $type::ALL.get(place).copied()
            }
        }
    };
}
pub(crate) use named;

#[cfg(test)]
mod tests {
    named! {
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Colour {
            Red "red"
            DarkGreen "dark-green"
        }
    }

    #[test]
    fn names_come_back() {
        for (index, colour) in Colour::ALL.iter().copied().enumerate() {
            assert_eq!((Colour::by_name(colour.name()), colour as usize), (Some(colour), index));
        }
        assert_eq!((Colour::DarkGreen.name(), Colour::by_name("blue")), ("dark-green", None));
    }
}
