// Probes loader, runtime and headset in this order and stops at the first missing one. The loader is opened
// at run time, so the program starts without one.
#include "xr/openxr/runtime_probe.h"

#define XR_NO_PROTOTYPES 1
#include <dlfcn.h>
#include <fmt/format.h>
#include <openxr/openxr.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "xr/isolated_process.h"
#include "xr/text_fields.h"

namespace tenon::xr {
namespace {

using namespace std::chrono_literals;
constexpr const char* kVulkan = "XR_KHR_vulkan_enable2";
constexpr auto kTimeout = 15s;  ///< runtimes may start a service before they respond

const char* const kInstallRuntime =
    "start SteamVR, Monado or WiVRn and make it the active OpenXR runtime, or set XR_RUNTIME_JSON to its "
    "manifest";

/// The loader and an instance.
struct LoaderCalls {
  PFN_xrGetInstanceProcAddr find = nullptr;
  XrInstance instance = XR_NULL_HANDLE;

  template <typename Function>
  Function get(const char* name) const {
    PFN_xrVoidFunction function = nullptr;
    if (find(instance, name, &function) != XR_SUCCESS) return nullptr;
    return reinterpret_cast<Function>(function);
  }
};

bool findLoader(LoaderCalls& calls, OpenXrProbe& probe) {
  void* library = dlopen("libopenxr_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) {
    calls.find = reinterpret_cast<PFN_xrGetInstanceProcAddr>(dlsym(library, "xrGetInstanceProcAddr"));
  }
  probe.loader = calls.find != nullptr;
  if (!probe.loader) {
    probe.problem = "no OpenXR loader (libopenxr_loader.so.1)";
    probe.remedy = "install libopenxr-loader1";
  }
  return probe.loader;
}

void reportNoRuntime(XrResult result, OpenXrProbe& probe) {
  const char* manifest = std::getenv("XR_RUNTIME_JSON");
  const int code = static_cast<int>(result);
  if (result == XR_ERROR_RUNTIME_FAILURE) {
    // The runtime is installed, but its service is not running.
    probe.isRetryable = true;
    probe.problem = fmt::format("the OpenXR runtime does not start (XrResult {})", code);
    probe.remedy =
        "start the runtime's own program or service (SteamVR, monado-service, WiVRn), and try again";
  } else if (manifest != nullptr && *manifest != '\0') {
    probe.problem = fmt::format(
        "the OpenXR runtime that XR_RUNTIME_JSON names ({}) did not load (XrResult {})", manifest, code);
    probe.remedy = "set XR_RUNTIME_JSON to the manifest of an installed runtime, or unset it";
  } else {
    probe.problem = fmt::format("no OpenXR runtime is active (XrResult {})", code);
    probe.remedy = kInstallRuntime;
  }
}

XrResult createInstance(LoaderCalls& calls) {
  const auto create = calls.get<PFN_xrCreateInstance>("xrCreateInstance");
  if (create == nullptr) return XR_ERROR_FUNCTION_UNSUPPORTED;
  XrInstanceCreateInfo info{};
  info.type = XR_TYPE_INSTANCE_CREATE_INFO;
  std::strncpy(info.applicationInfo.applicationName, "tenon", XR_MAX_APPLICATION_NAME_SIZE - 1);
  info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
  return create(&info, &calls.instance);
}

XrResult listExtensions(const LoaderCalls& calls, std::vector<XrExtensionProperties>& extensions) {
  const auto list =
      calls.get<PFN_xrEnumerateInstanceExtensionProperties>("xrEnumerateInstanceExtensionProperties");
  std::uint32_t count = 0;
  const XrResult counted =
      list == nullptr ? XR_ERROR_FUNCTION_UNSUPPORTED : list(nullptr, 0, &count, nullptr);
  if (XR_FAILED(counted)) return counted;
  XrExtensionProperties empty{};
  empty.type = XR_TYPE_EXTENSION_PROPERTIES;
  extensions.assign(count, empty);
  return list(nullptr, count, &count, extensions.data());
}

bool findRuntime(LoaderCalls& calls, OpenXrProbe& probe) {
  std::vector<XrExtensionProperties> extensions;
  XrResult result = listExtensions(calls, extensions);
  if (XR_SUCCEEDED(result)) result = createInstance(calls);
  probe.runtime = XR_SUCCEEDED(result);
  probe.vulkan =
      std::any_of(extensions.begin(), extensions.end(), [](const XrExtensionProperties& extension) {
        return std::strcmp(extension.extensionName, kVulkan) == 0;
      });
  if (!probe.runtime) reportNoRuntime(result, probe);
  return probe.runtime;
}

void nameRuntime(const LoaderCalls& calls, OpenXrProbe& probe) {
  const auto get = calls.get<PFN_xrGetInstanceProperties>("xrGetInstanceProperties");
  XrInstanceProperties properties{};
  properties.type = XR_TYPE_INSTANCE_PROPERTIES;
  if (get == nullptr || XR_FAILED(get(calls.instance, &properties))) return;
  probe.runtimeName = properties.runtimeName;
  const XrVersion version = properties.runtimeVersion;
  probe.version = fmt::format("{}.{}.{}", XR_VERSION_MAJOR(version), XR_VERSION_MINOR(version),
                              XR_VERSION_PATCH(version));
}

void findHeadset(const LoaderCalls& calls, OpenXrProbe& probe) {
  const auto get = calls.get<PFN_xrGetSystem>("xrGetSystem");
  XrSystemGetInfo info{};
  info.type = XR_TYPE_SYSTEM_GET_INFO;
  info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
  XrSystemId system = XR_NULL_SYSTEM_ID;
  const XrResult result =
      get == nullptr ? XR_ERROR_FUNCTION_UNSUPPORTED : get(calls.instance, &info, &system);
  probe.headset = XR_SUCCEEDED(result) && probe.vulkan;
  if (probe.headset) return;
  if (!probe.vulkan) {
    probe.problem = fmt::format("the OpenXR runtime {} does not offer {}", probe.runtimeName, kVulkan);
    probe.remedy = "update it, or make another runtime the active one";
    return;
  }
  probe.isRetryable = result == XR_ERROR_FORM_FACTOR_UNAVAILABLE;
  probe.problem = fmt::format("the OpenXR runtime finds no headset (XrResult {})", static_cast<int>(result));
  probe.remedy = "connect the headset, wake it, and try again";
}

OpenXrProbe probeHere() {
  OpenXrProbe probe;
  LoaderCalls calls;
  if (!findLoader(calls, probe) || !findRuntime(calls, probe)) return probe;
  nameRuntime(calls, probe);
  findHeadset(calls, probe);
  if (const auto destroy = calls.get<PFN_xrDestroyInstance>("xrDestroyInstance")) destroy(calls.instance);
  return probe;
}

std::string probeText(const OpenXrProbe& probe) {
  FieldWriter writer;
  for (const bool field : {probe.loader, probe.runtime, probe.vulkan, probe.headset, probe.isRetryable})
    writer.addBool(field);
  for (const std::string* field : {&probe.runtimeName, &probe.version, &probe.problem, &probe.remedy}) {
    writer.add(*field);
  }
  return writer.text();
}

OpenXrProbe fromText(const std::string& text) {
  FieldReader reader(text);
  OpenXrProbe probe;
  for (bool* field : {&probe.loader, &probe.runtime, &probe.vulkan, &probe.headset, &probe.isRetryable})
    *field = reader.nextBool();
  for (std::string* field : {&probe.runtimeName, &probe.version, &probe.problem, &probe.remedy}) {
    *field = reader.next();
  }
  return probe;
}

}  // namespace

OpenXrProbe probeOpenXr(const std::function<bool()>& shouldCancel) {
  const IsolatedResult result = runIsolated([] { return probeText(probeHere()); }, kTimeout, shouldCancel);
  if (result.end == IsolatedResult::End::finished) return fromText(result.output);
  OpenXrProbe probe;
  const bool isSilent =
      result.end == IsolatedResult::End::timedOut || result.end == IsolatedResult::End::cancelled;
  probe.isRetryable = isSilent;  // a runtime may be starting
  probe.problem =
      fmt::format("the OpenXR runtime {}", isSilent ? "did not answer" : "crashed while it was probed");
  probe.remedy = "restart or reinstall the runtime, or set XR_RUNTIME_JSON to another one";
  return probe;
}

}  // namespace tenon::xr
