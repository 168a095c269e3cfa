//! The engine's loops compiled for instructions that not every processor has.

/// Makes `is_available`, and the three entrances to the engine's loops, compiled with a kernel for these features. The whole
/// loop has to be, so that the kernel's methods become part of it.
macro_rules! compiled_for {
    ($kernel:ident, $($feature:tt),+) => {
        pub(super) fn is_available() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        /// Plays a batch.
        pub(super) fn play_batch(
            board: &crate::board::Board,
            start: &super::Position,
            batch: &mut nestling::playout::Batch<'_, crate::geometry::Move>,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                board: &crate::board::Board,
                start: &super::Position,
                batch: &mut nestling::playout::Batch<'_, crate::geometry::Move>,
            ) {
                super::play_batch::<$kernel>(board, start, batch);
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(board, start, batch) }
        }

        /// Plays a game of NRPA's.
        pub(super) fn learn(
            player: &mut super::learner::Player<'_>,
            policy: &super::Policy,
            rng: &mut nestling::Rng,
        ) -> bool {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                player: &mut super::learner::Player<'_>,
                policy: &super::Policy,
                rng: &mut nestling::Rng,
            ) -> bool {
                player.play_by::<$kernel>(policy, rng)
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(player, policy, rng) }
        }

        /// Adapts a policy.
        pub(super) fn adapt(
            adapting: &mut nestling::Adapting,
            policy: &mut [f64],
            game: &nestling::Trace<crate::geometry::Move>,
            alpha: f64,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                adapting: &mut nestling::Adapting,
                policy: &mut [f64],
                game: &nestling::Trace<crate::geometry::Move>,
                alpha: f64,
            ) {
                adapting.adapt(policy, game, alpha);
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(adapting, policy, game, alpha) }
        }
    };
}

pub(super) use compiled_for;
