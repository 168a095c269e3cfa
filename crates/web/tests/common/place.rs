//! Where the pages come from: the server, or the folder of static files. What a page does is the same in both.

use nestling_testing::Need;

use super::Serving;
use super::files::Files;

/// Names the folder with the engines (`scripts/engine`): then the tests of the pages use the folder of static files instead of the server.
const ENGINE: &str = "NESTLING_ENGINE";

pub enum Place {
    Server(Serving),
    Folder(Files),
}

impl Place {
    /// The folder if there are engines, otherwise the server.
    pub fn start() -> Self {
        if std::env::var_os(ENGINE).is_some() {
            Place::folder().expect("there are engines")
        } else {
            Place::Server(Serving::start())
        }
    }

    /// The folder; nothing where there is no engine.
    pub fn folder() -> Option<Self> {
        let Some(folder) = std::env::var_os(ENGINE) else {
            nestling_testing::skip(
                Need::Engine,
                "NESTLING_ENGINE does not name the folder of the engines; scripts/wasm builds them",
            );
            return None;
        };
        let engine = |name: &str| {
            let engine = std::fs::read(std::path::Path::new(&folder).join(name)).unwrap();
            assert!(nestling_web::is_engine(&engine), "{name} is of another version");
            engine
        };
        let site = nestling_web::site(engine("nestling.wasm"), Some(engine("others.wasm")), Vec::new(), &[]);
        Some(Place::Folder(Files::serve(site)))
    }

    /// The address of a page, which may end in `#` and something.
    pub fn address(&self, page: &str) -> String {
        let (name, rest) = page.split_at(page.find('#').unwrap_or(page.len()));
        match self {
            Place::Server(serving) => format!("http://{}/{page}", serving.address),
            Place::Folder(files) if name.is_empty() => format!("{}{rest}", files.address),
            Place::Folder(files) => format!("{}{name}.html{rest}", files.address),
        }
    }

    /// The server, in a test that begins with one.
    pub fn server(&self) -> &Serving {
        let Place::Server(serving) = self else { panic!("this test needs the server") };
        serving
    }

    /// As if the network were gone.
    pub fn go_down(&self) {
        if let Place::Folder(files) = self {
            files.go_down();
        }
    }

    /// Nothing was asked for that is not there.
    pub fn is_complete(&self) {
        if let Place::Folder(files) = self {
            assert_eq!(
                *files.missing.lock().unwrap(),
                Vec::<String>::new(),
                "the page asked for what is not in the folder"
            );
        }
    }
}
