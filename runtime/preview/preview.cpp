// The frame loop of the preview: input, hands, panels, newest simulation frames, rendering.
#include "runtime/preview/preview.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/input/printable.h"
#include "runtime/live_view/view_actions.h"
#include "runtime/live_view/window_start.h"
#include "runtime/preview/preview_window.h"
#include "runtime/session/exit_code.h"

namespace tenon::runtime {

namespace {

constexpr double kIdle = 0.2;                  ///< input timeout of an idle window [s]
constexpr double kMaxHandInterpolation = 0.1;  ///< time for a hand to reach the mouse position [s]

}  // namespace

std::string windowTitle(const content::Scene& scene) {
  return content::printable(scene.title) + " – Tenon";
}

Preview::Preview(const PreviewOptions& options, ViewState state, PreviewStart start)
    : options_(options),
      state_(std::move(state)),
      screenshots_(options.frames, options.screenshot),
      window_(windowTitle(*start.opened.scene), windowPlacementFor(options.size, state_.settings)),
      trace_(options.trace ? std::make_optional<FrameTrace>(*options.trace) : std::nullopt),
      session_(options, std::move(start.opened), state_),
      arranging_(state_) {
  session_.onScene = [this] {
    if (arranging_.isActive() && !options_.paused) session_.live().play();
    arranging_.leave(session_.options(), session_.isOfText());
    renderSceneBuilder_ = {};
    window_.setTitle(windowTitle(*session_.sceneView().scene));
    if (!std::exchange(keepsView_, false)) frameAll(std::nullopt);
    state_.settings.noteRecent(session_.options().file);
  };
  session_.onRejected = [this](const SceneOptions& scene) {
    // Not of the scene that runs, and has been changed.
    if (!std::exchange(keepsView_, false) && arranging_.enterRejected(scene)) showBench(true);
  };
  arranging_.onRun = [this](const SceneOptions& scene, std::string text) {
    keepsView_ = keepsView_ || !session_.isOpening();
    session_.openText(scene, std::move(text));
  };
  if (!start.arranged || !start.arranged->file.empty())
    state_.settings.noteRecent(start.arranged ? start.arranged->file : options_.scene.file);
  // Without a file there is nothing to enter.
  if (start.arranged && !arranging_.enterRejected(*start.arranged)) arranging_.beginEmpty();
  if (start.arranged)
    showBench(true);
  else
    frameAll(std::nullopt);
}

ImageArea Preview::area() const {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return imageAreaBeside(state_, window_.scale(), size.x, size.y);
}

void Preview::frameAll(std::optional<std::size_t> part) {
  const ImageArea area = imageAreaBeside(state_, window_.scale(), static_cast<float>(window_.width()),
                                         static_cast<float>(window_.height()));
  state_.camera.frame(sceneView().corners(drawn().X_WP, part), static_cast<double>(area.width) / area.height);
}

/// False if a part is selected of which something is outside the image.
bool Preview::isSelectedPartInImage() {
  const int part = arranging_.isActive() ? arranging_.bench().selectedPart() : -1;
  if (part < 0) return true;
  const ImageArea area = this->area();
  const xr::View view = state_.camera.view(static_cast<double>(area.width) / area.height);
  const auto corners = sceneView().corners(drawn().X_WP, static_cast<std::size_t>(part));
  return std::all_of(corners.begin(), corners.end(), [&](const physics::Vector3d& corner) {
    const Eigen::Vector3d at = xr::projected(view, corner);
    return at.z() > view.nearPlane && at.x() > 0 && at.x() < 1 && at.y() > 0 && at.y() < 1;
  });
}

PointerScene Preview::pointerScene() {
  const ImGuiIO& io = ImGui::GetIO();
  const RelativeImageArea share = shareOf(area(), io.DisplaySize.x, io.DisplaySize.y);
  return {state_,
          sceneView(),
          drawn().X_WP,
          share.area,
          share.aspect,
          frame().status.scripted,
          io.WantCaptureMouse,
          [this] { publishHands(); },
          !arranging_.isActive()};
}

void Preview::publishHands() {
  const double interpolation = std::clamp(1e-3 * state_.stats.frame_ms, 0.0, kMaxHandInterpolation);
  session_.live().setHands(session_.sceneView().hands.samples(), session_.live().now_ns(),
                           std::llround(1e9 * interpolation));
}

/// True if this frame counts towards options_.frames.
bool Preview::isCounted() const {
  return 1e-9 * static_cast<double>(session_.frame().time_ns) >= options_.after;
}

void Preview::drawPanelsOf(PanelContext& context) {
  if (arranging_.isActive())
    arranging_.drawPanels(context);
  else
    drawPanels(context);
  arranging_.drawDialogs(context);
}

/// What the panels have requested.
void Preview::performRequests() {
  for (const Action action : std::exchange(state_.requestedActions, {})) perform(action);
  if (std::exchange(state_.browse, false)) arranging_.browse();
  if (const auto file = std::exchange(state_.openFile, std::nullopt))
    arranging_.requireSaved("Open another scene without saving them?", [this, file] {
      keepsView_ = false;
      session_.open({*file, {}});
    });
  performParameters();
  updatePictures();
  session_.performRequests();
  const bool wasEmpty = sceneView().startBounds.isEmpty();
  const std::size_t partsBefore = sceneView().scene->parts.size();
  if (arranging_.update(xr::Window::now())) {
    const bool isMore = sceneView().scene->parts.size() > partsBefore;
    if (wasEmpty || (isMore && !isSelectedPartInImage())) frameAll(std::nullopt);
    renderSceneBuilder_ = {};
    window_.setTitle(windowTitle(arranging_.bench().scene()));
  }
  // A file that another program changes is read again, unless that would end a record.
  const bool mayRead = !arranging_.isActive() && !arranging_.isModified() && !session_.isOpening() &&
                       !session_.frame().status.recording && options_.source->takesScenes();
  const SceneOptions running = arranging_.running(session_.options());
  const auto text = sceneWatch_.changedText(running.file, xr::Window::now());
  if (!text || !mayRead || arranging_.runs(*text)) return;
  keepsView_ = true;
  session_.open(running);
}

void Preview::showFrame() {
  const double start = xr::Window::now();
  PanelContext context{
      state_,          sceneView(),          frame(), session_.history(), window_.deviceName(),
      window_.scale(), arranging_.isActive()};
  drawPanelsOf(context);
  performRequests();
  // Last, so that the frame contains the latest mouse input.
  session_.update();
  updateMeasurement(state_, sceneView(), drawn().X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImageArea area = this->area();
  const xr::View view = viewIn(state_, area.x, area.y, area.width, area.height, size.x, size.y);
  const xr::RenderScene scene = renderSceneBuilder_.build(sceneView(), frame(), drawn(), state_);
  drawOverlay(area, view, scene, sceneView(), frame(), drawn(), state_);
  if (arranging_.isActive()) arranging_.drawOverlay(area);
  const bool captures = screenshots_.isCaptureDue(isCounted());
  const double renderStart = xr::Window::now();
  const xr::PresentResult shown =
      window_.show({&view, 1}, scene, captures, frame().status.paused && !touched_);
  if (!shown.presented) return;
  countFrame({start, renderStart, shown.time_s});
  if (captures) screenshots_.save(shown.image, state_);
  nlohmann::ordered_json more = arranging_.trace(area);
  for (const content::Parameter& one : sceneView().scene->parameters)
    more["parameters"][one.name] = one.value;
  more["study"] = {{"running", state_.parameters.study.isRunning}, {"text", state_.parameters.study.text}};
  if (trace_ && !trace_->add(area, view, sceneView(), frame(), drawn(), state_, &more)) {
    trace_.reset();
    printMessage(*options_.trace + ": write failed (disk full?); the trace ends here");
  }
  if (isCounted()) screenshots_.countFrame();
}

void Preview::countFrame(const FrameSpan& frame) {
  const double now = xr::Window::now();
  state_.stats.resolutionScale = window_.resolutionScale();
  times_.add(frame, now, state_.stats);
  times_.addLatency(frame, now, session_.live().now_ns(), session_.frame(), session_.drawn(), state_.stats);
}

/// Finishes the record after a failure of the display or its device, and rethrows with the file name.
void Preview::finishAfterFailure(const xr::GraphicsUnavailable& error) {
  const bool recorded = session_.finish("given up") && !session_.recordFile().empty();
  writeSettings(settingsFile(), state_.settings);
  const std::string unsaved = arranging_.saveUnsaved();
  throw xr::GraphicsUnavailable(error.what() +
                                (recorded ? "; the session until then is in " + session_.recordFile() : "") +
                                (unsaved.empty() ? "" : "; " + unsaved));
}

int Preview::run() {
  try {
    loop();
  } catch (const xr::GraphicsUnavailable& error) {
    finishAfterFailure(error);
  } catch (const std::exception&) {
    reportUnsaved();
    throw;
  }
  const bool interrupted = interrupt_.requested();
  if (interrupted) reportUnsaved();
  const bool complete = session_.finish(interrupted ? "interrupted" : "done");
  state_.settings.window = options_.size ? state_.settings.window : window_.geometry();
  writeSettings(settingsFile(), state_.settings);
  return interrupted ? kInterrupted : complete ? kSuccess : kMissingComponent;
}

void Preview::loop() {
  std::int64_t lastNumber = -1;
  while (!exit_ && !interrupt_.requested()) {
    if (window_.closing()) {
      window_.keepOpen();
      exitUnlessModified();
    }
    const bool active = session_.frame().number != lastNumber || !session_.frame().status.paused ||
                        settling_ > 0 || options_.frames > screenshots_.counted() || session_.isOpening() ||
                        arranging_.isReading() || !window_.settled();
    lastNumber = session_.frame().number;
    drainInput(window_.visible() && active ? 0 : kIdle);
    if (settling_ > 0) --settling_;
    showFrame();
    if (options_.frames > 0 && screenshots_.counted() >= options_.frames && options_.quit) exit_ = true;
  }
}

int runPreview(const PreviewOptions& options) {
  ViewState state = initialViewState();
  PreviewStart start = openFirst(options);  // reports bad input before a window opens
  return Preview(options, std::move(state), std::move(start)).run();
}

}  // namespace tenon::runtime
