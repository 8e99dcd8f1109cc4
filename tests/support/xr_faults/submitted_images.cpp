// See submitted_images.h.
#include "tests/support/xr_faults/submitted_images.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

namespace {

struct Swapchain {
  XrSwapchainCreateInfo info{};
  std::vector<VkImage> images;
  std::uint32_t acquired = 0;        ///< index
  std::vector<std::uint8_t> pixels;  ///< read; of all layers, 4 bytes each
};

XrGraphicsBindingVulkan2KHR device{};
std::map<XrSwapchain, Swapchain> swapchains;
XrSwapchain lastDepth = XR_NULL_HANDLE;  // made last

/// A function of Vulkan for the program's device.
template <class Function>
Function find(const char* name) {
  static void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto ofInstance =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  return reinterpret_cast<Function>(ofInstance(device.instance, name));
}
#define TENON_VK(Name) find<PFN_vk##Name>("vk" #Name)

bool isColor(std::int64_t format) {
  return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB;
}

std::uint32_t hostMemoryType(std::uint32_t allowed) {
  VkPhysicalDeviceMemoryProperties memory{};
  TENON_VK(GetPhysicalDeviceMemoryProperties)(device.physicalDevice, &memory);
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (std::uint32_t k = 0; k < memory.memoryTypeCount; ++k)
    if ((allowed >> k & 1) != 0 && (memory.memoryTypes[k].propertyFlags & kHost) == kHost) return k;
  return 0;
}

/// The image is a color attachment, before and after.
void recordCopy(VkCommandBuffer commands, const Swapchain& swapchain, VkBuffer to) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = swapchain.images[swapchain.acquired];
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, swapchain.info.arraySize};
  const auto wait = [&] {
    TENON_VK(CmdPipelineBarrier)
    (commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0,
     nullptr, 1, &barrier);
  };
  wait();
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, swapchain.info.arraySize};
  region.imageExtent = {swapchain.info.width, swapchain.info.height, 1};
  TENON_VK(CmdCopyImageToBuffer)
  (commands, barrier.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to, 1, &region);
  std::swap(barrier.oldLayout, barrier.newLayout);
  wait();
}

/// Records, submits, and waits.
void execute(const Swapchain& swapchain, VkBuffer to) {
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = device.queueFamilyIndex;
  VkCommandPool pool = VK_NULL_HANDLE;
  TENON_VK(CreateCommandPool)(device.device, &poolInfo, nullptr, &pool);
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  TENON_VK(AllocateCommandBuffers)(device.device, &info, &commands);
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  TENON_VK(BeginCommandBuffer)(commands, &begin);
  recordCopy(commands, swapchain, to);
  TENON_VK(EndCommandBuffer)(commands);
  VkQueue queue = VK_NULL_HANDLE;
  TENON_VK(GetDeviceQueue)(device.device, device.queueFamilyIndex, device.queueIndex, &queue);
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  TENON_VK(QueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE);
  TENON_VK(QueueWaitIdle)(queue);
  TENON_VK(DestroyCommandPool)(device.device, pool, nullptr);
}

void writeView(const XrSwapchainSubImage& part, const std::string& file) {
  const Swapchain& swapchain = swapchains[part.swapchain];
  const auto width = static_cast<std::size_t>(part.imageRect.extent.width),
             height = static_cast<std::size_t>(part.imageRect.extent.height);
  std::ofstream out(file, std::ios::binary);
  out << "P6 " << width << ' ' << height << " 255\n";
  const bool isBgr = swapchain.info.format == VK_FORMAT_B8G8R8A8_SRGB;
  const std::size_t layer = std::size_t(swapchain.info.height) * part.imageArrayIndex;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t row = layer + static_cast<std::size_t>(part.imageRect.offset.y) + y;
      const auto* const pixel =
          &swapchain.pixels[4 * (row * swapchain.info.width +
                                 static_cast<std::size_t>(part.imageRect.offset.x) + x)];
      for (const std::size_t k : {0, 1, 2}) out.put(static_cast<char>(pixel[isBgr ? 2 - k : k]));
    }
}

}  // namespace

void rememberDevice(const XrSessionCreateInfo& info) {
  swapchains.clear();
  for (auto* next = static_cast<const XrBaseInStructure*>(info.next); next != nullptr; next = next->next)
    if (next->type == XR_TYPE_GRAPHICS_BINDING_VULKAN2_KHR)
      device = *reinterpret_cast<const XrGraphicsBindingVulkan2KHR*>(next);
}

void rememberSwapchain(XrSwapchain swapchain, const XrSwapchainCreateInfo& info) {
  swapchains[swapchain] = {info, {}, 0, {}};
  if (!isColor(info.format)) lastDepth = swapchain;
}

bool isLastDepth(XrSwapchain swapchain) {
  return swapchain == lastDepth;
}

void rememberImages(XrSwapchain swapchain, std::uint32_t count, const XrSwapchainImageBaseHeader* images) {
  const auto* const vulkan = reinterpret_cast<const XrSwapchainImageVulkan2KHR*>(images);
  swapchains[swapchain].images.clear();
  for (std::uint32_t k = 0; k < count; ++k) swapchains[swapchain].images.push_back(vulkan[k].image);
}

void rememberAcquired(XrSwapchain swapchain, std::uint32_t index) {
  swapchains[swapchain].acquired = index;
}

void readImage(XrSwapchain handle) {
  Swapchain& swapchain = swapchains[handle];
  if (!isColor(swapchain.info.format) || valueOf("images").empty()) return;
  const std::size_t bytes =
      std::size_t(4) * swapchain.info.width * swapchain.info.height * swapchain.info.arraySize;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  TENON_VK(CreateBuffer)(device.device, &info, nullptr, &buffer);
  VkMemoryRequirements needs{};
  TENON_VK(GetBufferMemoryRequirements)(device.device, buffer, &needs);
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needs.size;
  allocation.memoryTypeIndex = hostMemoryType(needs.memoryTypeBits);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  TENON_VK(AllocateMemory)(device.device, &allocation, nullptr, &memory);
  TENON_VK(BindBufferMemory)(device.device, buffer, memory, 0);
  execute(swapchain, buffer);
  void* mapped = nullptr;
  TENON_VK(MapMemory)(device.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  swapchain.pixels.resize(bytes);
  std::memcpy(swapchain.pixels.data(), mapped, bytes);
  TENON_VK(DestroyBuffer)(device.device, buffer, nullptr);
  TENON_VK(FreeMemory)(device.device, memory, nullptr);
}

void writeImages(const XrCompositionLayerProjection& layer) {
  const std::string folder = valueOf("images");
  if (folder.empty()) return;
  for (std::uint32_t k = 0; k < layer.viewCount; ++k)
    if (swapchains[layer.views[k].subImage.swapchain].pixels.empty()) return;  // of the next frame
  for (std::uint32_t k = 0; k < layer.viewCount; ++k)
    writeView(layer.views[k].subImage, folder + "/view" + std::to_string(k) + ".ppm");
  for (auto& [handle, swapchain] : swapchains) swapchain.pixels.clear();
  takeLine("images");
}

}  // namespace tenon::faults
