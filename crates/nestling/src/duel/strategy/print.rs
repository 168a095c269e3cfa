//! Printing strategies: one canonical text for each, which parses back to the same.

use std::fmt::{Display, Formatter, Result};

use super::Strategy;
use crate::expression::print::Arguments;

impl Display for Strategy {
    /// The canonical text: options only where they differ from the default, in a fixed order, `from=` and `before=` last.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(&self.name)?;
        let mut arguments = Arguments::new(formatter);
        let positional = self.form().arguments.iter().zip(&self.values);
        positional.into_iter().try_for_each(|(_, value)| arguments.value(None, value))?;
        arguments.options(self.form(), &self.values)?;
        if self.from != 0 {
            arguments.option("from", self.from)?;
        }
        if let Some(before) = &self.before {
            arguments.option("before", before)?;
        }
        arguments.close()
    }
}
