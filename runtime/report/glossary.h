// Terms of the report, for readers who do not know the program.
#pragma once

namespace tenon::runtime {

inline constexpr const char* kGlossary = R"html(<h2>Glossary</h2><dl class='glossary'>
<dt>Goal, operation</dt><dd>A part that shall go into a hole of another one, to a depth, within tolerances; and what the hands did for it.</dd>
<dt>Inserted, seated</dt><dd>At its depth and aligned, each within its tolerance, in time; the verdict is that at the end of the session. Of threads: started (turned in), tight (preload and torque reached).</dd>
<dt>Jammed</dt><dd>It stood still while it was pushed, short of its depth. <b>Wedged</b>: friction at two points holds it whatever the push. <b>Blocked</b>: outside the hole.</dd>
<dt>Released, pending, too deep, stripped</dt><dd>The hand opened short of the depth; undecided at the end, or inserted too late; beyond its depth; a thread loaded beyond its proof load.</dd>
<dt>Fit, clearance</dt><dd>Diameter of the hole minus that of the part; negative: interference. H7/g6: tolerance classes of ISO 286 for hole and part.</dd>
<dt>Tolerances</dt><dd>Of the depth, the tilt, the place of a goal with a pose, and the time until seated; all but the time at the end of the session. A depth also passes where the goal was reached a little short of it, because a tilt within its tolerance holds the rim off its seat.</dd>
<dt>Grasped, released</dt><dd>The first time that a hand closed on the part, and the last time that one opened or lost it. <b>First contact</b>: first force between the part and the one that has the hole, after that.</dd>
<dt>Duration</dt><dd>From grasped until all goals of the part were seated, or until released where one was not. Where a script moves the hands, that is the pace of the script, not that of a person.</dd>
<dt>Cycle time</dt><dd>From the first grasp of a part with a goal until the last of these parts was released or seated, in the session. Other parts do not count.</dd>
<dt>MTM-1, TMU</dt><dd>Methods-time measurement: published normal times of basic motions, in units of 0.036 s. The estimate takes lengths, angles, masses, clearances and forces from the session, and no times of motions; a faster insertion may push harder, and so be in another class of fit.</dd>
<dt>Push</dt><dd>What the part with the hole resists, along the hole's axis; its peak is over all steps. Dashed: the tolerance of the depth, and the largest force of the hand where the push came near it.</dd>
<dt>Force and torque of the hand</dt><dd>What all hands do to the part beyond carrying its weight, over the keyframes in which it was held.</dd>
<dt>Paths</dt><dd>Added up between keyframes in which the part was held; of the part, that of its own origin.</dd>
<dt>Minimum clearance</dt><dd>The smallest distance, in the keyframes in which the part was held, to any part that it did not touch meanwhile, but the one with the hole. <b>Clearance along the path</b>: to the nearest part but that one; 0 while it lies on another.</dd>
<dt>Tilt, off the axis</dt><dd>Angle between the axes of part and hole; distance of the part's tip from the axis of the hole.</dd>
<dt>Posture</dt><dd>An <b>estimate</b> from headset and controller alone: back, neck and elbows are not tracked. <b>Head</b>: its distance from the part's tip, where a headset was worn.</dd>
<dt>&lt;</dt><dd>Below the resolution. Figures are of rigid parts and of the hand's spring.</dd></dl>)html";

}  // namespace tenon::runtime
