//! A folder for a test, which goes when the test is over.

use std::ops::Deref;
use std::path::{Path, PathBuf};

/// An empty folder; removed, with all that is in it, when it is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder; `name` tells it from those of other tests.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trapline-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        Self(path)
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever cleans the machine.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
