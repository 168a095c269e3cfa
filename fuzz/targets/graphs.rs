#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| nestling_fuzz::graphs(bytes));
