//! Kept rows → the formats that corpus tools load. Selects nothing: it writes what it is given.

pub mod registry;

pub mod vertical;
