// The faults of a test: the file that TENON_XR_FAULTS names, a line each.
//   fail CALL RESULT SKIP  xrCALL gives this result once, after SKIP calls that pass; then the line goes;
//                          CALL may be AcquireLastDepth or ReleaseLastDepth, of the image of the swapchain of
//                          depth that was made last
//   event STATE            the runtime reports this state of the session, or 100: the instance is going,
//                          101: the stage, 102: the local space is another one from a second after the
//                          newest frame on, 103: the interaction profile is another, 104: the person takes
//                          the headset off, 105: puts it on, 106: it is hot,
//                          107: its lenses show another part of the image, 108: other models are listed;
//                          then the line goes
//   say TEXT               the runtime complains, once; then the line goes
//   profile PATH           while the line is there: this is the hands' interaction profile, also where the
//                          runtime has none of that name; its inputs are as the program bound them, and have
//                          these values (0 without a line):
//   input PATH X [Y]
//   blend MODE...          while the line is there: these are the display's blend modes
//   mask TANGENT...        while the line is there: the lenses hide what is left of that in all views, or of
//                          one tangent for each view
//   offer                  while the line is there: there are functions of extensions that the runtime lacks
//   pipelined              while the line is there: a frame does not end before the next one is waited for
//   formats N...           while the line is there: these are the formats of images, the preferred one first
//   models fb|msft|ext|ext fb
//                          there are models of controllers by XR_FB_render_model, XR_MSFT_controller_model or
//                          XR_EXT_interaction_render_model; with the last, these lines hold:
//   model-fails ID CALL    while the line is there: xrCALL fails for the model of this id (1: left, 2: right)
//   model-nodes N          while the line is there: the models claim so many moving nodes
//   model-at X Y Z         the models are at this place in the frame of the grip
//   model-lost             while the line is there: it is not known where the models are
//   node NAME X Y Z [hidden|nan]
//                          from the first line `model` on: this node of the models moves; it is at this
//                          place, not visible, or its pose is not finite
//   model FILE             while the line is there: this glTF file is the model of both controllers
//   planes STATE           there is XR_EXT_plane_detection; its search is pending, done, error or fatal
//   plane X Y Z W D O S [nan]
//                          such a search finds this plane: its center in the room, width and depth [m],
//                          orientation and semantic type by OpenXR's numbers, nan: its pose is not finite
//   inset first|last W H LEFT RIGHT DOWN UP
//                          while the line is there: each eye has a foveated inset of W x H recommended pixels
//                          between these tangents, and the runtime prefers that most or least
//   views N                while the line is there: so many views are reported where an inset is
//   gaze W H LEFT RIGHT DOWN UP
//                          while the line is there: these hold for insets that follow the person's gaze
//   gazeless               while the line is there: it is not known where the person looks
//   images FOLDER          writes the next images that are submitted into view0.ppm and so on in the order of
//                          the views; then the line goes
//   blind                  it is not known where the eyes are, while the line is there
//   unstaged               there is no stage, while the line is there
//   unseen                 no picture is wanted, while the line is there
//   always CALL RESULT     xrCALL gives this result each time, while the line is there
//   display W H HZ         while the line is there: W x H pixels per eye are recommended, and HZ pictures are
//   shown
//                          a second; a frame that is late is shown some intervals later
//   fov LEFT RIGHT DOWN UP while the line is there: the tangents of the left eye's field of view, of which
//   that of
//                          the right eye is the mirror image
//   hang CALL              xrCALL does not return, while the line is there; with WaitFrame, events come once
//                          such a call hangs
//   spoil WHAT nan|zero    while the line is there: poses of hands or eyes are not finite, or have a
//   quaternion
//                          of zeros; likewise fields of view (fov) or those of insets alone (inset), and axes
//                          and triggers (axes, nan alone)
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tenon::faults {

/// What this call is to give; none: what it gives by itself. Returns when the call is to return.
std::optional<int> failureOf(const std::string& call);
/// The next state to report.
std::optional<int> takeEvent();
/// The next complaint; none: "".
std::string takeComplaint();
/// Removes the first line that begins with this word.
void takeLine(const std::string& word);
/// Whether there is such a line.
bool holds(const std::string& line);
/// What the line that begins with this word has after it; none: "".
std::string valueOf(const std::string& word);
/// Of all lines that begin with this word, in their order.
std::vector<std::string> valuesOf(const std::string& word);
/// Adds a line to the file that TENON_XR_CALLS names.
void note(const std::string& line);

}  // namespace tenon::faults
