//! Names of problems: what stands behind the colon.

use nestling_registry::Registry;

#[test]
fn depths_are_checked() {
    let registry = Registry::standard();
    for right in ["left-move", "left-move:7", "leftmost-path:1000000"] {
        assert!(registry.open(right).is_ok(), "{right}");
    }
    for wrong in ["0", "-3", "1000001", "99999999999", "seven", "6 0", "6.5"] {
        let refused = registry.open(&format!("left-move:{wrong}")).err().expect("it is refused").to_string();
        assert!(refused.contains("from 1 to 1000000"), "{wrong}: {refused}");
    }
}
