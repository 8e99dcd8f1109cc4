// Xlib's functions are looked up: where GLFW uses Wayland alone they are not there.
#include "xr/display/glfw_session.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "xr/vulkan/graphics_unavailable.h"
// For the functions of GLFW that need it, of files that are compiled together with this one.
#include "xr/vulkan/vulkan.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

struct XDisplay;  // Xlib's Display
using Complain = int (*)(XDisplay*);
using Leave = void (*)(XDisplay*, void*);

constexpr const char* kXlib = "libX11.so.6";

/// A function of a library that is loaded; null: there is none of that name. GLFW may have opened the library
/// for itself, so that the program does not see it otherwise.
template <class Function>
Function loaded(const char* library, const char* name) {
  void* function = nullptr;
  if (void* const there = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
    function = dlsym(there, name);
    dlclose(there);  // it stays: who loaded it still has it
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
                    "make pictures with tenon render",
                    glfwError()));
  watchDisplay();
}

GlfwSession::~GlfwSession() {
  if (!lost_) glfwTerminate();
}

void GlfwSession::watchDisplay() {
  const auto display = loaded<XDisplay* (*)()>("libglfw.so.3", "glfwGetX11Display");
  const auto setComplain = loaded<Complain (*)(Complain)>(kXlib, "XSetIOErrorHandler");
  const auto setLeave = loaded<void (*)(XDisplay*, Leave, void*)>(kXlib, "XSetIOErrorExitHandler");
  if (display == nullptr || setComplain == nullptr || setLeave == nullptr || display() == nullptr) return;
  setComplain([](XDisplay*) { return 0; });  // what it would print is said by whoever finds it lost
  setLeave(
      display(), [](XDisplay*, void* lost) { *static_cast<bool*>(lost) = true; }, &lost_);
}

}  // namespace tenon::xr
