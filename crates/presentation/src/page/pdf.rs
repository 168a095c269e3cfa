//! Pages as PDF, in Helvetica, which every reader has.

use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::{Anchor, HEIGHT, Page, Shape, WIDTH};

const FONT: Name<'static> = Name(b"F1");

/// Pages as a PDF file with a title. The same pages give the same bytes.
pub fn pdf(pages: &[Page], title: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let [catalogue, tree, font, info] = [1, 2, 3, 4].map(Ref::new);
    let page_of = |number: usize| Ref::new(5 + 2 * number as i32);
    pdf.catalog(catalogue).pages(tree);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("Nestling"));
    pdf.pages(tree).kids((0..pages.len()).map(page_of)).count(pages.len() as i32);
    pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    for (number, page) in pages.iter().enumerate() {
        let (id, contents) = (page_of(number), Ref::new(page_of(number).get() + 1));
        let mut written = pdf.page(id);
        written.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(tree).contents(contents);
        written.resources().fonts().pair(FONT, font);
        written.finish();
        pdf.stream(contents, &drawn(page));
    }
    pdf.finish()
}

/// The drawing of a page. PDF measures heights from below.
fn drawn(page: &Page) -> Vec<u8> {
    let mut content = Content::new();
    content.set_line_cap(LineCapStyle::ProjectingSquareCap);
    for shape in &page.shapes {
        match shape {
            Shape::Rectangle { corner: (x, y), size: (width, height), grey } => {
                content.set_fill_gray(*grey).rect(*x, HEIGHT - y - height, *width, *height).fill_nonzero();
            }
            Shape::Line { from: (x, y), to: (x2, y2), width, grey } => {
                content.set_stroke_gray(*grey).set_line_width(*width);
                content.move_to(*x, HEIGHT - y).line_to(*x2, HEIGHT - y2).stroke();
            }
            Shape::Text { at: (x, y), size, anchor, grey, words } => {
                let bytes: Vec<u8> = words.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect();
                let width: f32 = bytes.iter().map(|&byte| width(byte)).sum::<f32>() * size;
                let left = x - match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => width / 2.0,
                    Anchor::End => width,
                };
                content.begin_text().set_fill_gray(*grey).set_font(FONT, *size);
                content.next_line(left, HEIGHT - y).show(Str(&bytes)).end_text();
            }
        }
    }
    content.finish().to_vec()
}

/// The width of a character of Helvetica, as a part of its size. Of letters only those that are values have their own.
fn width(byte: u8) -> f32 {
    match byte {
        b' ' | b'.' | b',' | b':' => 0.278,
        b'A' | b'B' | b'E' => 0.667,
        b'C' | b'D' => 0.722,
        b'F' => 0.611,
        b'G' => 0.778,
        _ => 0.556,
    }
}
