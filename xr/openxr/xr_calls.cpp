// See xr_calls.h.
#include "xr/openxr/xr_calls.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

namespace tenon::xr {

std::string XrCalls::nameOf(XrResult result) const {
  char text[XR_MAX_RESULT_STRING_SIZE] = "";
  if (ResultToString != nullptr && XR_SUCCEEDED(ResultToString(instance, result, text))) return text;
  return fmt::format("XrResult {}", static_cast<int>(result));
}

bool XrCalls::isLoss(XrResult result) {
  return result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_RUNTIME_UNAVAILABLE ||
         result == XR_ERROR_SESSION_LOST || result == XR_ERROR_FORM_FACTOR_UNAVAILABLE;
}

void XrCalls::fail(XrResult result, const char* call) const {
  const std::string text = fmt::format("{} returned {}", call, nameOf(result));
  switch (result) {
    case XR_ERROR_INSTANCE_LOST:
    case XR_ERROR_RUNTIME_UNAVAILABLE:
      throw HeadsetLost("the OpenXR runtime was lost (" + text + ")");
    case XR_ERROR_SESSION_LOST:
    case XR_ERROR_FORM_FACTOR_UNAVAILABLE:
      throw HeadsetLost("the headset was lost (" + text + ")");
    default:
      throw OpenXrError(result, text);
  }
}

PFN_xrGetInstanceProcAddr openXrLoader() {
  // Never closed: threads of the runtime may still use it.
  void* const library = dlopen("libopenxr_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<PFN_xrGetInstanceProcAddr>(dlsym(library, "xrGetInstanceProcAddr"));
}

namespace {

/// Extensions, each with the one that the specification requires with it.
constexpr std::array kDependent{
    std::array{XR_VARJO_FOVEATED_RENDERING_EXTENSION_NAME, XR_VARJO_QUAD_VIEWS_EXTENSION_NAME},
    std::array{XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME, XR_EXT_RENDER_MODEL_EXTENSION_NAME}};

bool isNamed(const std::vector<const char*>& names, const char* wanted) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return std::strcmp(name, wanted) == 0; });
}

/// The extensions of loader, layers and runtime; empty if the query fails.
std::vector<XrExtensionProperties> availableExtensions(PFN_xrGetInstanceProcAddr find) {
  PFN_xrEnumerateInstanceExtensionProperties list = nullptr;
  std::uint32_t count = 0;
  if (XR_FAILED(find(XR_NULL_HANDLE, "xrEnumerateInstanceExtensionProperties",
                     reinterpret_cast<PFN_xrVoidFunction*>(&list))) ||
      XR_FAILED(list(nullptr, 0, &count, nullptr)))
    return {};
  XrExtensionProperties empty{};
  empty.type = XR_TYPE_EXTENSION_PROPERTIES;
  std::vector<XrExtensionProperties> all(count, empty);
  if (XR_FAILED(list(nullptr, count, &count, all.data()))) return {};
  all.resize(count, empty);
  return all;
}

void findFunctions(PFN_xrGetInstanceProcAddr find, XrCalls& xr) {
#define TENON_XR_FIND(Name) \
  xr.check(find(xr.instance, "xr" #Name, reinterpret_cast<PFN_xrVoidFunction*>(&xr.Name)), "xr" #Name);
  TENON_XR_FUNCTIONS(TENON_XR_FIND)
#undef TENON_XR_FIND
#define TENON_XR_FIND(Name)                                                                      \
  if (XR_FAILED(find(xr.instance, "xr" #Name, reinterpret_cast<PFN_xrVoidFunction*>(&xr.Name)))) \
    xr.Name = nullptr;
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_FIND)
#undef TENON_XR_FIND
}

}  // namespace

XrCalls makeInstance(PFN_xrGetInstanceProcAddr find, const std::vector<const char*>& required,
                     const std::vector<const char*>& optional) {
  XrCalls xr;
  PFN_xrVoidFunction create = nullptr;
  xr.check(find(XR_NULL_HANDLE, "xrCreateInstance", &create), "xrGetInstanceProcAddr");
  std::vector<const char*> names = required;
  const std::vector<XrExtensionProperties> all = availableExtensions(find);
  for (const char* const name : optional)
    if (std::any_of(all.begin(), all.end(), [&](const XrExtensionProperties& extension) {
          return std::strcmp(extension.extensionName, name) == 0;
        }))
      names.push_back(name);
  for (const auto& [extension, base] : kDependent)
    if (!isNamed(names, base))
      std::erase_if(names, [&, one = extension](const char* name) { return std::strcmp(name, one) == 0; });
  xr.extensions.assign(names.begin(), names.end());
  XrInstanceCreateInfo info{};
  info.type = XR_TYPE_INSTANCE_CREATE_INFO;
  std::strncpy(info.applicationInfo.applicationName, "tenon", XR_MAX_APPLICATION_NAME_SIZE - 1);
  info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  info.enabledExtensionNames = names.data();
  XrResult result = XR_ERROR_API_VERSION_UNSUPPORTED;
  for (const XrVersion version : {kOpenXr11, kOpenXr10}) {
    if (result != XR_ERROR_API_VERSION_UNSUPPORTED) break;
    info.applicationInfo.apiVersion = xr.version = version;
    result = reinterpret_cast<PFN_xrCreateInstance>(create)(&info, &xr.instance);
  }
  xr.check(result, "xrCreateInstance");
  try {
    findFunctions(find, xr);
  } catch (...) {
    if (xr.DestroyInstance != nullptr) xr.DestroyInstance(xr.instance);
    throw;
  }
  return xr;
}

}  // namespace tenon::xr
