//! Pictures that carry games, whole and hostile.

use miniz_oxide::deflate::compress_to_vec_zlib;
use nestling_presentation::{
    PictureError, UNPACKED_LIMIT, carry_in_gif, carry_in_png, carry_in_svg, game_in_gif, game_in_png, game_in_svg, gif,
    png,
};
use proptest::prelude::*;

const SVG: &str = r##"<?xml version="1.0"?>
<!-- a picture -->
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4" data-note="a > b"><rect width="4" height="4" fill="#f00"/></svg>
"##;
const GAME: &str = "(28,28)\n(28,24) | +2\n(29,28) \\ -2\n";

fn small_png() -> Vec<u8> {
    png(SVG, 4).unwrap()
}

fn small_gif() -> Vec<u8> {
    gif(&[(SVG.to_owned(), 10), (SVG.replace("#f00", "#0f0"), 20)], 4).unwrap()
}

/// A chunk of a PNG, its checksum right.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let content = [kind, data].concat();
    let (length, sum) = ((data.len() as u32).to_be_bytes(), crc32fast::hash(&content).to_be_bytes());
    [&length[..], &content, &sum].concat()
}

/// A small PNG with a chunk after its header.
fn png_with(extra: &[u8]) -> Vec<u8> {
    let png = small_png();
    [&png[..33], extra, &png[33..]].concat()
}

#[test]
fn what_goes_in_comes_out() {
    for game in [GAME, "", " \n ", "]]>", "-->", "<a>&amp;</a>", "tab\tcr\rcrlf\r\n", "Hyyrö 😀 \u{85}\u{2028}\u{feff}"]
    {
        assert_eq!(game_in_svg(carry_in_svg(SVG, game).as_bytes()), Some(Ok(game.to_owned())));
        assert_eq!(game_in_png(&carry_in_png(&small_png(), game)), Some(Ok(game.to_owned())));
        assert_eq!(game_in_gif(&carry_in_gif(&small_gif(), game)), Some(Ok(game.to_owned())));
    }
    // Longer than a block.
    let game = "(28,28) | +2\n".repeat(100);
    assert_eq!(game_in_gif(&carry_in_gif(&small_gif(), &game)), Some(Ok(game)));
}

/// A GIF plays, with and without a game; every part of one that is cut off is refused or read, and no byte makes the reader panic.
#[test]
fn animations_are_whole() {
    let carrying = carry_in_gif(&small_gif(), GAME);
    for bytes in [&small_gif(), &carrying] {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut frames = options.read_info(&bytes[..]).unwrap();
        let mut seen = Vec::new();
        while let Some(frame) = frames.read_next_frame().unwrap() {
            seen.push((frame.delay, frame.width, frame.buffer[..4].to_vec()));
        }
        assert_eq!(seen, [(10, 4, vec![255, 0, 0, 255]), (20, 4, vec![0, 255, 0, 255])]);
    }
    assert_eq!(game_in_gif(&small_gif()), Some(Err(PictureError::NoGame("GIF"))));
    assert_eq!(game_in_gif(b"PNG"), None);
    for length in 6..carrying.len() {
        let read = game_in_gif(&carrying[..length]).unwrap();
        assert!(read.is_err() || read == Ok(GAME.to_owned()), "{length}: {read:?}");
    }
    for place in 6..carrying.len() {
        for bit in 0..8 {
            let mut bytes = carrying.clone();
            bytes[place] ^= 1 << bit;
            let _ = game_in_gif(&bytes);
        }
    }
}

/// A GIF is as wide and as high as the largest of its pictures, all at one scale.
#[test]
fn smaller_pictures_have_the_scale_of_the_largest() {
    let high = SVG.replace(r#"height="4" data"#, r#"height="12" data"#);
    let large = gif(&[(SVG.to_owned(), 10), (high, 10)], 4).unwrap();
    assert_eq!(large[6..10], [4, 0, 12, 0]);
    assert_eq!(small_gif()[6..10], [4, 0, 4, 0]);
    assert!(matches!(gif(&[], 4), Err(PictureError::Drawing(_))));
}

#[test]
fn forbidden_characters_are_replaced_in_both() {
    let game = "a\0b\x1bc\u{fffe}";
    let carried = Some(Ok("a\u{fffd}b\u{fffd}c\u{fffd}".to_owned()));
    assert_eq!(game_in_svg(carry_in_svg(SVG, game).as_bytes()), carried);
    assert_eq!(game_in_png(&carry_in_png(&small_png(), game)), carried);
}

#[test]
fn a_picture_carries_one_game() {
    let svg = carry_in_svg(&carry_in_svg(SVG, "first"), "second");
    assert_eq!(svg, carry_in_svg(SVG, "second"));
    let png = carry_in_png(&carry_in_png(&small_png(), "first"), "second");
    assert_eq!(png, carry_in_png(&small_png(), "second"));
}

#[test]
fn other_programs_still_read_the_picture() {
    let svg = carry_in_svg(SVG, GAME);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let metadata = document.root_element().first_element_child().unwrap();
    assert_eq!((metadata.tag_name().name(), metadata.text()), ("metadata", Some(GAME)));
    assert_eq!(png(&svg, 4), png(SVG, 4));

    let bytes = carry_in_png(&small_png(), GAME);
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let text = &reader.info().utf8_text[0];
    assert_eq!((text.keyword.as_str(), text.get_text().unwrap().as_str()), ("Nestling game", GAME));
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels[..4], [255, 0, 0, 255]);
}

#[test]
fn a_byte_order_mark_and_an_editor_are_no_obstacle() {
    let svg = carry_in_svg(SVG, GAME);
    assert_eq!(game_in_svg(format!("\u{feff}{svg}").as_bytes()), Some(Ok(GAME.to_owned())));
    let edited =
        r#"<svg:svg xmlns:svg="s"><svg:g/><svg:metadata class="x" id='nestling-game'><![CDATA[1 < 2]]></svg:metadata>"#;
    assert_eq!(game_in_svg(edited.as_bytes()), Some(Ok("1 < 2".to_owned())));
    let after_mark = carry_in_svg(&format!("\u{feff}{SVG}"), GAME);
    assert_eq!(game_in_svg(after_mark.as_bytes()), Some(Ok(GAME.to_owned())));
    assert!(roxmltree::Document::parse(&after_mark).is_ok());
}

#[test]
fn every_kind_of_text_chunk_is_read() {
    let packed = compress_to_vec_zlib(GAME.as_bytes(), 6);
    let read = |kind, start: &[u8], text: &[u8]| {
        game_in_png(&png_with(&chunk(kind, &[b"Nestling game\0", start, text].concat()))).unwrap()
    };
    assert_eq!(read(b"tEXt", b"", GAME.as_bytes()).as_deref(), Ok(GAME));
    assert_eq!(read(b"zTXt", b"\0", &packed).as_deref(), Ok(GAME));
    assert_eq!(read(b"iTXt", b"\x01\0en\0Spiel\0", &packed).as_deref(), Ok(GAME));
    for (kind, start, text) in [
        (b"iTXt", &b""[..], &b""[..]),
        (b"iTXt", b"\0\0en", b""),
        (b"iTXt", b"\x02\0\0\0", b"x"),
        (b"iTXt", b"\0\0\0\0", b"\xff"),
        (b"zTXt", b"", b""),
        (b"zTXt", b"\x01", &packed),
        (b"zTXt", b"\0", &packed[..packed.len() / 2]),
        (b"zTXt", b"\0", b"no such stream"),
    ] {
        let error = read(kind, start, text).unwrap_err();
        assert!(matches!(error, PictureError::Damaged { byte: 33, .. }), "{error}");
    }
}

#[test]
fn bombs_are_refused() {
    let bomb = compress_to_vec_zlib(&vec![b'x'; UNPACKED_LIMIT + 1], 9);
    assert!(bomb.len() < 20_000);
    let bytes = png_with(&chunk(b"zTXt", &[b"Nestling game\0\0", &bomb[..]].concat()));
    let error = game_in_png(&bytes).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the game in this PNG unpacks to more than 4 MiB; too large for a game");
    let large = compress_to_vec_zlib(&vec![b'x'; UNPACKED_LIMIT], 9);
    let bytes = png_with(&chunk(b"zTXt", &[b"Nestling game\0\0", &large[..]].concat()));
    assert_eq!(game_in_png(&bytes).unwrap().unwrap().len(), UNPACKED_LIMIT);

    let entities = r#"<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><svg><metadata id="nestling-game">&b;</metadata></svg>"#;
    let error = game_in_svg(entities.as_bytes()).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "this SVG is damaged at byte 91: its game contains an unknown entity");
}

#[test]
fn large_and_deep_documents_take_no_longer_than_they_are_long() {
    let deep = "<svg>".repeat(200_000);
    assert_eq!(game_in_svg(deep.as_bytes()), Some(Err(PictureError::CutOff { format: "SVG", byte: deep.len() })));
    let attributes: String = (0..200_000).map(|index| format!(" a{index}=\"\" xmlns:n{index}=\"\"")).collect();
    let wide = format!("<svg{attributes}><metadata{attributes}/><metadata{attributes}></metadata></svg>");
    assert_eq!(game_in_svg(wide.as_bytes()), Some(Err(PictureError::NoGame("SVG"))));
}

#[test]
fn cut_off_anywhere() {
    let png = carry_in_png(&small_png(), GAME);
    let svg = carry_in_svg(SVG, GAME);
    for length in 0..=png.len() {
        match game_in_png(&png[..length]) {
            None => assert!(length < 8),
            Some(Ok(game)) => assert_eq!(game, GAME),
            Some(Err(error)) => assert_eq!(error, PictureError::CutOff { format: "PNG", byte: length }),
        }
    }
    for length in 0..=svg.len() {
        match game_in_svg(&svg.as_bytes()[..length]) {
            None => assert!(!svg[..length].contains("<rect") && length <= svg.find("<metadata").unwrap(), "{length}"),
            Some(Ok(game)) => assert_eq!(game, GAME),
            Some(Err(error)) => assert_eq!(error, PictureError::CutOff { format: "SVG", byte: length }),
        }
    }
    assert_eq!(game_in_png(&small_png()), Some(Err(PictureError::NoGame("PNG"))));
    assert_eq!(game_in_svg(SVG.as_bytes()), Some(Err(PictureError::NoGame("SVG"))));
    assert_eq!(game_in_svg(b"<svg/>"), Some(Err(PictureError::NoGame("SVG"))));
}

#[test]
fn damage_is_named() {
    let png = carry_in_png(&small_png(), GAME);
    let mut flipped = png.clone();
    flipped[33 + 8 + 25] ^= 1;
    let error = game_in_png(&flipped).unwrap().unwrap_err().to_string();
    assert!(error.starts_with("the game in this PNG is damaged: its checksum should be "), "{error}");
    let mut lying = png.clone();
    lying[33] = 0xff;
    let error = game_in_png(&lying).unwrap().unwrap_err().to_string();
    assert!(error.starts_with("this PNG is damaged at byte 33: a chunk claims a length of 42"), "{error}");
    let mut lying = png;
    lying[33] = 0x7f;
    assert!(matches!(game_in_png(&lying), Some(Err(PictureError::CutOff { .. }))));

    let error = game_in_svg(b"<svg><g></svg>").unwrap().unwrap_err().to_string();
    assert!(error.starts_with("this SVG is damaged at byte 8: "), "{error}");
    let error = game_in_svg(b"<svg><g>\xff</g></svg>").unwrap().unwrap_err().to_string();
    assert_eq!(error, "this SVG is damaged at byte 8: it is not text in UTF-8");
}

#[test]
fn other_files_are_not_ours_to_judge() {
    for bytes in [&b""[..], b"GIF89a", b"(28,28)\n", b"<html><svg></svg></html>", b"\x89PNG", b"</svg>", b"\xff\xfe<"] {
        assert_eq!(game_in_png(bytes), None);
        assert_eq!(game_in_svg(bytes), None);
    }
    assert_eq!(game_in_svg(&small_png()), None);
    assert_eq!(game_in_png(SVG.as_bytes()), None);
}

proptest! {
    #[test]
    fn any_text_makes_the_round_trip(game: String) {
        let carried: String = game.chars().map(|character| match character {
            '\t' | '\n' | '\r' => character,
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            _ => character,
        }).collect();
        prop_assert_eq!(game_in_svg(carry_in_svg(SVG, &game).as_bytes()), Some(Ok(carried.clone())));
        prop_assert_eq!(game_in_png(&carry_in_png(&small_png(), &game)), Some(Ok(carried)));
    }

    #[test]
    fn any_bytes_are_survived(bytes: Vec<u8>) {
        let _ = game_in_png(&[b"\x89PNG\r\n\x1a\n", &bytes[..]].concat());
        let _ = game_in_svg(&[b"<svg><metadata id=\"nestling-game\">", &bytes[..]].concat());
        let _ = (game_in_png(&bytes), game_in_svg(&bytes));
    }

    #[test]
    fn any_changed_byte_is_survived(place: prop::sample::Index, value: u8) {
        let mut png = carry_in_png(&small_png(), GAME);
        let at = place.index(png.len());
        png[at] = value;
        if let Some(Ok(game)) = game_in_png(&png) {
            prop_assert_eq!(game, GAME);
        }
        let mut svg = carry_in_svg(SVG, GAME).into_bytes();
        let at = place.index(svg.len());
        svg[at] = value;
        let _ = game_in_svg(&svg);
    }
}
