// A Vulkan layer for tests: while the file that TENON_FAULTS names has a line "CALL RESULT", that call gives
// that result and does nothing; a line "CALL RESULT once" is for one call, and the file goes then.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// One instance and one device at a time is what the program under test has.
PFN_vkGetInstanceProcAddr nextInstanceProc = nullptr;
PFN_vkGetDeviceProcAddr nextDeviceProc = nullptr;
VkInstance instanceNow = VK_NULL_HANDLE;
VkDevice deviceNow = VK_NULL_HANDLE;

/// What this call is to give; VK_SUCCESS: what it gives by itself.
VkResult faultOf(const char* call) {
  const char* const file = std::getenv("TENON_FAULTS");
  std::FILE* const in = file == nullptr ? nullptr : std::fopen(file, "r");
  if (in == nullptr) return VK_SUCCESS;
  char name[64] = {}, once[8] = {};
  int result = 0;
  const int count = std::fscanf(in, "%63s %d %7s", name, &result, once);
  std::fclose(in);
  if (count < 2 || std::strcmp(name, call) != 0) return VK_SUCCESS;
  if (count == 3) std::remove(file);
  return static_cast<VkResult>(result);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(nextDeviceProc(deviceNow, name));
}

VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* submits,
                                       VkFence fence) {
  if (const VkResult fault = faultOf("submit"); fault != VK_SUCCESS) return fault;
  return next<PFN_vkQueueSubmit2>("vkQueueSubmit2")(queue, count, submits, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL acquire(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout,
                                       VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  if (const VkResult fault = faultOf("acquire"); fault != VK_SUCCESS) return fault;
  return next<PFN_vkAcquireNextImageKHR>("vkAcquireNextImageKHR")(device, swapchain, timeout, semaphore,
                                                                  fence, index);
}

VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR* info) {
  const VkResult fault = faultOf("present");
  const VkResult result = next<PFN_vkQueuePresentKHR>("vkQueuePresentKHR")(queue, info);
  return fault != VK_SUCCESS ? fault : result;
}

/// The loader's word on who comes next, among what hangs on `info`; null: it is not there.
template <class Link, class Info>
Link* linkIn(const Info* info, VkStructureType type) {
  auto* link = static_cast<Link*>(const_cast<void*>(info->pNext));
  while (link != nullptr && !(link->sType == type && link->function == VK_LAYER_LINK_INFO))
    link = static_cast<Link*>(const_cast<void*>(link->pNext));
  return link;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator, VkInstance* instance) {
  auto* const link = linkIn<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  nextInstanceProc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(nextInstanceProc(VK_NULL_HANDLE, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result == VK_SUCCESS) instanceNow = *instance;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* const link = linkIn<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr instanceProc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  nextDeviceProc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(instanceProc(instanceNow, "vkCreateDevice"));
  const VkResult result = create(physical, info, allocator, device);
  if (result == VK_SUCCESS) deviceNow = *device;
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceProc(VkDevice device, const char* name);

template <class Function>
PFN_vkVoidFunction plain(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction ours(const char* name) {
  const std::string wanted = name;
  if (wanted == "vkGetDeviceProcAddr") return plain(deviceProc);
  if (wanted == "vkCreateInstance") return plain(createInstance);
  if (wanted == "vkCreateDevice") return plain(createDevice);
  if (wanted == "vkQueueSubmit2") return plain(submit2);
  if (wanted == "vkAcquireNextImageKHR") return plain(acquire);
  if (wanted == "vkQueuePresentKHR") return plain(present);
  return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceProc(VkDevice device, const char* name) {
  const PFN_vkVoidFunction function = ours(name);
  return function != nullptr ? function : nextDeviceProc(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceProc(VkInstance instance, const char* name) {
  if (const PFN_vkVoidFunction function = ours(name); function != nullptr) return function;
  return nextInstanceProc == nullptr ? nullptr : nextInstanceProc(instance, name);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  if (version->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = instanceProc;
  version->pfnGetDeviceProcAddr = deviceProc;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
