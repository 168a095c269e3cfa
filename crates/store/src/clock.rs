//! Moments of the wall clock. They are shown to people and decide nothing: a clock can be set back.

use std::fmt;
use std::time::{Duration, SystemTime};

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub(crate) i64);

impl Moment {
    /// The last second of the year 9999: later moments have no usual notation.
    pub(crate) const LAST: Moment = Moment(253_402_300_799_000);

    /// This one.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The system's time.
    pub fn time(self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(self.0.clamp(0, Moment::LAST.0).unsigned_abs())
    }

    /// How long ago it was; nothing where the clock has been set back since.
    pub fn age(self) -> Duration {
        Duration::from_millis(u64::try_from(Moment::now().0.saturating_sub(self.0)).unwrap_or(0))
    }
}

/// As programs write it: `2026-06-14T10:30:00Z`.
impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_rfc3339_seconds(self.time()).fmt(formatter)
    }
}
