//! Games as SVG: well-formed, complete, legible, modest.

use crate::common;

use crate::common::data;
use nestling::Stream;
use nestling_morpion::{Cell, Direction, Line, Move, Variant, notation::pentasol, svg};
use nestling_presentation::{Picture, Theme};
use roxmltree::{Document, Node};

const RECORDS: [&str; 2] = ["morpion/5T-178-rosin.psol", "morpion/5D-82-rosin.psol"];

fn number(node: Node<'_, '_>, attribute: &str) -> f64 {
    let value = node.attribute(attribute).unwrap_or_else(|| panic!("{node:?} has no {attribute}"));
    value.trim_end_matches("mm").parse().unwrap_or_else(|_| panic!("{attribute} is {value}"))
}

/// A box: left, top, right, bottom.
type Area = [f64; 4];

/// The area of a text in our font: digits are half as wide as the letters' size, capitals 0.711 of it high. Other texts
/// are taken as wider than they are.
fn text_area(text: Node<'_, '_>) -> Area {
    let holder = text.ancestors().find(|node| node.has_attribute("font-size")).unwrap();
    let size = number(holder, "font-size");
    let (x, y) = (number(text, "x"), number(text, "y"));
    let width = 0.5 * size * text.text().unwrap().chars().count() as f64;
    let anchor = text.ancestors().find_map(|node| node.attribute("text-anchor")).unwrap_or("start");
    let left = match anchor {
        "start" => x,
        "middle" => x - width / 2.0,
        _ => x - width,
    };
    [left, y - 0.711 * size, left + width, y]
}

/// The ends of a line, from `M10 20h30`, `v` or `l`.
fn line_area(path: Node<'_, '_>) -> Area {
    let (from, step) = path.attribute("d").unwrap()[1..].split_once(['h', 'v', 'l']).unwrap();
    let pair = |text: &str| text.split_once(' ').map(|(x, y)| (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap()));
    let (x, y) = pair(from).unwrap();
    let (dx, dy) = pair(step).unwrap_or_else(|| {
        let length = step.parse().unwrap();
        if path.attribute("d").unwrap().contains('h') { (length, 0.0) } else { (0.0, length) }
    });
    [x, y.min(y + dy), x + dx, y.max(y + dy)]
}

fn circle_area(circle: Node<'_, '_>) -> Area {
    let (x, y, reach) = (number(circle, "cx"), number(circle, "cy"), number(circle, "r") + 1.5);
    [x - reach, y - reach, x + reach, y + reach]
}

fn inside(inner: Area, outer: Area) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

fn apart(one: Area, other: Area) -> bool {
    one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1]
}

/// Checks a picture: everything inside, a number for each move within its own dot, dots above lines, numbers apart.
fn check(picture: &str, moves: usize) {
    let document = Document::parse(picture).unwrap_or_else(|error| panic!("{error}\n{picture}"));
    let root = document.root_element();
    let view: Vec<f64> = root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    let view = [view[0], view[1], view[0] + view[2], view[1] + view[3]];
    let named = |name: &'static str| root.descendants().filter(move |node| node.has_tag_name((SPACE, name)));
    let dots: Vec<Node<'_, '_>> = named("circle").filter(|circle| circle.attribute("r") == Some("14")).collect();
    let lines: Vec<Node<'_, '_>> = named("path").skip(1).collect();
    let is_number =
        |node: &Node<'_, '_>| node.text().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let numbers: Vec<Node<'_, '_>> = named("text").filter(is_number).collect();
    assert_eq!((dots.len(), lines.len(), numbers.len()), (moves, moves, moves));

    for (index, (text, dot)) in numbers.iter().zip(&dots).enumerate() {
        assert_eq!(text.text(), Some(&*(index + 1).to_string()));
        let area = text_area(*text);
        for (x, y) in [(area[0], area[1]), (area[2], area[3])] {
            let distance = (x - number(*dot, "cx")).hypot(y - number(*dot, "cy"));
            assert!(distance < number(*dot, "r") - 0.5, "{index}: {distance}");
        }
        assert!(numbers[..index].iter().all(|other| apart(text_area(*other), area)), "{}", index + 1);
    }
    if let (Some(line), Some(dot), Some(text)) = (lines.last(), dots.first(), numbers.first()) {
        assert!(line < dot && dots[moves - 1] < *text);
    }
    let areas =
        named("circle").map(circle_area).chain(lines.into_iter().map(line_area)).chain(named("text").map(text_area));
    for area in areas {
        assert!(inside(area, view), "{area:?} is not inside {view:?}");
    }
}

const SPACE: &str = "http://www.w3.org/2000/svg";

fn every_option(caption: &str, up_to: usize) -> impl Iterator<Item = Picture> {
    Theme::ALL.into_iter().flat_map(move |theme| {
        let plain = Picture { theme, caption: Some(caption.to_owned()), ..Picture::default() };
        let part = Picture { up_to: Some(up_to), ..plain.clone() };
        let animated = Picture { animated: true, ..plain.clone() };
        [plain, part, animated]
    })
}

#[test]
fn record_games_are_legible_and_modest() {
    for path in RECORDS {
        let Some(bytes) = data(path) else { return };
        let game = pentasol::read(&bytes).unwrap();
        for options in every_option("Christopher D. Rosin, found by nested rollout policy adaptation", 60) {
            let picture = svg(game.variant, &game.moves, &options);
            check(&picture, options.up_to.unwrap_or(game.moves.len()));
            assert!(picture.len() < if options.animated { 150_000 } else { 60_000 }, "{}", picture.len());
            assert_eq!(picture, svg(game.variant, &game.moves, &options));
        }
    }
}

#[test]
fn random_games_of_all_variants_and_lengths() {
    for variant in Variant::ALL {
        for seed in 0..10 {
            let moves = common::random_game(variant, Stream::new(seed));
            for length in [0, 1, 2, moves.len()] {
                for options in every_option("", 1) {
                    let picture = svg(variant, &moves[..length], &options);
                    check(&picture, options.up_to.unwrap_or(length).min(length));
                }
            }
        }
    }
}

#[test]
fn a_small_picture_to_the_letter() {
    let game = pentasol::read("# variant: 4D\n(28,28)\n(26,27) | +1\n").unwrap();
    let options = Picture { caption: Some("One & only".to_owned()), ..Picture::default() };
    let picture = svg(game.variant, &game.moves, &options);
    let expected = include_str!("pictures/one-move.svg");
    assert_eq!(picture, expected, "if this is meant, it is the new tests/pictures/one-move.svg");
}

#[test]
fn frames_do_not_jump() {
    let moves = common::random_game(Variant::FiveD, Stream::new(3));
    let view = |up_to| {
        let picture = svg(Variant::FiveD, &moves, &Picture { up_to, ..Picture::default() });
        let document = Document::parse(&picture).unwrap();
        let title = document.descendants().find(|node| node.has_tag_name((SPACE, "title"))).unwrap();
        (document.root_element().attribute("viewBox").unwrap().to_owned(), title.text().unwrap().to_owned())
    };
    let (whole, title) = view(None);
    assert_eq!(title, format!("Morpion Solitaire 5D, {} moves", moves.len()));
    for (up_to, shown) in [(0, 0), (7, 7), (1000, moves.len())] {
        assert_eq!(
            view(Some(up_to)),
            (whole.clone(), format!("Morpion Solitaire 5D, {shown} of {} moves", moves.len()))
        );
    }
}

#[test]
fn the_last_of_some_moves_stands_out() {
    let moves = common::random_game(Variant::FiveT, Stream::new(3));
    for (theme, colour) in [(Theme::Light, "#d9480f"), (Theme::Dark, "#ffb454"), (Theme::Print, "r=\"18\"")] {
        let drawn = |up_to| svg(Variant::FiveT, &moves, &Picture { theme, up_to, ..Picture::default() });
        assert!(!drawn(None).contains(colour) && !drawn(Some(0)).contains(colour));
        assert!(drawn(Some(5)).contains(colour));
    }
}

#[test]
fn captions_of_all_kinds() {
    let long = "x".repeat(500);
    for caption in ["<b>&\"'", "]]> -->", "a\0b\x1b\u{ffff}", "two\nlines", "日本語の棋譜", &long, "\n\n", "\t"] {
        for theme in Theme::ALL {
            let options = Picture { theme, caption: Some(caption.to_owned()), ..Picture::default() };
            check(&svg(Variant::FiveT, &[], &options), 0);
        }
    }
}

#[test]
fn animation_is_a_whole_picture_for_those_who_do_not_animate() {
    let moves = common::random_game(Variant::FourT, Stream::new(1));
    for theme in Theme::ALL {
        let still = Picture { theme, ..Picture::default() };
        let playing = Picture { animated: true, ..still.clone() };
        let [still, playing] = [still, playing].map(|options| svg(Variant::FourT, &moves, &options));
        assert!(!still.contains("animation") && !playing.contains("<script") && !playing.contains("<animate"));
        assert!(playing.contains("prefers-reduced-motion:no-preference"));
        assert_eq!(
            nestling_presentation::png(&still, 300).unwrap(),
            nestling_presentation::png(&playing, 300).unwrap()
        );
    }
    let nothing = svg(Variant::FourT, &[], &Picture { animated: true, ..Picture::default() });
    assert!(!nothing.contains("animation"));
}

#[test]
fn print_fits_on_a_sheet() {
    for variant in Variant::ALL {
        for seed in 0..10 {
            let moves = common::random_game(variant, Stream::new(seed));
            let picture = svg(variant, &moves, &Picture { theme: Theme::Print, ..Picture::default() });
            let document = Document::parse(&picture).unwrap();
            let (width, height) = (number(document.root_element(), "width"), number(document.root_element(), "height"));
            assert!(width <= 180.0 && height <= 257.0 && (width == 180.0 || height == 257.0), "{width} × {height}");
        }
    }
}

#[test]
fn moves_from_nowhere_do_not_make_the_picture_explode() {
    let line = |x, y| Line { start: Cell { x, y }, direction: Direction::Rising };
    let far = [line(i16::MAX, i16::MIN), line(i16::MAX - 2, 3), line(299, 3)].map(|line| Move { line, hole: 4 });
    check(&svg(Variant::FiveT, &far, &Picture::default()), 0);
    for (hole, drawn) in [(4, 1), (9, 1), (200, 0)] {
        check(&svg(Variant::FiveT, &[Move { line: line(280, 3), hole }], &Picture::default()), drawn);
    }
}
