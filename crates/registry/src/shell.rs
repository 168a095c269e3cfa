//! Commands that people can copy.

/// A word as a shell takes it.
///
/// ```
/// use nestling_registry::shell_word;
/// assert_eq!(shell_word("morpion-5d"), "morpion-5d");
/// assert_eq!(shell_word("repeat(nrpa(2))"), "'repeat(nrpa(2))'");
/// ```
pub fn shell_word(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:@=,".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
