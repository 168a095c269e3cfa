//! SVG to PNG.

use nestling_presentation::{PictureError, WIDEST, png};

fn text_in(family: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><text x="2" y="22" font-family="{family}">178 Hyyrö</text></svg>"#
    )
}

fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn every_font_is_the_same_font() {
    let picture = png(&text_in("sans-serif"), 120).unwrap();
    assert_eq!(size(&picture), (120, 60));
    let empty = png(&text_in("sans-serif").replace("178 Hyyrö", ""), 120).unwrap();
    assert_ne!(picture, empty);
    for family in ["Roboto Condensed", "serif", "monospace", "cursive", "DejaVu Sans", "No Such Font"] {
        assert_eq!(png(&text_in(family), 120).unwrap(), picture, "{family}");
    }
}

#[test]
fn sizes_have_bounds() {
    let tall = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="10"/>"#;
    assert_eq!(size(&png(tall, 7).unwrap()), (7, 70));
    assert_eq!(png(tall, 0), Err(PictureError::Size { width: 0, height: 0 }));
    assert_eq!(png(tall, WIDEST), Err(PictureError::Size { width: WIDEST, height: 10 * WIDEST }));
    assert!(matches!(png(tall, u32::MAX), Err(PictureError::Size { .. })));
    let error = png(tall, 1000).unwrap_err().to_string();
    assert_eq!(error, "a picture 1000 pixels wide and 10000 high cannot be made: both must be from 1 to 8192");
}

#[test]
fn what_is_no_svg_is_not_drawn() {
    for text in ["", "(28,28)\n", "<svg", "<html/>"] {
        let error = png(text, 100).unwrap_err();
        assert!(error.to_string().starts_with("this SVG cannot be drawn: "), "{error}");
    }
}
