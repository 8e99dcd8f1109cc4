// One frame after the other: input, hands, panels, the newest moments, a picture.
#include "runtime/preview/preview.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <utility>

#include "content/scene/printable.h"
#include "runtime/commands/interrupt.h"
#include "runtime/commands/output_files.h"
#include "runtime/commands/picture_size.h"
#include "runtime/commands/program.h"
#include "runtime/commands/terminal.h"
#include "runtime/preview/begin_live.h"
#include "runtime/preview/frame_times.h"
#include "runtime/preview/frame_trace.h"
#include "runtime/preview/kept_pictures.h"
#include "runtime/preview/live_picture.h"
#include "runtime/preview/panels.h"
#include "runtime/preview/pointer.h"
#include "runtime/preview/record_switch.h"
#include "runtime/preview/view_actions.h"
#include "runtime/preview/window_start.h"
#include "runtime/simulation/live_simulation.h"
#include "xr/display/window.h"

namespace tenon::runtime {

namespace {

using Kind = xr::WindowInput::Kind;

constexpr double kIdle = 0.2;          ///< how long a window in which nothing goes on waits for input [s]
constexpr int kSettling = 4;           ///< pictures after an input, until panels have come to rest
constexpr double kLongestGlide = 0.1;  ///< of a hand to where the mouse is [s]

/// Everything of a session with a window; members in the order of making.
class Preview {
 public:
  Preview(const PreviewOptions& options, PreviewState state, OpenedScene opened);
  int run();

 private:
  void loop();
  [[noreturn]] void keepSession(const xr::NoGraphics& error);
  void open(const std::string& file);
  void takeOpened();
  void takeInput(double patience);
  void perform(Action action);
  void leave();
  void takeWishes();
  void changeSpeed(int direction);
  void toggleScript();
  void toggleRecord();
  void showFrame();
  void countFrame(const FrameSpan& frame);
  bool isCounted() const;
  void passHands();
  PointerScene pointerScene();
  void frameAll(std::optional<std::size_t> part);

  const PreviewOptions& options_;
  const InterruptGuard interrupt_;
  PreviewState state_;
  std::unique_ptr<Stage> stage_;
  std::optional<FrameTrace> trace_;
  KeptPictures pictures_;
  xr::Window window_;
  OpenedScene opened_;  ///< the scene's file as it was read: a record begins with it
  OpenedScene next_;    ///< of the scene that has been asked for
  RecordSwitch record_;
  std::unique_ptr<LiveSimulation> live_;
  Moments moments_;
  DrawnState drawn_;
  History history_;
  LiveTrace fresh_;
  LivePicture picture_;
  Pointer pointer_;

  std::future<OpenedScene> opening_;
  std::unique_ptr<Stage> nextStage_;  ///< of a scene that has been asked for
  int messages_ = 0;                  ///< of the session that have been told
  int messagesBefore_ = 0;            ///< when the next scene was asked for
  int settling_ = kSettling;
  bool touched_ = false;  ///< something was done to the window since the last picture
  bool leave_ = false;
  FrameTimes times_;
};

/// The scene's file, or the first one that comes along, and a list to choose from.
SceneOptions sceneFor(const PreviewOptions& options, PreviewState& state) {
  if (!options.scene.file.empty()) return options.scene;
  state.scenes = shippedScenes();
  state.picker = true;
  return sceneOrFirst(options.scene);
}

Preview::Preview(const PreviewOptions& options, PreviewState state, OpenedScene opened)
    : options_(options),
      state_(std::move(state)),
      stage_(std::make_unique<Stage>(opened.scene)),
      pictures_(options.frames, options.screenshot),
      window_(content::printable(opened.scene->title) + " – Tenon", placeFor(options.size, state_.settings)),
      opened_(opened),
      record_(options.record.value_or("")) {
  if (options.trace) trace_.emplace(*options.trace);
  live_ = beginLive(std::move(opened), {.solver = options.solver,
                                        .rate = options.rate,
                                        .paused = options.paused,
                                        .scripted = options.play || options.script.has_value(),
                                        .guidance = options.guidance,
                                        .record = options.record,
                                        .force = options.force});
  moments_ = live_->moments();
  drawnAt(moments_, live_->now_ns(), drawn_);
  frameAll(std::nullopt);
}

void Preview::frameAll(std::optional<std::size_t> part) {
  const PictureArea area = areaBeside(state_, window_.scale(), static_cast<float>(window_.width()),
                                      static_cast<float>(window_.height()));
  state_.camera.frame(stage_->corners(drawn_.X_WP, part), static_cast<double>(area.width) / area.height);
}

void Preview::open(const std::string& file) {
  if (opening_.valid() || nextStage_) return state_.say("Another scene is still being read.");
  if (moments_.after->status.recording)
    return state_.say("A record keeps its scene: end the record first (Ctrl+R).");
  state_.loading = file;
  opening_ = std::async(std::launch::async, [file] { return openScene({file, {}}, std::nullopt, false); });
}

void Preview::takeOpened() {
  if (opening_.valid() && opening_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    state_.loading.clear();
    try {
      next_ = opening_.get();
      nextStage_ = std::make_unique<Stage>(next_.scene);
      messagesBefore_ = moments_.after->status.messages;
      live_->setScene(next_.scene, options_.rate);
    } catch (const std::exception& error) {  // whatever it is, the session that goes on is worth more
      state_.say(error.what());
    }
  }
  const std::shared_ptr<const content::Scene>& now = moments_.after->scene;
  if (now == stage_->scene) {
    if (moments_.after->status.messages != messagesBefore_) nextStage_.reset();  // refused, and said why
    return;
  }
  if (!nextStage_ || nextStage_->scene != now) nextStage_ = std::make_unique<Stage>(now);
  stage_ = std::move(nextStage_);
  opened_ = std::move(next_);
  picture_ = {};
  window_.setTitle(content::printable(stage_->scene->title) + " – Tenon");
  state_.measured.clear();
  state_.reading.clear();
  state_.readingEnds.reset();
  state_.under.reset();
  state_.section = {};
  history_.clear();
  drawnAt(moments_, live_->now_ns(), drawn_);
  frameAll(std::nullopt);
}

PointerScene Preview::pointerScene() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize;
  const PictureShare share = shareOf(areaBeside(state_, window_.scale(), size.x, size.y), size.x, size.y);
  return {state_,
          *stage_,
          drawn_.X_WP,
          share.area,
          share.aspect,
          moments_.after->status.scripted,
          io.WantCaptureMouse,
          [this] { passHands(); }};
}

void Preview::passHands() {
  const double glide = std::clamp(1e-3 * state_.stats.frame_ms, 0.0, kLongestGlide);
  live_->setHands(stage_->hands.samples(), live_->now_ns(), std::llround(1e9 * glide));
}

/// The panels have begun: what they claim of mouse and keys is known.
void Preview::takeInput(double patience) {
  const std::vector<xr::WindowInput> inputs = window_.takeInput(patience);
  touched_ = !inputs.empty();
  if (touched_) settling_ = kSettling;
  window_.beginPanels();
  const std::string wanted = state_.settings.leftHand ? "left" : "right";
  for (std::size_t k = 0; k < stage_->scene->hands.size(); ++k)
    if (stage_->scene->hands[k].name == wanted) stage_->hands.use(static_cast<int>(k));
  const PointerScene scene = pointerScene();
  for (const xr::WindowInput& input : inputs) {
    pointer_.take(input, scene);
    if (input.kind == Kind::drop && !input.files.empty()) open(input.files.front());
    // Not by ImGui, which misses keys that are down for less than a picture.
    if (state_.noting && input.kind == Kind::key) {
      state_.keepNote = state_.keepNote || input.key == xr::key::kEnter;
      if (input.key == xr::key::kEscape) state_.noting.reset();
      continue;
    }
    if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) continue;
    if (const auto action = actionOf(input)) perform(*action);
  }
  pointer_.settle(scene);
  passHands();
}

void Preview::changeSpeed(int direction) {
  constexpr std::array kSpeeds{0.1, 0.2, 0.5, 1.0};
  const double now = moments_.after->status.speed;
  const auto at = std::find_if(kSpeeds.begin(), kSpeeds.end(), [&](double one) { return one >= now - 1e-9; });
  const auto next = std::clamp<std::ptrdiff_t>(at - kSpeeds.begin() + direction, 0, kSpeeds.size() - 1);
  live_->setSpeed(kSpeeds[static_cast<std::size_t>(next)]);
}

/// The nearest of what Esc is for: a list, what the mouse holds, the program.
void Preview::leave() {
  bool holds = false;
  for (int k = 0; k < static_cast<int>(stage_->hands.count()); ++k) holds = holds || stage_->hands.holds(k);
  if (state_.help || state_.picker) {
    state_.help = state_.picker = false;
  } else if (holds) {
    stage_->hands.releaseAll();
  } else {
    leave_ = true;
  }
}

/// A script is for the scene's start, where LiveSimulation begins it.
void Preview::toggleScript() {
  const LiveStatus& status = moments_.after->status;
  live_->setScripted(!status.scripted);
  if (!status.scripted && moments_.after->time_ns > 0)
    state_.say("The script plays from its start. Ctrl+Z returns to what was there before.");
}

void Preview::toggleRecord() {
  if (opening_.valid() || nextStage_) return state_.say("Another scene is still being read.");
  if (!record_.toggle(live_, opened_, options_.solver, moments_.after->status, state_)) return;
  stage_->hands.releaseAll();
  history_.clear();
  messages_ = 0;
  moments_ = live_->moments();
  drawnAt(moments_, live_->now_ns(), drawn_);
}

void Preview::perform(Action action) {
  PreviewSettings& settings = state_.settings;
  const LiveStatus& status = moments_.after->status;
  switch (action) {
    case Action::playPause:
      return status.paused ? live_->play() : live_->pause();
    case Action::step:
      return live_->stepOnce();
    case Action::reset:
      return live_->reset();
    case Action::undo:
      return live_->undo();
    case Action::redo:
      return live_->redo();
    case Action::slower:
      return changeSpeed(-1);
    case Action::faster:
      return changeSpeed(1);
    case Action::script:
      return toggleScript();
    case Action::otherHand:
      settings.leftHand = !settings.leftHand;
      return;
    case Action::record:
      return toggleRecord();
    case Action::bookmark:
      if (record_.keeps("Bookmark", status, state_)) live_->mark({"bookmark", ""});
      return;
    case Action::note:
      if (record_.keeps("Note", status, state_)) state_.noting.emplace();
      return;
    case Action::openScene:
      state_.picker = !state_.picker;
      if (state_.picker) state_.scenes = shippedScenes();
      return;
    case Action::screenshot:
      return pictures_.snap();
    case Action::leave:
      return leave();
    default:
      performView(action, state_, *stage_, [this](auto part) { frameAll(part); });
  }
}

void Preview::takeWishes() {
  for (const Action action : std::exchange(state_.asked, {})) perform(action);
  if (const auto file = std::exchange(state_.openFile, std::nullopt)) open(*file);
  if (const auto note = std::exchange(state_.note, std::nullopt);
      note && record_.keeps("Note", moments_.after->status, state_))
    live_->mark({"note", *note});
  if (const auto solver = std::exchange(state_.solver, std::nullopt)) live_->setSolver(*solver);
  if (const auto rate = std::exchange(state_.rate, std::nullopt)) live_->setRate(*rate);
  if (const auto speed = std::exchange(state_.speed, std::nullopt)) live_->setSpeed(*speed);
}

/// Whether this frame is one of options_.frames.
bool Preview::isCounted() const {
  return 1e-9 * static_cast<double>(moments_.after->time_ns) >= options_.after;
}

void Preview::showFrame() {
  const double began = xr::Window::now();
  PanelContext context{state_, *stage_, *moments_.after, history_, window_.deviceName(), window_.scale()};
  drawPanels(context);
  takeWishes();
  // The newest moments, after all that takes time: what the mouse did just now may be in them.
  moments_ = live_->moments();
  takeOpened();
  live_->takeTrace(fresh_);
  if (moments_.after->scene == stage_->scene) {
    history_.add(fresh_, *stage_->scene);
    drawnAt(moments_, live_->now_ns(), drawn_);
  }
  if (moments_.after->status.messages != messages_) {
    messages_ = moments_.after->status.messages;
    if (!moments_.after->status.message.empty()) state_.say(moments_.after->status.message);
  }
  record_.report(moments_.after->status, state_);
  readMeasured(state_, *stage_, drawn_.X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const PictureArea area = areaBeside(state_, window_.scale(), size.x, size.y);
  const xr::View view = viewIn(state_, area.x, area.y, area.width, area.height, size.x, size.y);
  const xr::RenderScene scene = picture_.picture(*stage_, *moments_.after, drawn_, state_);
  drawOverlay(area, view, scene, *stage_, *moments_.after, drawn_, state_);
  const bool wanted = pictures_.wants(isCounted());
  const double drawn = xr::Window::now();
  const xr::Shown shown = window_.show({&view, 1}, scene, wanted, moments_.after->status.paused && !touched_);
  if (!shown.shown) return;
  countFrame({began, drawn, shown.at});
  if (wanted) pictures_.keep(shown.picture, state_);
  if (trace_ && !trace_->add(area, view, *stage_, *moments_.after, drawn_, state_)) {
    trace_.reset();
    say(*options_.trace + ": takes no more (is the disk full?); the trace ends here");
  }
  if (isCounted()) pictures_.count();
}

void Preview::countFrame(const FrameSpan& frame) {
  const double now = xr::Window::now();
  state_.stats.sharpness = window_.sharpness();
  times_.add(frame, now, state_.stats);
  times_.addLatency(frame, now, live_->now_ns(), *moments_.after, drawn_, state_.stats);
}

/// The display or its device has failed: what there is of the session is kept.
void Preview::keepSession(const xr::NoGraphics& error) {
  const bool kept = record_.finish(*live_, moments_.after->status, "given up") && !record_.file().empty();
  writeSettings(settingsFile(), state_.settings);
  throw xr::NoGraphics(error.what() + (kept ? "; the session until then is in " + record_.file() : ""));
}

int Preview::run() {
  try {
    loop();
  } catch (const xr::NoGraphics& error) {
    keepSession(error);
  }
  const bool interrupted = interrupt_.requested();
  const bool complete = record_.finish(*live_, moments_.after->status, interrupted ? "interrupted" : "done");
  state_.settings.window = options_.size ? state_.settings.window : window_.place();
  writeSettings(settingsFile(), state_.settings);
  return interrupted ? kInterrupted : complete ? kDone : kMissing;
}

void Preview::loop() {
  std::int64_t seen = -1;
  while (!leave_ && !window_.closing() && !interrupt_.requested()) {
    const bool goesOn = moments_.after->number != seen || !moments_.after->status.paused || settling_ > 0 ||
                        options_.frames > pictures_.counted() || opening_.valid() || nextStage_ ||
                        !window_.settled();
    seen = moments_.after->number;
    takeInput(window_.visible() && goesOn ? 0 : kIdle);
    if (settling_ > 0) --settling_;
    showFrame();
    if (options_.frames > 0 && pictures_.counted() >= options_.frames && options_.quit) leave_ = true;
  }
}

}  // namespace

int runPreview(const PreviewOptions& options) {
  PreviewState state = stateWithSettings();
  // Whatever is wrong with the input is told before a window opens.
  OpenedScene opened = openScene(sceneFor(options, state), options.script, options.play);
  requireThatItCan(options.solver, *opened.scene);
  InputFiles inputs;
  inputs.add(*opened.scene, opened.meshFiles);
  if (options.script) inputs.add(*options.script, "is the script of the hands");
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--screenshot", options.screenshot, OutputKind::picture},
                             Output{"--trace", options.trace, OutputKind::trace}},
                  inputs, options.force);
  if (options.size) pictureSize(*options.size);
  return Preview(options, std::move(state), std::move(opened)).run();
}

}  // namespace tenon::runtime
