// The window is GLFW's, the pictures are copied on the device that draws for the headset.
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

constexpr double kShortest = 1.0 / 60;  ///< between two pictures [s]
constexpr int kMirrorWidth = 960, kMirrorHeight = 720;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool allAreIn(const std::vector<vk::ExtensionProperties>& offered, const std::vector<const char*>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const char* name) {
    return std::any_of(offered.begin(), offered.end(), [&](const vk::ExtensionProperties& one) {
      return std::strcmp(one.extensionName, name) == 0;
    });
  });
}

}  // namespace

struct MirrorWindow::Implementation {
  GlfwSession glfw;
  GLFWwindow* window = nullptr;
  bool closed = false;
  bool drawnInto = false;  ///< a Mirror has it

  Implementation() = default;
  ~Implementation() { close(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  /// Where the display is gone nothing is asked of it any more.
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

/// The window itself stays until nothing draws into it any more.
void MirrorWindow::poll() {
  Implementation& self = *implementation_;
  if (!self.closed) {
    glfwPollEvents();
    self.closed = self.glfw.displayLost() || glfwWindowShouldClose(self.window) != 0;
  }
  if (self.closed && !self.drawnInto) self.close();
}

bool MirrorWindow::closed() const {
  return implementation_->closed;
}

std::vector<const char*> mirrorInstanceExtensions(const vk::raii::Context& context, MirrorWindow* window) {
  if (window == nullptr || window->closed()) return {};
  try {
    std::vector<const char*> names = windowExtensions();
    return allAreIn(context.enumerateInstanceExtensionProperties(), names) ? names
                                                                           : std::vector<const char*>();
  } catch (const GraphicsUnavailable&) {
    return {};
  }
}

std::vector<const char*> mirrorDeviceExtensions(const ChosenDevice& chosen, bool wanted) {
  const std::vector<const char*> names{VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  return wanted && allAreIn(chosen.physical.enumerateDeviceExtensionProperties(), names)
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
  window.implementation().drawnInto = true;
}

Mirror::~Mirror() {
  try {
    if (handedOver_) frame_.wait();
    device_.waitIdle();
  } catch (const std::runtime_error&) {  // a lost device reads nothing any more
  }
  swapchain_.reset();
  surface_ = nullptr;
  window_.implementation().drawnInto = false;
  if (window_.closed()) window_.implementation().close();
}

void Mirror::copy(const vk::raii::CommandBuffer& commands, vk::Image eye, vk::Extent2D extent,
                  const Swapchain::Image& to) const {
  using L = vk::ImageLayout;
  constexpr auto kColour = vk::ImageAspectFlagBits::eColor;
  const vk::Extent2D window = swapchain_->extent();
  // The largest part of the picture, in its middle, that has the window's shape.
  const double scale = std::min(static_cast<double>(extent.width) / window.width,
                                static_cast<double>(extent.height) / window.height);
  const auto width = static_cast<std::int32_t>(scale * window.width),
             height = static_cast<std::int32_t>(scale * window.height);
  const std::int32_t x = (static_cast<std::int32_t>(extent.width) - width) / 2,
                     y = (static_cast<std::int32_t>(extent.height) - height) / 2;
  vk::ImageBlit region{.srcSubresource = {kColour, 0, 0, 1}, .dstSubresource = {kColour, 0, 0, 1}};
  region.srcOffsets[0] = vk::Offset3D{x, y, 0};
  region.srcOffsets[1] = vk::Offset3D{x + width, y + height, 1};
  region.dstOffsets[1] =
      vk::Offset3D{static_cast<std::int32_t>(window.width), static_cast<std::int32_t>(window.height), 1};
  transition(commands, eye, kColour, L::eColorAttachmentOptimal, L::eTransferSrcOptimal);
  transition(commands, to.image, kColour, L::eUndefined, L::eTransferDstOptimal);
  commands.blitImage(eye, L::eTransferSrcOptimal, to.image, L::eTransferDstOptimal, region,
                     vk::Filter::eLinear);
  transition(commands, to.image, kColour, L::eTransferDstOptimal, L::ePresentSrcKHR);
  transition(commands, eye, kColour, L::eTransferSrcOptimal, L::eColorAttachmentOptimal);
}

void Mirror::tryToShow(vk::Image eye, vk::Extent2D extent) {
  const vk::Extent2D size = window_.implementation().size();
  if (size.width == 0 || size.height == 0) return;
  if (handedOver_) frame_.wait();
  handedOver_ = false;
  const std::optional<Swapchain::Image> image = swapchain_->next(size, *free_);
  if (!image) return;
  const vk::raii::CommandBuffer& commands = frame_.begin();
  copy(commands, eye, extent, *image);
  frame_.submit(queue_, *free_, image->shown);
  handedOver_ = true;
  swapchain_->show(queue_, *image);
  last_ = secondsNow();
  ++shown_;
}

void Mirror::show(vk::Image eye, vk::Extent2D extent) {
  if (!swapchain_ || window_.closed() || secondsNow() - last_ < kShortest) return;
  try {
    tryToShow(eye, extent);
  } catch (const vk::DeviceLostError&) {
    throw;  // which concerns the headset, too
  } catch (const vk::SystemError&) {
    window_.implementation().closed = true;
  } catch (const GraphicsUnavailable&) {  // its copying does not end
    window_.implementation().closed = true;
  }
}

}  // namespace tenon::xr
