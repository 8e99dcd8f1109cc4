// See xr_system.h.
#include "xr/openxr/xr_system.h"

#include <algorithm>
#include <cstring>

#include "xr/openxr/interaction_profiles.h"
#include "xr/openxr/runtime_probe.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

namespace {

std::string versionText(XrVersion version) {
  return fmt::format("{}.{}.{}", XR_VERSION_MAJOR(version), XR_VERSION_MINOR(version),
                     XR_VERSION_PATCH(version));
}

std::vector<const char*> optionalExtensions() {
  std::vector<const char*> all{XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME,
                               XR_EXT_DEBUG_UTILS_EXTENSION_NAME,
                               XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME,
                               XR_EXT_HAND_TRACKING_EXTENSION_NAME,
                               XR_EXT_PERFORMANCE_SETTINGS_EXTENSION_NAME,
                               XR_FB_PASSTHROUGH_EXTENSION_NAME,
                               XR_EXT_RENDER_MODEL_EXTENSION_NAME,
                               XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME,
                               XR_EXT_UUID_EXTENSION_NAME,
                               XR_FB_RENDER_MODEL_EXTENSION_NAME,
                               XR_MSFT_CONTROLLER_MODEL_EXTENSION_NAME,
                               XR_KHR_VISIBILITY_MASK_EXTENSION_NAME,
                               XR_EXT_PLANE_DETECTION_EXTENSION_NAME,
                               XR_VARJO_QUAD_VIEWS_EXTENSION_NAME,
                               XR_VARJO_FOVEATED_RENDERING_EXTENSION_NAME,
                               kUserPresenceExtension,
                               kLocalFloorExtension,
                               kMaintenance1Extension,
                               kPalmPoseExtension};
  for (const InteractionProfile& profile : interactionProfiles())
    if (profile.extension != nullptr && std::none_of(all.begin(), all.end(), [&](const char* one) {
          return std::strcmp(one, profile.extension) == 0;
        }))
      all.push_back(profile.extension);
  return all;
}

}  // namespace

void requireHeadset(const std::function<bool()>& shouldCancel) {
  const OpenXrProbe probe = probeOpenXr(shouldCancel);
  if (probe.problem.empty()) return;
  const std::string text = probe.problem + "; " + probe.remedy;
  if (probe.isRetryable) throw HeadsetUnavailable(text);
  throw GraphicsUnavailable(text);
}

OpenXrSystem::OpenXrSystem(LogCallback logMessage, EyeViews views) {
  try {
    calls_ =
        tenon::xr::makeInstance(openXrLoader(), {XR_KHR_VULKAN_ENABLE2_EXTENSION_NAME}, optionalExtensions());
    log_.emplace(calls_, std::move(logMessage));
    XrInstanceProperties runtime{};
    runtime.type = XR_TYPE_INSTANCE_PROPERTIES;
    calls_.check(calls_.GetInstanceProperties(calls_.instance, &runtime), "xrGetInstanceProperties");
    runtimeName_ =
        fmt::format("{} {} (OpenXR {}.{})", runtime.runtimeName, versionText(runtime.runtimeVersion),
                    XR_VERSION_MAJOR(calls_.version), XR_VERSION_MINOR(calls_.version));
    XrSystemGetInfo info{};
    info.type = XR_TYPE_SYSTEM_GET_INFO;
    info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    calls_.check(calls_.GetSystem(calls_.instance, &info, &id_), "xrGetSystem");
    XrSystemProperties system{};
    system.type = XR_TYPE_SYSTEM_PROPERTIES;
    calls_.check(calls_.GetSystemProperties(calls_.instance, id_, &system), "xrGetSystemProperties");
    headsetName_ = system.systemName;
    views_.emplace(calls_, id_, views);
  } catch (const HeadsetLost&) {
    end();
    throw;
  } catch (const std::runtime_error& error) {
    end();
    throw GraphicsUnavailable(
        fmt::format("the OpenXR runtime cannot be used: {}; see tenon doctor", error.what()));
  }
}

OpenXrSystem::~OpenXrSystem() {
  end();
}

void OpenXrSystem::end() {
  log_.reset();
  if (calls_.DestroyInstance != nullptr) calls_.DestroyInstance(calls_.instance);
}

InstanceFactory OpenXrSystem::instanceFactory() const {
  return [this](const vk::raii::Context& context, const VkInstanceCreateInfo& createInfo) {
    // The specification requires this call. Runtimes require versions older than 1.3.
    XrGraphicsRequirementsVulkan2KHR requirements{};
    requirements.type = XR_TYPE_GRAPHICS_REQUIREMENTS_VULKAN2_KHR;
    calls_.check(calls_.GetVulkanGraphicsRequirements2KHR(calls_.instance, id_, &requirements),
                 "xrGetVulkanGraphicsRequirements2KHR");
    if (requirements.minApiVersionSupported > XR_MAKE_VERSION(1, 3, 0))
      throw GraphicsUnavailable(fmt::format("the OpenXR runtime requires Vulkan {}, this program uses 1.3",
                                            versionText(requirements.minApiVersionSupported)));
    XrVulkanInstanceCreateInfoKHR info{};
    info.type = XR_TYPE_VULKAN_INSTANCE_CREATE_INFO_KHR;
    info.systemId = id_;
    info.pfnGetInstanceProcAddr = context.getDispatcher()->vkGetInstanceProcAddr;
    info.vulkanCreateInfo = &createInfo;
    VkInstance instance = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    calls_.check(calls_.CreateVulkanInstanceKHR(calls_.instance, &info, &instance, &result),
                 "xrCreateVulkanInstanceKHR");
    vk::resultCheck(static_cast<vk::Result>(result), "xrCreateVulkanInstanceKHR");
    return instance;
  };
}

DeviceFactory OpenXrSystem::deviceFactory() const {
  return [this](const vk::raii::PhysicalDevice& physical, const VkDeviceCreateInfo& createInfo) {
    XrVulkanDeviceCreateInfoKHR info{};
    info.type = XR_TYPE_VULKAN_DEVICE_CREATE_INFO_KHR;
    info.systemId = id_;
    info.pfnGetInstanceProcAddr = physical.getDispatcher()->vkGetInstanceProcAddr;
    info.vulkanPhysicalDevice = *physical;
    info.vulkanCreateInfo = &createInfo;
    VkDevice device = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    calls_.check(calls_.CreateVulkanDeviceKHR(calls_.instance, &info, &device, &result),
                 "xrCreateVulkanDeviceKHR");
    vk::resultCheck(static_cast<vk::Result>(result), "xrCreateVulkanDeviceKHR");
    return device;
  };
}

ChosenDevice OpenXrSystem::chooseDevice(const vk::raii::Instance& instance) const {
  XrVulkanGraphicsDeviceGetInfoKHR info{};
  info.type = XR_TYPE_VULKAN_GRAPHICS_DEVICE_GET_INFO_KHR;
  info.systemId = id_;
  info.vulkanInstance = *instance;
  VkPhysicalDevice device = VK_NULL_HANDLE;
  const XrResult result = calls_.GetVulkanGraphicsDevice2KHR(calls_.instance, &info, &device);
  if (XR_FAILED(result))
    throw GraphicsUnavailable(
        fmt::format("the headset's graphics device is not available to Vulkan ({}); let the OpenXR runtime "
                    "and this program use the same graphics card and driver (see tenon doctor)",
                    calls_.nameOf(result)));
  return chooseGivenDevice(vk::raii::PhysicalDevice(instance, device));
}

}  // namespace tenon::xr
