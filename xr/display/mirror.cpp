// A GLFW window; images are copied on the headset's device.
#include "xr/display/mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "xr/display/glfw_session.h"
#include "xr/display/glfw_surface.h"
#include "xr/vulkan/device_memory.h"
#include "xr/vulkan/graphics_unavailable.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

constexpr double kMinPeriod = 1.0 / 60;  ///< between two frames [s]
constexpr int kMirrorWidth = 960, kMirrorHeight = 720;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool containsAll(const std::vector<vk::ExtensionProperties>& available,
                 const std::vector<const char*>& required) {
  return std::all_of(required.begin(), required.end(), [&](const char* name) {
    return std::any_of(available.begin(), available.end(), [&](const vk::ExtensionProperties& extension) {
      return std::strcmp(extension.extensionName, name) == 0;
    });
  });
}

}  // namespace

struct MirrorWindow::Implementation {
  GlfwSession glfw;
  GLFWwindow* window = nullptr;
  bool closed = false;
  bool isUsed = false;  ///< by a Mirror

  Implementation() = default;
  ~Implementation() { close(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  /// GLFW is not called after the display was lost.
  void close() {
    closed = true;
    if (window != nullptr && !glfw.displayLost()) glfwDestroyWindow(window);
    window = nullptr;
  }
  vk::Extent2D size() const {
    int width = 0, height = 0;
    if (window != nullptr && !glfw.displayLost()) glfwGetFramebufferSize(window, &width, &height);
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  }
};

MirrorWindow::MirrorWindow(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
MirrorWindow::~MirrorWindow() = default;

std::unique_ptr<MirrorWindow> MirrorWindow::open(const std::string& title) {
  try {
    auto made = std::make_unique<Implementation>();
    if (glfwVulkanSupported() != GLFW_TRUE) return nullptr;
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    made->window = glfwCreateWindow(kMirrorWidth, kMirrorHeight, title.c_str(), nullptr, nullptr);
    if (made->window == nullptr) return nullptr;
    return std::unique_ptr<MirrorWindow>(new MirrorWindow(std::move(made)));
  } catch (const GraphicsUnavailable&) {
    return nullptr;
  }
}

/// The window is destroyed when no Mirror uses it any more.
void MirrorWindow::poll() {
  Implementation& self = *implementation_;
  if (!self.closed) {
    glfwPollEvents();
    self.closed = self.glfw.displayLost() || glfwWindowShouldClose(self.window) != 0;
  }
  if (self.closed && !self.isUsed) self.close();
}

bool MirrorWindow::closed() const {
  return implementation_->closed;
}

std::vector<const char*> mirrorInstanceExtensions(const vk::raii::Context& context, MirrorWindow* window) {
  if (window == nullptr || window->closed()) return {};
  try {
    std::vector<const char*> names = windowExtensions();
    return containsAll(context.enumerateInstanceExtensionProperties(), names) ? names
                                                                              : std::vector<const char*>();
  } catch (const GraphicsUnavailable&) {
    return {};
  }
}

std::vector<const char*> mirrorDeviceExtensions(const ChosenDevice& chosen, bool wanted) {
  const std::vector<const char*> names{VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  return wanted && containsAll(chosen.physical.enumerateDeviceExtensionProperties(), names)
             ? names
             : std::vector<const char*>();
}

Mirror::Mirror(const vk::raii::Instance& instance, const ChosenDevice& chosen, const vk::raii::Device& device,
               const vk::raii::Queue& queue, MirrorWindow& window)
    : device_(device),
      queue_(queue),
      window_(window),
      frame_(device, chosen.family),
      free_(device.createSemaphore({})) {
  try {
    surface_ = surfaceOf(instance, window.implementation().window);
    if (chosen.physical.getSurfaceSupportKHR(chosen.family, *surface_) != 0)
      swapchain_.emplace(chosen, device, *surface_, PresentPacing::unthrottled);
  } catch (const GraphicsUnavailable&) {
  } catch (const vk::SystemError&) {
  }
  window.implementation().isUsed = true;
}

Mirror::~Mirror() {
  try {
    if (submitted_) frame_.wait();
    device_.waitIdle();
  } catch (const std::runtime_error&) {  // a lost device reads nothing any more
  }
  swapchain_.reset();
  surface_ = nullptr;
  window_.implementation().isUsed = false;
  if (window_.closed()) window_.implementation().close();
}

void Mirror::copy(const vk::raii::CommandBuffer& commands, vk::Image eye, vk::Extent2D extent,
                  const Swapchain::Image& to) const {
  using L = vk::ImageLayout;
  constexpr auto kColor = vk::ImageAspectFlagBits::eColor;
  const vk::Extent2D window = swapchain_->extent();
  // The largest centered part of the image with the window's aspect.
  const double scale = std::min(static_cast<double>(extent.width) / window.width,
                                static_cast<double>(extent.height) / window.height);
  const auto width = static_cast<std::int32_t>(scale * window.width),
             height = static_cast<std::int32_t>(scale * window.height);
  const std::int32_t x = (static_cast<std::int32_t>(extent.width) - width) / 2,
                     y = (static_cast<std::int32_t>(extent.height) - height) / 2;
  vk::ImageBlit region{.srcSubresource = {kColor, 0, 0, 1}, .dstSubresource = {kColor, 0, 0, 1}};
  region.srcOffsets[0] = vk::Offset3D{x, y, 0};
  region.srcOffsets[1] = vk::Offset3D{x + width, y + height, 1};
  region.dstOffsets[1] =
      vk::Offset3D{static_cast<std::int32_t>(window.width), static_cast<std::int32_t>(window.height), 1};
  transition(commands, eye, kColor, L::eColorAttachmentOptimal, L::eTransferSrcOptimal);
  transition(commands, to.image, kColor, L::eUndefined, L::eTransferDstOptimal);
  commands.blitImage(eye, L::eTransferSrcOptimal, to.image, L::eTransferDstOptimal, region,
                     vk::Filter::eLinear);
  transition(commands, to.image, kColor, L::eTransferDstOptimal, L::ePresentSrcKHR);
  transition(commands, eye, kColor, L::eTransferSrcOptimal, L::eColorAttachmentOptimal);
}

void Mirror::tryToShow(vk::Image eye, vk::Extent2D extent) {
  const vk::Extent2D size = window_.implementation().size();
  if (size.width == 0 || size.height == 0) return;
  if (submitted_) frame_.wait();
  submitted_ = false;
  const std::optional<Swapchain::Image> image = swapchain_->next(size, *free_);
  if (!image) return;
  const vk::raii::CommandBuffer& commands = frame_.begin();
  copy(commands, eye, extent, *image);
  frame_.submit(queue_, *free_, image->rendered);
  submitted_ = true;
  swapchain_->show(queue_, *image);
  lastTime_ = secondsNow();
  ++shownFrames_;
}

void Mirror::show(vk::Image eye, vk::Extent2D extent) {
  if (!swapchain_ || window_.closed() || secondsNow() - lastTime_ < kMinPeriod) return;
  try {
    tryToShow(eye, extent);
  } catch (const vk::DeviceLostError&) {
    throw;  // an error of the headset too
  } catch (const vk::SystemError&) {
    window_.implementation().closed = true;
  } catch (const GraphicsUnavailable&) {  // the copy timed out
    window_.implementation().closed = true;
  }
}

}  // namespace tenon::xr
