// See xr_calls.h.
#include "xr/openxr/xr_calls.h"

#include <dlfcn.h>

#include <cstring>

namespace tenon::xr {

std::string XrCalls::nameOf(XrResult result) const {
  char text[XR_MAX_RESULT_STRING_SIZE] = "";
  if (ResultToString != nullptr && XR_SUCCEEDED(ResultToString(instance, result, text))) return text;
  return fmt::format("XrResult {}", static_cast<int>(result));
}

void XrCalls::fail(XrResult result, const char* call) const {
  const std::string text = fmt::format("{} returned {}", call, nameOf(result));
  switch (result) {
    case XR_ERROR_INSTANCE_LOST:
    case XR_ERROR_RUNTIME_UNAVAILABLE:
      throw HeadsetLost("the OpenXR runtime has gone (" + text + ")");
    case XR_ERROR_SESSION_LOST:
    case XR_ERROR_FORM_FACTOR_UNAVAILABLE:
      throw HeadsetLost("the headset has gone (" + text + ")");
    default:
      throw OpenXrError(result, text);
  }
}

PFN_xrGetInstanceProcAddr openXrLoader() {
  // Never closed: runtimes leave threads of theirs in it.
  void* const library = dlopen("libopenxr_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<PFN_xrGetInstanceProcAddr>(dlsym(library, "xrGetInstanceProcAddr"));
}

XrCalls makeInstance(PFN_xrGetInstanceProcAddr find, const std::vector<const char*>& extensions) {
  XrCalls xr;
  PFN_xrVoidFunction create = nullptr;
  xr.check(find(XR_NULL_HANDLE, "xrCreateInstance", &create), "xrGetInstanceProcAddr");
  XrInstanceCreateInfo info{};
  info.type = XR_TYPE_INSTANCE_CREATE_INFO;
  std::strncpy(info.applicationInfo.applicationName, "tenon", XR_MAX_APPLICATION_NAME_SIZE - 1);
  info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.enabledExtensionNames = extensions.data();
  xr.check(reinterpret_cast<PFN_xrCreateInstance>(create)(&info, &xr.instance), "xrCreateInstance");
#define TENON_XR_FIND(Name) \
  xr.check(find(xr.instance, "xr" #Name, reinterpret_cast<PFN_xrVoidFunction*>(&xr.Name)), "xr" #Name);
  TENON_XR_FUNCTIONS(TENON_XR_FIND)
#undef TENON_XR_FIND
  return xr;
}

}  // namespace tenon::xr
