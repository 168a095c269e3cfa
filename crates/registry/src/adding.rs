//! How problems and games get into a registry.

use std::marker::PhantomData;
use std::sync::Arc;

use nestling::duel::Players;
use nestling::search::Searches;
use nestling_presentation::{GamePresentation, Presentation};

use super::{Entry, Open, OpenError, Reads, Refusal, Registry};
use crate::gpu::GpuSearches;
use crate::instance::{Hooks, Named};
use crate::parameters::Reach;
use crate::table::{Solo, Table};

impl<S: Searches, W: Players> Registry<S, W> {
    /// The same registry with one more problem. `open` makes it from its parameters, the text behind the colon in
    /// `name:parameters` (empty if there is none), or returns what is wrong with them. It replaces a problem of the same name.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, Reads::Anything, Hooks::default(), move |parameters, _| open(parameters))
    }

    /// The same for a problem that GPUs can search.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with_gpu<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        gpu: impl GpuSearches<P> + 'static,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let hooks = Hooks { gpu: Some(Arc::new(gpu)), ..Hooks::default() };
        self.add(name, summary, Reads::Anything, hooks, move |parameters, _| open(parameters))
    }

    /// The same for a problem that has kernels for GPUs.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn with_kernels<P: Presentation + nestling_gpu::Kernels + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with_gpu(name, summary, crate::gpu::KernelSearches, open)
    }

    /// The same in a program without GPUs.
    #[cfg(not(feature = "gpu"))]
    #[must_use]
    pub(crate) fn with_kernels<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with(name, summary, open)
    }

    /// The same for a problem of ours that reads no files.
    #[must_use]
    pub(crate) fn with_own<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, Reads::Nothing, Hooks::default(), move |parameters, _| open(parameters))
    }

    /// The same for a problem of ours that has kernels for GPUs.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub(crate) fn with_own_kernels<P: Presentation + nestling_gpu::Kernels + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let hooks = Hooks { gpu: Some(Arc::new(crate::gpu::KernelSearches)), ..Hooks::default() };
        self.add(name, summary, Reads::Nothing, hooks, move |parameters, _| open(parameters))
    }

    /// The same in a program without GPUs.
    #[cfg(not(feature = "gpu"))]
    #[must_use]
    pub(crate) fn with_own_kernels<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with_own(name, summary, open)
    }

    /// The same for problems of ours, which read files no further than they may.
    #[must_use]
    pub(crate) fn with_files<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, Reads::Puzzles, Hooks::default(), open)
    }

    fn add<P: Presentation + 'static>(
        mut self,
        name: &str,
        summary: &str,
        reads: Reads,
        hooks: Hooks<P>,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        assert!(!name.contains(':'), "a colon parts a name from its parameters");
        self.entries.retain(|entry| entry.name != name);
        let own_name = name.to_owned();
        let open: Open = Box::new(move |parameters, reach| {
            let full_name = if parameters.is_empty() { own_name.clone() } else { format!("{own_name}:{parameters}") };
            match open(parameters, reach) {
                Ok(problem) => {
                    let hooks = Hooks { reads_puzzles: reads == Reads::Puzzles, ..hooks.clone() };
                    Ok(Box::new(Named::<P, S> { name: full_name, problem, hooks, searches: PhantomData }))
                }
                Err(Refusal::Parameters(reason)) => Err(OpenError::Parameters { name: own_name.clone(), reason }),
                Err(Refusal::Unsolvable(reason)) => Err(OpenError::Unsolvable { name: own_name.clone(), reason }),
            }
        });
        let (name, summary) = (name.to_owned(), summary.to_owned());
        self.entries.push(Entry { name, summary, reads, open, meaning: P::meaning });
        self
    }

    /// The same registry with one more game for two; see [`Registry::with`].
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add_game(name, summary, Reads::Anything, open)
    }

    /// The same for a game of ours, which reads no files.
    #[must_use]
    pub(crate) fn with_own_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add_game(name, summary, Reads::Nothing, open)
    }

    fn add_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        reads: Reads,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let hooks = Hooks { table: Some(|solo: &Solo<G, W>| solo as &dyn Table), ..Hooks::default() };
        self.add(name, summary, reads, hooks, move |parameters, _| open(parameters).map(Solo::<_, W>::new))
    }
}
