//! A database and its log, page by page, whatever is wrong with them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::cell::{OVERFLOW, PAGE, PageCell};
use crate::files::if_there;

/// The head of the log, and of each page in it.
const LOG_HEAD: u64 = 32;
const FRAME_HEAD: u64 = 24;

/// A place where a page lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PagePlace {
    /// A page of the database, from 1.
    Database(u32),
    /// A page of the log, from 0.
    Log(usize),
}

/// A page of the log.
struct LogFrame {
    /// Which page it is.
    page: u32,
    /// The log is begun again from time to time; all that was written in between has these numbers.
    salts: [u8; 8],
    /// The last frame of its transaction.
    last: usize,
}

/// A database and its log.
pub(super) struct Image {
    database: Option<File>,
    pages: u32,
    log: Option<File>,
    frames: Vec<LogFrame>,
    /// The frames of each page, in order.
    versions: HashMap<u32, Vec<usize>>,
    /// The salts of the frames that belong to the database as it is now.
    current: Option<[u8; 8]>,
}

impl Image {
    /// Opens what there is of the two files.
    pub fn open(database: &Path, log: &Path) -> io::Result<Self> {
        let database = if_there(File::open(database))?;
        let size = database.as_ref().map_or(Ok(0), |file| file.metadata().map(|metadata| metadata.len()))?;
        let log = if_there(File::open(log))?;
        let (frames, current) = log.as_ref().map_or_else(|| Ok((Vec::new(), None)), read_log)?;
        let mut versions: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, frame) in frames.iter().enumerate() {
            versions.entry(frame.page).or_default().push(index);
        }
        let pages = u32::try_from(size.div_ceil(PAGE as u64)).unwrap_or(u32::MAX);
        Ok(Image { database, pages, log, frames, versions, current })
    }

    pub fn is_empty(&self) -> bool {
        self.pages == 0 && self.frames.is_empty()
    }

    /// Every page there is, older versions included.
    pub fn places(&self) -> impl Iterator<Item = PagePlace> + '_ {
        (1..=self.pages).map(PagePlace::Database).chain((0..self.frames.len()).map(PagePlace::Log))
    }

    /// The newest version of every page, with its number.
    pub fn newest(&self) -> impl Iterator<Item = (u32, PagePlace)> + '_ {
        let last = self.versions.keys().copied().max().unwrap_or(0).min(self.pages.saturating_add(1 << 16));
        (1..=self.pages.max(last)).filter_map(|page| Some((page, self.find(page, self.current, usize::MAX)?)))
    }

    /// The bytes of a page; what cannot be read is zero.
    pub fn read(&self, place: PagePlace) -> [u8; PAGE] {
        let mut bytes = [0; PAGE];
        let (file, offset) = match place {
            PagePlace::Database(page) => (&self.database, u64::from(page - 1) * PAGE as u64),
            PagePlace::Log(index) => (&self.log, frame_offset(index) + FRAME_HEAD),
        };
        if let Some(file) = file {
            read_at(file, offset, &mut bytes);
        }
        bytes
    }

    /// The whole record of a row on a page, in each of the states that its other pages may be in: as they are now, as they were
    /// when the page was written, as they are in the database.
    pub fn records(&self, place: PagePlace, cell: &PageCell<'_>) -> Vec<Vec<u8>> {
        let Some(first) = cell.overflow else { return vec![cell.local.to_vec()] };
        if cell.length / PAGE > self.pages as usize + self.frames.len() {
            return Vec::new();
        }
        let own = match place {
            PagePlace::Log(index) => (Some(self.frames[index].salts), self.frames[index].last),
            PagePlace::Database(_) => (None, 0),
        };
        let mut states = vec![(self.current, usize::MAX), own, (None, 0)];
        states.dedup();
        states.into_iter().filter_map(|(salts, last)| self.record(cell, first, salts, last)).collect()
    }

    fn record(&self, cell: &PageCell<'_>, first: u32, salts: Option<[u8; 8]>, last: usize) -> Option<Vec<u8>> {
        let mut record = cell.local.to_vec();
        let mut next = first;
        while record.len() < cell.length {
            let page = self.read(self.find(next, salts, last)?);
            let more = OVERFLOW.min(cell.length - record.len());
            record.extend_from_slice(&page[4..4 + more]);
            next = u32::from_be_bytes(*page.first_chunk().expect("a page is longer"));
        }
        Some(record)
    }

    /// Where a page lies: the last version in the log up to a frame, among those with these salts, otherwise the database.
    fn find(&self, page: u32, salts: Option<[u8; 8]>, last: usize) -> Option<PagePlace> {
        let mut versions = self.versions.get(&page).into_iter().flatten().rev().copied();
        let found = versions.find(|&index| index <= last && salts == Some(self.frames[index].salts));
        let in_database = || (1..=self.pages).contains(&page).then_some(PagePlace::Database(page));
        found.map(PagePlace::Log).or_else(in_database)
    }
}

fn frame_offset(index: usize) -> u64 {
    LOG_HEAD + index as u64 * (FRAME_HEAD + PAGE as u64)
}

/// Reads as much as can be read.
fn read_at(mut file: &File, offset: u64, bytes: &mut [u8]) {
    if file.seek(SeekFrom::Start(offset)).is_err() {
        return;
    }
    let mut read = 0;
    while read < bytes.len() {
        match file.read(&mut bytes[read..]) {
            Ok(0) => return,
            Ok(more) => read += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The frames of a log, whether their checksums match or not, and the salts of those that are in use: the log is written from
/// its beginning, so that they are the first frame's, unless the head, whose own checksum matches, says otherwise.
fn read_log(log: &File) -> io::Result<(Vec<LogFrame>, Option<[u8; 8]>)> {
    let size = log.metadata()?.len();
    let count = size.saturating_sub(LOG_HEAD + FRAME_HEAD).div_ceil(FRAME_HEAD + PAGE as u64);
    let mut frames = Vec::new();
    let mut begun = 0;
    for index in 0..usize::try_from(count).unwrap_or(0) {
        let mut head = [0; FRAME_HEAD as usize];
        read_at(log, frame_offset(index), &mut head);
        let number = |at: usize| u32::from_be_bytes(*head[at..].first_chunk().expect("there are four bytes"));
        let salts = *head[8..].first_chunk().expect("there are eight bytes");
        frames.push(LogFrame { page: number(0), salts, last: index });
        // The last frame of a transaction has the size of the database.
        if number(4) != 0 {
            frames[begun..].iter_mut().for_each(|frame| frame.last = index);
            begun = index + 1;
        }
    }
    let mut head = [0; LOG_HEAD as usize];
    read_at(log, 0, &mut head);
    let salts = *head[16..].first_chunk().expect("there are eight bytes");
    let first = frames.iter().find(|frame| frame.page != 0).map(|frame| frame.salts);
    Ok((frames, if is_head(&head) { Some(salts) } else { first }))
}

/// Whether the head of a log matches its checksum, which is two sums that feed each other.
fn is_head(head: &[u8; LOG_HEAD as usize]) -> bool {
    let number = |at: usize| u32::from_be_bytes(*head[at..].first_chunk().expect("there are four bytes"));
    // The lowest bit of the first number says how the others are summed.
    let summed = |at: usize| if number(0) & 1 == 1 { number(at) } else { number(at).swap_bytes() };
    let mut sums = [0u32; 2];
    for at in (0..24).step_by(8) {
        sums[0] = sums[0].wrapping_add(summed(at)).wrapping_add(sums[1]);
        sums[1] = sums[1].wrapping_add(summed(at + 4)).wrapping_add(sums[0]);
    }
    sums == [number(24), number(28)]
}
