//! Text that people give, fit for a picture.

/// The size of the letters.
pub(super) const SIZE: i32 = 18;

/// The distance between two lines.
pub(super) const LEADING: i32 = 24;

/// The text in lines that are no wider than the width: broken where it is broken, between words, and inside words that are
/// too long for a line.
pub(super) fn lines(text: &str, width: i32) -> Vec<String> {
    text.trim().lines().flat_map(|row| broken(row, f64::from(width))).collect()
}

fn broken(row: &str, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in row.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        let gap = if line.is_empty() { "" } else { " " };
        if line.is_empty() || length(line) + length(gap) + length(word) <= width {
            *line += gap;
        } else {
            lines.push(String::new());
        }
        for character in word.chars() {
            let line = lines.last_mut().expect("never empty");
            if !line.is_empty() && length(line) + length(character.encode_utf8(&mut [0; 4])) > width {
                lines.push(String::new());
            }
            lines.last_mut().expect("never empty").push(character);
        }
    }
    lines
}

/// About how wide a text is; rather too much than too little, since it may be another font that shows it.
fn length(text: &str) -> f64 {
    let wide = |character: char| match character {
        ' ' | '.' | ',' | 'f' | 'i' | 'j' | 'l' | 't' => 0.3,
        'a'..='z' | '0'..='9' => 0.55,
        '\0'..='\u{52f}' => 0.7,
        _ => 1.0,
    };
    text.chars().map(wide).sum::<f64>() * f64::from(SIZE)
}
