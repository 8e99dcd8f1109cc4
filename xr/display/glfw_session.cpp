// Xlib's functions are looked up at run time: with GLFW on Wayland they may be missing.
#include "xr/display/glfw_session.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "xr/vulkan/graphics_unavailable.h"
// Before GLFW's header, for files compiled together with this one that use its Vulkan functions.
#include "xr/vulkan/vulkan.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

struct XDisplay;  // Xlib's Display
using IoErrorHandler = int (*)(XDisplay*);
using IoErrorExitHandler = void (*)(XDisplay*, void*);

constexpr const char* kXlib = "libX11.so.6";

/// A function of a loaded library, or null. GLFW may have loaded the library privately, so the library is
/// opened by name first.
template <class Function>
Function loaded(const char* library, const char* name) {
  void* function = nullptr;
  if (void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
    function = dlsym(handle, name);
    dlclose(handle);  // only drops this reference
  }
  return reinterpret_cast<Function>(function != nullptr ? function : dlsym(RTLD_DEFAULT, name));
}

}  // namespace

std::string glfwError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? "no reason given" : text;
}

GlfwSession::GlfwSession() {
  if (glfwInit() != GLFW_TRUE)
    throw GraphicsUnavailable(
        fmt::format("there is no display to open a window on ({}); start from a desktop session, or "
                    "render images with tenon render",
                    glfwError()));
  watchDisplay();
}

GlfwSession::~GlfwSession() {
  if (!lost_) glfwTerminate();
}

void GlfwSession::watchDisplay() {
  const auto display = loaded<XDisplay* (*)()>("libglfw.so.3", "glfwGetX11Display");
  const auto setHandler = loaded<IoErrorHandler (*)(IoErrorHandler)>(kXlib, "XSetIOErrorHandler");
  const auto setExitHandler =
      loaded<void (*)(XDisplay*, IoErrorExitHandler, void*)>(kXlib, "XSetIOErrorExitHandler");
  if (display == nullptr || setHandler == nullptr || setExitHandler == nullptr || display() == nullptr)
    return;
  setHandler([](XDisplay*) { return 0; });  // silent: displayLost() is reported by the caller
  setExitHandler(
      display(), [](XDisplay*, void* lost) { *static_cast<bool*>(lost) = true; }, &lost_);
}

}  // namespace tenon::xr
