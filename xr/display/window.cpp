// GLFW provides window and input, WindowRenderer the scene, UiPass the panels.
#include "xr/display/window.h"

#include <fmt/format.h>
#include <imgui.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <thread>

#include "xr/display/glfw_surface.h"
#include "xr/display/glfw_window.h"
#include "xr/display/swapchain.h"
#include "xr/display/ui_pass.h"
#include "xr/display/ui_style.h"
#include "xr/display/window_events.h"
#include "xr/display/window_renderer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

namespace tenon::xr {

namespace {

/// Dear ImGui's context, connected to a window.
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

/// Calls `function` on a thread of lower priority, which the threads of a software renderer inherit: physics
/// has priority over rendering.
template <class Function>
auto runAtLowPriority(const Function& function) {
  return std::async(std::launch::async,
                    [&] {
                      constexpr int kNice = 5;
                      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
                      return function();
                    })
      .get();
}

constexpr const char* kSwapchainExtension[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};

}  // namespace

struct Window::Implementation {
  // Destroyed in reverse order.
  GlfwSession glfw;
  WindowHandle window;
  double scale;
  WindowEvents events;
  vk::raii::Context context;
  vk::raii::Instance instance;
  vk::raii::SurfaceKHR surface;
  ChosenDevice chosen;
  vk::raii::Device device;
  vk::raii::Queue queue;
  Frame frame;
  vk::raii::Semaphore free;
  Swapchain swapchain;
  WindowRenderer renderer;
  UiContext ui;
  UiPass uiPass;
  std::string deviceName;
  MappedBuffer pixels;
  double lastShown = -1;  ///< by now() [s]

  Implementation(const std::string& title, const WindowGeometry& geometry)
      : window(openWindow(glfw, title, geometry)),
        scale(contentScaleOf(window.get())),
        events(window.get()),
        instance(makeInstance(context, windowExtensions())),
        surface(surfaceOf(instance, window.get())),
        chosen(runAtLowPriority([&] { return chooseDevice(instance, *surface); })),
        device(runAtLowPriority([&] { return makeDevice(chosen, kSwapchainExtension); })),
        queue(device.getQueue(chosen.family, 0)),
        frame(device, chosen.family),
        free(device.createSemaphore({})),
        swapchain(chosen, device, *surface),
        renderer(chosen, device, swapchain),
        ui(glfw, window.get(), scale),
        uiPass(chosen.physical, device, chosen.family, swapchain.format()),
        deviceName(chosen.physical.getProperties().deviceName.data()) {}

  ~Implementation() {
    try {
      device.waitIdle();
    } catch (const vk::SystemError&) {  // a lost device uses nothing
    }
  }

  PresentResult draw(std::span<const View> views, const RenderScene& scene, bool capture, bool isStatic);
  /// Waits for the rest of the display's period.
  void waitForPeriod();
  void requireDisplay() const;
  [[noreturn]] void fail(const vk::SystemError& error) const;
  void copyToPixels(const vk::raii::CommandBuffer& commands, const Swapchain::Image& image);
  Image capturedImage() const;
};

PresentResult Window::Implementation::draw(std::span<const View> views, const RenderScene& scene,
                                           bool capture, bool isStatic) {
  if (events.consumeResized()) swapchain.invalidate();
  const vk::Extent2D size{static_cast<std::uint32_t>(events.width()),
                          static_cast<std::uint32_t>(events.height())};
  const std::optional<Swapchain::Image> image = swapchain.next(size, *free);
  if (!image) return {};
  const double start = now();
  const vk::raii::CommandBuffer& commands = frame.begin();
  renderer.draw(commands, *image, views, scene, capture, capture || isStatic);
  uiPass.draw(commands, image->view, swapchain.extent(), *ImGui::GetDrawData());
  if (capture && swapchain.isReadable()) {
    copyToPixels(commands, *image);
  } else {
    transition(commands, image->image, vk::ImageAspectFlagBits::eColor,
               vk::ImageLayout::eColorAttachmentOptimal, vk::ImageLayout::ePresentSrcKHR);
  }
  frame.submit(queue, *free, image->rendered);
  swapchain.show(queue, *image);
  // No frame is drawn ahead, so that input appears in the very next frame.
  frame.wait();
  PresentResult result;
  result.presented = true;
  result.time_s = now();
  renderer.adaptResolution(result.time_s - start);
  return result;
}

/// Virtual displays and covered windows present at once and do not throttle; failed frames do not either.
void Window::Implementation::waitForPeriod() {
  const double wait = lastShown + events.period() - now();
  if (wait > 0 && wait < 0.1) std::this_thread::sleep_for(std::chrono::duration<double>(wait));
  lastShown = now();
}

void Window::Implementation::requireDisplay() const {
  if (glfw.displayLost())
    throw GraphicsUnavailable("the display was lost: its X server has ended, or the connection to it broke");
}

/// Reports a lost display instead of the Vulkan error that it causes.
void Window::Implementation::fail(const vk::SystemError& error) const {
  glfwPollEvents();
  requireDisplay();
  throw GraphicsUnavailable(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
}

void Window::Implementation::copyToPixels(const vk::raii::CommandBuffer& commands,
                                          const Swapchain::Image& image) {
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

Image Window::Implementation::capturedImage() const {
  const vk::Extent2D extent = swapchain.extent();
  Image out{static_cast<int>(extent.width), static_cast<int>(extent.height), {}};
  out.rgba.resize(std::size_t(4) * extent.width * extent.height);
  std::memcpy(out.rgba.data(), pixels.data, out.rgba.size());
  if (swapchain.format() == vk::Format::eB8G8R8A8Srgb)
    for (std::size_t k = 0; k < out.rgba.size(); k += 4) std::swap(out.rgba[k], out.rgba[k + 2]);
  return out;
}

Window::Window(const std::string& title, const WindowGeometry& geometry) {
  // A missing display is reported before Vulkan drivers are loaded.
  { const GlfwSession display; }
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>(title, geometry);
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
  return implementation_->events.drainInput();
}

bool Window::closing() const {
  return glfwWindowShouldClose(implementation_->window.get()) != 0;
}

void Window::keepOpen() {
  glfwSetWindowShouldClose(implementation_->window.get(), GLFW_FALSE);
}

bool Window::visible() const {
  return !implementation_->events.iconified() && width() > 0 && height() > 0;
}

void Window::beginPanels() {
  ImGui_ImplGlfw_NewFrame();
  implementation_->requireDisplay();  // the sizes that GLFW reads from a lost display are undefined
  ImGui::NewFrame();
}

PresentResult Window::show(std::span<const View> views, const RenderScene& scene, bool capture,
                           bool isStatic) {
  Implementation& self = *implementation_;
  PresentResult result;
  ImGui::Render();
  if (!visible()) return result;
  try {
    result = self.draw(views, scene, capture, isStatic);
  } catch (const vk::SystemError& error) {
    self.fail(error);
  }
  self.waitForPeriod();
  if (result.presented && capture && self.swapchain.isReadable()) result.image = self.capturedImage();
  return result;
}

double Window::resolutionScale() const {
  return implementation_->renderer.resolutionScale();
}

void Window::showPictures(const Image& sheet) {
  try {
    implementation_->uiPass.setPictures(sheet);
  } catch (const vk::SystemError& error) {
    implementation_->fail(error);
  }
}

void Window::setTitle(const std::string& title) {
  glfwSetWindowTitle(implementation_->window.get(), title.c_str());
}

WindowGeometry Window::geometry() const {
  GLFWwindow* const window = implementation_->window.get();
  WindowGeometry geometry;
  geometry.maximized = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) != 0;
  glfwGetWindowSize(window, &geometry.width, &geometry.height);
  int x = 0, y = 0;
  glfwGetWindowPos(window, &x, &y);
  implementation_->requireDisplay();
  geometry.x = x;
  geometry.y = y;
  return geometry;
}

double Window::aspect() const {
  return static_cast<double>(std::max(width(), 1)) / std::max(height(), 1);
}

int Window::width() const {
  return implementation_->events.width();
}

int Window::height() const {
  return implementation_->events.height();
}

double Window::scale() const {
  return implementation_->scale;
}

bool Window::settled() const {
  return implementation_->renderer.settled();
}

const std::string& Window::deviceName() const {
  return implementation_->deviceName;
}

}  // namespace tenon::xr
