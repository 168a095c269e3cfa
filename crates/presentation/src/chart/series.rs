//! The series of a chart.

/// Points and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    points: Vec<(f64, f64)>,
    shape: Shape,
    until: Option<f64>,
    /// For some places across, from where to where the truth may lie.
    pub(crate) band: Vec<(f64, f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Line,
    Steps,
    Marks,
}

impl Series {
    /// Points joined by straight lines. Those that are not finite are left out.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        let finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
        let points = points.into_iter().filter(finite).collect();
        Series { name: name.to_owned(), points, shape: Shape::Line, until: None, band: Vec::new() }
    }

    /// Points that hold until the next: a score that only ever improves.
    pub fn steps(name: &str, points: Vec<(f64, f64)>) -> Self {
        Series { shape: Shape::Steps, ..Series::line(name, points) }
    }

    /// Points that are not joined.
    pub fn marks(name: &str, points: Vec<(f64, f64)>) -> Self {
        Series { shape: Shape::Marks, ..Series::line(name, points) }
    }

    /// The outline of a histogram: bars of the same width side by side, the first beginning at `first`.
    ///
    /// ```
    /// use nestling_presentation::chart::{Chart, Series};
    /// let shares = Series::outline("level 1", 59.5, 1.0, &[0.25, 0.5, 0.25]);
    /// assert!(Chart::new("scores").with(shares).svg().contains("<polyline"));
    /// ```
    pub fn outline(name: &str, first: f64, width: f64, heights: &[f64]) -> Self {
        let mut points = vec![(first, 0.0)];
        for (index, &height) in heights.iter().enumerate() {
            points.push((first + index as f64 * width, height));
            points.push((first + (index + 1) as f64 * width, height));
        }
        points.push((first + heights.len() as f64 * width, 0.0));
        Series::line(name, points)
    }

    /// The last point holds until here.
    #[must_use]
    pub fn until(mut self, x: f64) -> Self {
        self.until = Some(x).filter(|x| x.is_finite());
        self
    }

    /// A band around the curve: at each place across, from where to where.
    #[must_use]
    pub fn band(mut self, band: Vec<(f64, f64, f64)>) -> Self {
        self.band =
            band.into_iter().filter(|(x, low, high)| [x, low, high].into_iter().all(|n| n.is_finite())).collect();
        self
    }

    pub(crate) fn is_joined(&self) -> bool {
        self.shape != Shape::Marks
    }

    /// The corners of the curve.
    pub(crate) fn corners(&self) -> Vec<(f64, f64)> {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for &(x, y) in &self.points {
            if let Some(&(_, before)) = corners.last().filter(|_| self.shape == Shape::Steps) {
                corners.push((x, before));
            }
            corners.push((x, y));
        }
        if let (Some(until), Some(&(x, y))) = (self.until, corners.last())
            && until > x
        {
            corners.push((until, y));
        }
        corners
    }
}
