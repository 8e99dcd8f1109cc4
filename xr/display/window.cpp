// GLFW gives window and input, the renderer the picture, UiPass the panels over it.
#include "xr/display/window.h"

#include <fmt/format.h>
#include <imgui.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <future>
#include <thread>

#include "xr/display/glfw_session.h"
#include "xr/display/glfw_surface.h"
#include "xr/display/swapchain.h"
#include "xr/display/ui_pass.h"
#include "xr/display/ui_style.h"
#include "xr/render/renderer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

namespace tenon::xr {

namespace {

static_assert(key::kSpace == GLFW_KEY_SPACE && key::kEscape == GLFW_KEY_ESCAPE &&
              key::kEnter == GLFW_KEY_ENTER && key::kTab == GLFW_KEY_TAB &&
              key::kBackspace == GLFW_KEY_BACKSPACE && key::kDelete == GLFW_KEY_DELETE &&
              key::kRight == GLFW_KEY_RIGHT && key::kLeft == GLFW_KEY_LEFT && key::kDown == GLFW_KEY_DOWN &&
              key::kUp == GLFW_KEY_UP && key::kHome == GLFW_KEY_HOME && key::kF1 == GLFW_KEY_F1 &&
              key::kF11 == GLFW_KEY_F11 && key::kF12 == GLFW_KEY_F12);

constexpr int kLeastWidth = 640, kLeastHeight = 400;

/// Where the display is gone nothing is asked of it any more: Xlib would fail in its own way.
struct WindowCloser {
  const GlfwSession* glfw;
  void operator()(GLFWwindow* window) const {
    if (!glfw->displayLost()) glfwDestroyWindow(window);
  }
};
using WindowHandle = std::unique_ptr<GLFWwindow, WindowCloser>;

/// True where the place's corner, with something of the title bar, is on a monitor: they come and go.
bool onSomeMonitor(const WindowGeometry& place) {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[k], &x, &y, &width, &height);
    if (*place.x >= x - 8 && *place.x < x + width - 100 && *place.y >= y - 8 && *place.y < y + height - 50)
      return true;
  }
  return false;
}

/// The size of a window that is to fit on the desktop: sizes are remembered, and monitors come and go. A
/// window of many times the desktop's size would take minutes and gigabytes to draw.
WindowGeometry fitted(WindowGeometry place) {
  int count = 0, right = kLeastWidth, low = kLeastHeight;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[k], &x, &y, &width, &height);
    right = std::max(right, x + width);
    low = std::max(low, y + height);
  }
  place.width = std::min(place.width, right);
  place.height = std::min(place.height, low);
  return place;
}

WindowHandle openWindow(const GlfwSession& glfw, const std::string& title, const WindowGeometry& wanted) {
  if (glfwVulkanSupported() != GLFW_TRUE)
    throw GraphicsUnavailable(
        "no Vulkan loader (libvulkan.so.1) that can draw in windows; install libvulkan1");
  const WindowGeometry place = wanted.fits ? fitted(wanted) : wanted;
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_MAXIMIZED, place.maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
  WindowHandle window(glfwCreateWindow(std::max(place.width, kLeastWidth),
                                       std::max(place.height, kLeastHeight), title.c_str(), nullptr, nullptr),
                      {&glfw});
  if (!window)
    throw GraphicsUnavailable(fmt::format("the display opens no window ({}); see tenon doctor", glfwError()));
  glfwSetWindowSizeLimits(window.get(), kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (place.x && place.y && !place.maximized && onSomeMonitor(place))
    glfwSetWindowPos(window.get(), *place.x, *place.y);
  return window;
}

/// Dear ImGui's context, tied to a window.
struct UiContext {
  UiContext(const GlfwSession& session, GLFWwindow* window, double scale) : glfw(session) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    applyUiStyle(scale);
    ImGui_ImplGlfw_InitForVulkan(window, true);
  }
  ~UiContext() {
    if (!glfw.displayLost()) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  UiContext(const UiContext&) = delete;
  UiContext& operator=(const UiContext&) = delete;

  const GlfwSession& glfw;
};

double scaleOf(GLFWwindow* window) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  return std::isfinite(x) ? std::clamp(static_cast<double>(x), 0.5, 4.0) : 1;
}

/// Time between two pictures of the display [s].
double periodOf() {
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  const int rate = mode == nullptr || mode->refreshRate < 20 ? 60 : mode->refreshRate;
  return 1.0 / rate;
}

/// On a thread of lower priority, which threads of a processor that draws inherit: drawing is to take what
/// physics leaves.
template <class Function>
auto aside(const Function& function) {
  return std::async(std::launch::async,
                    [&] {
                      constexpr int kLower = 5;
                      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLower);
                      return function();
                    })
      .get();
}

/// Pixels drawn for a pixel shown, along each side.
constexpr std::array kSharpness{1.0, 0.85, 0.7, 0.6, 0.5};
/// A picture that takes longer is drawn with fewer pixels from then on, one that is quicker with more [s].
constexpr double kTooLong = 0.040, kQuick = 0.016;
/// Of a picture: where no more differs from the one before, only that is drawn.
constexpr double kLittle = 0.4;
constexpr int kCalm = 3;  ///< such pictures in a row, until one is drawn with all pixels to begin with

constexpr const char* kSwapchain[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};

}  // namespace

struct Window::Implementation {
  // In the order of making; they go in the opposite one.
  GlfwSession glfw;
  WindowHandle window;
  double scale;
  // As GLFW told last: asking is a way to the display and back.
  int pixelsWide = 0, pixelsHigh = 0;
  bool iconified = false;
  double period = periodOf();
  vk::raii::Context context;
  vk::raii::Instance instance;
  vk::raii::SurfaceKHR surface;
  ChosenDevice chosen;
  vk::raii::Device device;
  vk::raii::Queue queue;
  Frame frame;
  vk::raii::Semaphore free;
  Swapchain swapchain;
  Renderer renderer;
  UiContext ui;
  UiPass uiPass;
  std::string deviceName;
  MappedBuffer pixels;
  bool slow;                   ///< a processor draws: pictures may have fewer pixels
  std::size_t quality = 0;     ///< index into kSharpness
  double resolutionScale = 1;  ///< of the last picture
  DeviceImage coarse;          ///< a picture of fewer pixels
  vk::Extent2D coarseExtent;
  DeviceImage kept;  ///< the last picture, without panels
  vk::Extent2D keptExtent;
  bool holds = false;     ///< it is in there
  int calm = 0;           ///< pictures in a row that hardly differed
  bool judges = false;    ///< the last picture tells how long all of one takes
  double lastShown = -1;  ///< [s], by now()
  std::vector<WindowInput> inputs;

  Implementation(const std::string& title, const WindowGeometry& place)
      : window(openWindow(glfw, title, place)),
        scale(scaleOf(window.get())),
        instance(makeInstance(context, windowExtensions())),
        surface(surfaceOf(instance, window.get())),
        chosen(aside([&] { return chooseDevice(instance, *surface); })),
        device(aside([&] { return makeDevice(chosen, kSwapchain); })),
        queue(device.getQueue(chosen.family, 0)),
        frame(device, chosen.family),
        free(device.createSemaphore({})),
        swapchain(chosen, device, *surface),
        renderer(chosen.physical, device,
                 interactiveOptions(chosen.physical.getProperties().deviceType, swapchain.format())),
        ui(glfw, (listen(), window.get()), scale),
        uiPass(chosen.physical, device, chosen.family, swapchain.format()),
        deviceName(chosen.physical.getProperties().deviceName.data()),
        slow(chosen.physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu) {}

  ~Implementation() {
    try {
      device.waitIdle();
    } catch (const vk::SystemError&) {  // a lost device reads nothing any more
    }
  }

  void listen();
  WindowInput& add(WindowInput::Kind kind, int mods);
  PresentResult draw(vk::Extent2D size, std::span<const View> views, const RenderScene& scene, bool keep,
                     bool still);
  void drawScene(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image,
                 std::span<const View> views, const RenderScene& scene, bool keep, bool still);
  void drawKept(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image, const View& view,
                const RenderScene& scene, bool again);
  void drawCoarse(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image, const View& view,
                  const RenderScene& scene);
  void judge(double seconds);
  void requireDisplay() const;
  [[noreturn]] void fail(const vk::SystemError& error) const;
  void copy(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image);
  Image picture() const;
};

WindowInput& Window::Implementation::add(WindowInput::Kind kind, int mods) {
  WindowInput& input = inputs.emplace_back();
  input.kind = kind;
  input.time = now();
  double x = 0, y = 0;
  int width = 0, height = 0;
  glfwGetCursorPos(window.get(), &x, &y);
  glfwGetWindowSize(window.get(), &width, &height);
  input.x = x / std::max(width, 1);
  input.y = y / std::max(height, 1);
  input.shift = (mods & GLFW_MOD_SHIFT) != 0;
  input.control = (mods & GLFW_MOD_CONTROL) != 0;
  input.alt = (mods & GLFW_MOD_ALT) != 0;
  return input;
}

namespace {

MouseButton buttonOf(int button) {
  return button == GLFW_MOUSE_BUTTON_LEFT     ? MouseButton::left
         : button == GLFW_MOUSE_BUTTON_RIGHT  ? MouseButton::right
         : button == GLFW_MOUSE_BUTTON_MIDDLE ? MouseButton::middle
                                              : MouseButton::other;
}

/// By what the keyboard's layout writes there, where that is a letter or a digit; else GLFW's own.
int keyOf(int key, int scancode) {
  if (key >= GLFW_KEY_ESCAPE) return key;
  const char* const name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == 0 || name[1] != 0) return key;
  const char c = name[0];
  return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : key;
}

int modsOf(GLFWwindow* window) {
  const auto down = [&](int key) { return glfwGetKey(window, key) == GLFW_PRESS; };
  return (down(GLFW_KEY_LEFT_SHIFT) || down(GLFW_KEY_RIGHT_SHIFT) ? GLFW_MOD_SHIFT : 0) |
         (down(GLFW_KEY_LEFT_CONTROL) || down(GLFW_KEY_RIGHT_CONTROL) ? GLFW_MOD_CONTROL : 0) |
         (down(GLFW_KEY_LEFT_ALT) || down(GLFW_KEY_RIGHT_ALT) ? GLFW_MOD_ALT : 0);
}

}  // namespace

/// Dear ImGui's own callbacks come after these and call them.
void Window::Implementation::listen() {
  using Kind = WindowInput::Kind;
  GLFWwindow* const w = window.get();
  glfwSetWindowUserPointer(w, this);
  static const auto self = [](GLFWwindow* at) {
    return static_cast<Implementation*>(glfwGetWindowUserPointer(at));
  };
  glfwSetMouseButtonCallback(w, [](GLFWwindow* at, int button, int action, int mods) {
    self(at)->add(action == GLFW_PRESS ? Kind::press : Kind::release, mods).button = buttonOf(button);
  });
  glfwSetCursorPosCallback(w, [](GLFWwindow* at, double, double) { self(at)->add(Kind::move, modsOf(at)); });
  glfwSetScrollCallback(
      w, [](GLFWwindow* at, double, double y) { self(at)->add(Kind::wheel, modsOf(at)).notches = y; });
  glfwSetKeyCallback(w, [](GLFWwindow* at, int key, int scancode, int action, int mods) {
    if (key == GLFW_KEY_UNKNOWN) return;
    WindowInput& input = self(at)->add(action == GLFW_RELEASE ? Kind::keyUp : Kind::key, mods);
    input.key = keyOf(key, scancode);
    input.repeated = action == GLFW_REPEAT;
  });
  glfwSetDropCallback(w, [](GLFWwindow* at, int count, const char** paths) {
    self(at)->add(Kind::drop, 0).files.assign(paths, paths + count);
  });
  glfwSetFramebufferSizeCallback(w, [](GLFWwindow* at, int width, int height) {
    Implementation& it = *self(at);
    it.pixelsWide = width;
    it.pixelsHigh = height;
    it.period = periodOf();  // perhaps of another monitor
    it.swapchain.invalidate();
  });
  glfwSetWindowIconifyCallback(w, [](GLFWwindow* at, int is) { self(at)->iconified = is == GLFW_TRUE; });
  glfwGetFramebufferSize(w, &pixelsWide, &pixelsHigh);
}

void Window::Implementation::drawScene(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image,
                                       std::span<const View> views, const RenderScene& scene, bool keep,
                                       bool still) {
  resolutionScale = 1;
  if (!slow || views.size() != 1 || !swapchain.isBlitTarget()) {
    holds = false;
    return renderer.draw(
        commands, {image.image, image.view, swapchain.extent(), vk::ImageLayout::eColorAttachmentOptimal},
        views, scene);
  }
  const View& view = views.front();
  if (swapchain.extent() != keptExtent) holds = false;
  const bool little = renderer.begin(commands, swapchain.extent(), view, scene) <= kLittle;
  calm = little ? calm + 1 : 0;
  const bool again = holds && little && !keep;
  judges = !(again || keep || still || calm >= kCalm);
  if (judges && quality > 0) return drawCoarse(commands, image, view, scene);
  drawKept(commands, image, view, scene, again);
}

void Window::Implementation::drawKept(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image,
                                      const View& view, const RenderScene& scene, bool again) {
  const vk::Extent2D extent = swapchain.extent();
  using U = vk::ImageUsageFlagBits;
  using L = vk::ImageLayout;
  constexpr auto kColour = vk::ImageAspectFlagBits::eColor;
  if (extent != keptExtent) {
    kept = DeviceImage(chosen.physical, device, extent, swapchain.format(), vk::SampleCountFlagBits::e1,
                       U::eColorAttachment | U::eTransferSrc, kColour);
    keptExtent = extent;
  }
  renderer.drawDamaged(commands,
                       {.image = *kept.image,
                        .view = *kept.view,
                        .extent = extent,
                        .layoutAfter = L::eTransferSrcOptimal,
                        .layoutBefore = L::eTransferSrcOptimal},
                       view, scene, again);
  holds = true;
  transition(commands, image.image, kColour, L::eUndefined, L::eTransferDstOptimal);
  const vk::ImageCopy all{.srcSubresource = {kColour, 0, 0, 1},
                          .dstSubresource = {kColour, 0, 0, 1},
                          .extent = {extent.width, extent.height, 1}};
  commands.copyImage(*kept.image, L::eTransferSrcOptimal, image.image, L::eTransferDstOptimal, all);
  transition(commands, image.image, kColour, L::eTransferDstOptimal, L::eColorAttachmentOptimal);
}

void Window::Implementation::drawCoarse(const vk::raii::CommandBuffer& commands,
                                        const Swapchain::Image& image, const View& view,
                                        const RenderScene& scene) {
  resolutionScale = kSharpness[quality];
  holds = false;
  const vk::Extent2D extent = swapchain.extent();
  const auto scaled = [&](std::uint32_t side) {
    return std::max(static_cast<std::uint32_t>(std::lround(side * resolutionScale)), 1u);
  };
  const vk::Extent2D small{scaled(extent.width), scaled(extent.height)};
  using U = vk::ImageUsageFlagBits;
  using L = vk::ImageLayout;
  constexpr auto kColour = vk::ImageAspectFlagBits::eColor;
  if (small != coarseExtent) {
    coarse = DeviceImage(chosen.physical, device, small, swapchain.format(), vk::SampleCountFlagBits::e1,
                         U::eColorAttachment | U::eTransferSrc, kColour);
    coarseExtent = small;
  }
  renderer.drawDamaged(commands, {*coarse.image, *coarse.view, small, L::eTransferSrcOptimal}, view, scene,
                       false);
  transition(commands, image.image, kColour, L::eUndefined, L::eTransferDstOptimal);
  const auto corner = [&](double x, double y, vk::Extent2D in) {
    return vk::Offset3D{static_cast<std::int32_t>(std::lround(x * in.width)),
                        static_cast<std::int32_t>(std::lround(y * in.height)), 0};
  };
  vk::ImageBlit region{.srcSubresource = {kColour, 0, 0, 1}, .dstSubresource = {kColour, 0, 0, 1}};
  region.srcOffsets[0] = corner(view.x, view.y, small);
  region.srcOffsets[1] = corner(view.x + view.width, view.y + view.height, small);
  region.dstOffsets[0] = corner(view.x, view.y, extent);
  region.dstOffsets[1] = corner(view.x + view.width, view.y + view.height, extent);
  for (auto* end : {&region.srcOffsets[1], &region.dstOffsets[1]}) end->z = 1;
  commands.blitImage(*coarse.image, L::eTransferSrcOptimal, image.image, L::eTransferDstOptimal, region,
                     vk::Filter::eLinear);
  transition(commands, image.image, kColour, L::eTransferDstOptimal, L::eColorAttachmentOptimal);
}

PresentResult Window::Implementation::draw(vk::Extent2D size, std::span<const View> views,
                                           const RenderScene& scene, bool keep, bool still) {
  const std::optional<Swapchain::Image> image = swapchain.next(size, *free);
  if (!image) return {};
  const double began = now();
  const vk::raii::CommandBuffer& commands = frame.begin();
  using L = vk::ImageLayout;
  drawScene(commands, *image, views, scene, keep, still);
  uiPass.draw(commands, image->view, swapchain.extent(), *ImGui::GetDrawData());
  if (keep && swapchain.isReadable()) {
    copy(commands, *image);
  } else {
    transition(commands, image->image, vk::ImageAspectFlagBits::eColor, L::eColorAttachmentOptimal,
               L::ePresentSrcKHR);
  }
  frame.submit(queue, *free, image->shown);
  swapchain.show(queue, *image);
  // Nothing is drawn ahead: what the mouse does next is in the very next picture.
  frame.wait();
  PresentResult shown;
  shown.shown = true;
  shown.at = now();
  judge(shown.at - began);
  return shown;
}

void Window::Implementation::judge(double seconds) {
  if (!judges) return;
  if (seconds > kTooLong) quality = std::min(quality + 1, kSharpness.size() - 1);
  if (seconds < kQuick && quality > 0) --quality;
}

void Window::Implementation::requireDisplay() const {
  if (glfw.displayLost())
    throw GraphicsUnavailable("the display is gone: its X server has ended, or the connection to it broke");
}

/// Where the display went away, that is what Vulkan's error comes of.
void Window::Implementation::fail(const vk::SystemError& error) const {
  glfwPollEvents();
  requireDisplay();
  throw GraphicsUnavailable(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
}

void Window::Implementation::copy(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image) {
  const vk::Extent2D extent = swapchain.extent();
  grow(pixels, chosen.physical, device, std::size_t(4) * extent.width * extent.height,
       vk::BufferUsageFlagBits::eTransferDst);
  using L = vk::ImageLayout;
  transition(commands, image.image, vk::ImageAspectFlagBits::eColor, L::eColorAttachmentOptimal,
             L::eTransferSrcOptimal);
  copyToHost(commands, image.image, extent, pixels);
  transition(commands, image.image, vk::ImageAspectFlagBits::eColor, L::eTransferSrcOptimal,
             L::ePresentSrcKHR);
}

Image Window::Implementation::picture() const {
  const vk::Extent2D extent = swapchain.extent();
  Image out{static_cast<int>(extent.width), static_cast<int>(extent.height), {}};
  out.rgba.resize(std::size_t(4) * extent.width * extent.height);
  std::memcpy(out.rgba.data(), pixels.data, out.rgba.size());
  if (swapchain.format() == vk::Format::eB8G8R8A8Srgb)
    for (std::size_t k = 0; k < out.rgba.size(); k += 4) std::swap(out.rgba[k], out.rgba[k + 2]);
  return out;
}

Window::Window(const std::string& title, const WindowGeometry& place) {
  // A machine without a display is told so, and its Vulkan drivers are left alone.
  { const GlfwSession display; }
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>(title, place);
  } catch (const vk::SystemError& error) {
    throw GraphicsUnavailable(
        fmt::format("the Vulkan device cannot be used ({}); see tenon doctor", error.what()));
  }
}

Window::~Window() = default;

double Window::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<WindowInput> Window::drainInput(double timeout) {
  if (timeout > 0) {
    glfwWaitEventsTimeout(timeout);
  } else {
    glfwPollEvents();
  }
  implementation_->requireDisplay();
  return std::move(implementation_->inputs);
}

bool Window::closing() const {
  return glfwWindowShouldClose(implementation_->window.get()) != 0;
}

bool Window::visible() const {
  return !implementation_->iconified && width() > 0 && height() > 0;
}

void Window::beginPanels() {
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

PresentResult Window::show(std::span<const View> views, const RenderScene& scene, bool keep, bool still) {
  Implementation& self = *implementation_;
  PresentResult shown;
  ImGui::Render();
  if (!visible()) return shown;
  try {
    shown = self.draw({static_cast<std::uint32_t>(width()), static_cast<std::uint32_t>(height())}, views,
                      scene, keep, still);
  } catch (const vk::SystemError& error) {
    self.fail(error);
  }
  // Displays that swallow pictures at once (a virtual one, a window that is covered) set no pace, nor do
  // those that take none.
  const double wait = self.lastShown + self.period - now();
  if (wait > 0 && wait < 0.1) std::this_thread::sleep_for(std::chrono::duration<double>(wait));
  self.lastShown = now();
  if (shown.shown && keep && self.swapchain.isReadable()) shown.picture = self.picture();
  return shown;
}

double Window::resolutionScale() const {
  return implementation_->resolutionScale;
}

void Window::setTitle(const std::string& title) {
  glfwSetWindowTitle(implementation_->window.get(), title.c_str());
}

WindowGeometry Window::place() const {
  GLFWwindow* const window = implementation_->window.get();
  WindowGeometry place;
  place.maximized = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) != 0;
  glfwGetWindowSize(window, &place.width, &place.height);
  int x = 0, y = 0;
  glfwGetWindowPos(window, &x, &y);
  place.x = x;
  place.y = y;
  return place;
}

double Window::aspect() const {
  return static_cast<double>(std::max(width(), 1)) / std::max(height(), 1);
}

int Window::width() const {
  return implementation_->pixelsWide;
}

int Window::height() const {
  return implementation_->pixelsHigh;
}

double Window::scale() const {
  return implementation_->scale;
}

bool Window::settled() const {
  return !implementation_->holds || implementation_->renderer.isUpToDate();
}

const std::string& Window::deviceName() const {
  return implementation_->deviceName;
}

}  // namespace tenon::xr
