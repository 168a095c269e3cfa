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

#[test]
fn sizes_of_open_problems_are_checked() {
    let (registry, sealed) = (Registry::standard(), Registry::standard().without_files());
    for right in [
        "snake",
        "snake:13",
        "coil:2",
        "weak-schur:10",
        "cap-set:1",
        "sidon-set:10000",
        "golomb-ruler:2",
        "no-three-in-line:200",
    ] {
        assert!(registry.open(right).is_ok(), "{right}");
    }
    for (wrong, words) in [
        ("snake:14", "\"14\" is not a dimension; give a whole number from 1 to 13"),
        ("coil:1", "from 2 to 13"),
        ("weak-schur:-1", "\"-1\" is not a number of sets; give a whole number from 1 to 10"),
        ("cap-set:99999999999", "from 1 to 10"),
        ("sidon-set:0", "from 1 to 10000"),
        ("golomb-ruler:x\u{7}", "\"x\\u{7}\" is not a number of marks; give a whole number from 2 to 100"),
        ("no-three-in-line:201", "from 1 to 200"),
    ] {
        let refused = registry.open(wrong).err().expect("it is refused").to_string();
        assert!(refused.contains(words), "{wrong}: {refused}");
        // Where names must not lead to files, the reason is the same: these problems read none.
        let refused = sealed.open(wrong).err().expect("it is refused").to_string();
        assert!(refused.contains(words), "{wrong}: {refused}");
    }
}

/// The names that the public graphs have as files are not those of the families.
#[test]
fn graphs_in_files_are_looked_for() {
    let refused = Registry::standard().open("colouring:queen8_8.col").err().expect("there is no such file").to_string();
    assert!(refused.contains("queen8_8.col: no such file"), "{refused}");
}
