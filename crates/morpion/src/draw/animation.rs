//! Pictures that play their game.

/// How long one move is shown at least and at most, and the whole game before it begins anew, in seconds.
const SHORTEST_TURN: f64 = 0.25;
const LONGEST_TURN: f64 = 0.8;
const PAUSE: f64 = 4.0;

/// How long a game takes where the turns allow it.
const USUAL: f64 = 40.0;

/// The style sheet of an animated picture with so many moves; the ring around the newest dot has a colour.
///
/// One number, `--now`, runs from 0 through the turns of all moves, and how far it is past an element's `--turn` is how well
/// the element is to be seen. All that takes effect is inside one condition, so that a program that does not animate, or
/// should not, leaves the whole game as it is.
pub(super) fn style(moves: usize, colour: &str) -> String {
    // The last move needs one turn to come and one for its ring to go.
    let last = moves as f64 + 2.0;
    let playing = last * (USUAL / last).clamp(SHORTEST_TURN, LONGEST_TURN);
    let (whole, share) = (playing + PAUSE, 100.0 * playing / (playing + PAUSE));
    format!(
        "<style>
@property --now{{syntax:\"&lt;number&gt;\";inherits:true;initial-value:0}}
@keyframes nestling-play{{from{{--now:0}}{share:.1}%,to{{--now:{last}}}}}
@media (prefers-reduced-motion:no-preference){{
.nestling-play{{animation:nestling-play {whole:.1}s linear infinite}}
.nestling-moves>*{{opacity:calc(var(--now) - var(--turn))}}
.nestling-rings>*{{opacity:min(var(--now) - var(--turn),var(--turn) + 2 - var(--now))}}
.nestling-rings{{stroke:{colour}}}
}}
</style>
"
    )
}
