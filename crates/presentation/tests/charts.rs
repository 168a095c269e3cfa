//! Charts of all sorts of data are documents, and the same ones each time.

use nestling_presentation::chart::{Chart, Histogram, Series};

/// Every element is closed, nothing is left of a number that is none, and everything lies on the page.
fn assert_document(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count(), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let points = svg.split("points=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split([' ', ',']));
    for place in points.filter(|place| !place.is_empty()) {
        let place: f64 = place.parse().unwrap();
        assert!((0.0..=640.0).contains(&place), "{place} lies outside: {svg}");
    }
}

#[test]
fn any_data_gives_a_chart() {
    let hostile = [
        vec![],
        vec![(0.0, 0.0)],
        vec![(1.0, 5.0), (1.0, 5.0)],
        vec![(f64::NAN, 1.0), (2.0, f64::INFINITY), (3.0, 4.0)],
        vec![(-1e9, 1e-9), (1e9, 2e-9)],
        vec![(0.0, -7.25), (0.001, -7.0)],
    ];
    for points in hostile {
        assert_document(&Chart::new("a < b & c\n").with(Series::line("one", points.clone())).svg());
        let chart = Chart::new("steps").axes("x", "y").with(Series::steps("one", points.clone()).until(2e9));
        let chart = chart.with(Series::line("<two>", vec![(0.0, 1.0)]));
        assert_document(&chart.svg());
        assert_eq!(chart.svg(), chart.clone().svg());
        let band = points.iter().map(|&(x, y)| (x, y - 1.0, y + 1.0)).collect();
        let marks = Series::marks("three", points.clone()).band(band);
        assert_document(&chart.with(marks).logarithmic(true, true).svg());
        let values: Vec<f64> = points.iter().map(|point| point.1).collect();
        assert_document(&Histogram::new("values", "score", &values).svg());
    }
}

#[test]
fn text_is_escaped() {
    let svg = Chart::new("a < b & \"c\"").svg();
    assert!(svg.contains("a &lt; b &amp; \"c\""), "{svg}");
}

#[test]
fn every_value_is_in_a_bar() {
    let whole: Vec<f64> = (0..500).map(|index| f64::from(index * index % 83)).collect();
    let parts: Vec<f64> = (0..500).map(|index| f64::from(index).sin() * 17.3).collect();
    for values in [whole, parts] {
        let bars = Histogram::new("", "", &values).bars();
        assert_eq!(bars.iter().map(|bar| bar.1).sum::<u64>(), 500);
        assert!(bars.len() <= 60, "{}", bars.len());
        let width = bars[1].0 - bars[0].0;
        for (begin, count) in bars {
            // Where a border itself is rounded, a value on it may fall to either side.
            let inside = values.iter().filter(|&&value| value >= begin - 1e-9 && value < begin + width - 1e-9).count();
            assert!(inside.abs_diff(count as usize) <= 1, "{begin}: {inside} and {count}");
        }
    }
}

#[test]
fn values_that_no_bars_can_tell_apart_share_one() {
    for values in [[0.6, 0.6000000000000001], [-1e308, 1e308]] {
        let histogram = Histogram::new("values", "score", &values);
        assert_eq!(histogram.bars(), [(values[0], 2)]);
        assert_document(&histogram.svg());
    }
}

/// A golden chart: a change of its looks shows in the diff.
#[test]
fn steps_are_drawn_as_steps() {
    let svg = Chart::new("t").with(Series::steps("s", vec![(0.0, 0.0), (5.0, 10.0)]).until(10.0)).svg();
    assert!(svg.contains("points=\"72,344 346,344 346,44 620,44\""), "{svg}");
}
