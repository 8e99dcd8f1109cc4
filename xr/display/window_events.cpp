// See window_events.h.
#include "xr/display/window_events.h"

#include <algorithm>
#include <utility>

#include "xr/display/glfw_window.h"
#include "xr/display/window.h"
// Before GLFW's header, for files compiled together with this one that use its Vulkan functions.
#include "xr/vulkan/vulkan.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

static_assert(key::kSpace == GLFW_KEY_SPACE && key::kEscape == GLFW_KEY_ESCAPE &&
              key::kEnter == GLFW_KEY_ENTER && key::kTab == GLFW_KEY_TAB &&
              key::kBackspace == GLFW_KEY_BACKSPACE && key::kDelete == GLFW_KEY_DELETE &&
              key::kRight == GLFW_KEY_RIGHT && key::kLeft == GLFW_KEY_LEFT && key::kDown == GLFW_KEY_DOWN &&
              key::kUp == GLFW_KEY_UP && key::kHome == GLFW_KEY_HOME && key::kF1 == GLFW_KEY_F1 &&
              key::kF11 == GLFW_KEY_F11 && key::kF12 == GLFW_KEY_F12);

MouseButton buttonOf(int button) {
  return button == GLFW_MOUSE_BUTTON_LEFT     ? MouseButton::left
         : button == GLFW_MOUSE_BUTTON_RIGHT  ? MouseButton::right
         : button == GLFW_MOUSE_BUTTON_MIDDLE ? MouseButton::middle
                                              : MouseButton::other;
}

/// The letter or digit of the key in the keyboard's layout, else GLFW's code.
int keyOf(int key, int scancode) {
  if (key >= GLFW_KEY_ESCAPE) return key;
  const char* const name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == 0 || name[1] != 0) return key;
  const char c = name[0];
  return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : key;
}

int modsOf(GLFWwindow* window) {
  const auto down = [&](int key) { return glfwGetKey(window, key) == GLFW_PRESS; };
  return (down(GLFW_KEY_LEFT_SHIFT) || down(GLFW_KEY_RIGHT_SHIFT) ? GLFW_MOD_SHIFT : 0) |
         (down(GLFW_KEY_LEFT_CONTROL) || down(GLFW_KEY_RIGHT_CONTROL) ? GLFW_MOD_CONTROL : 0) |
         (down(GLFW_KEY_LEFT_ALT) || down(GLFW_KEY_RIGHT_ALT) ? GLFW_MOD_ALT : 0);
}

WindowEvents& eventsOf(GLFWwindow* window) {
  return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

}  // namespace

WindowEvents::WindowEvents(GLFWwindow* window) : window_(window), period_(displayPeriod()) {
  glfwSetWindowUserPointer(window_, this);
  addInputCallbacks();
  addStateCallbacks();
  glfwGetFramebufferSize(window_, &width_, &height_);
}

void WindowEvents::addInputCallbacks() {
  using Kind = WindowInput::Kind;
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
    eventsOf(w).add(action == GLFW_PRESS ? Kind::press : Kind::release, mods).button = buttonOf(button);
  });
  glfwSetCursorPosCallback(window_,
                           [](GLFWwindow* w, double, double) { eventsOf(w).add(Kind::move, modsOf(w)); });
  glfwSetScrollCallback(
      window_, [](GLFWwindow* w, double, double y) { eventsOf(w).add(Kind::wheel, modsOf(w)).notches = y; });
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    if (key == GLFW_KEY_UNKNOWN) return;
    WindowInput& input = eventsOf(w).add(action == GLFW_RELEASE ? Kind::keyUp : Kind::key, mods);
    input.key = keyOf(key, scancode);
    input.repeated = action == GLFW_REPEAT;
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    eventsOf(w).add(Kind::drop, 0).files.assign(paths, paths + count);
  });
}

void WindowEvents::addStateCallbacks() {
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
    WindowEvents& events = eventsOf(w);
    events.width_ = width;
    events.height_ = height;
    events.period_ = displayPeriod();  // the window may be on another monitor now
    events.resized_ = true;
  });
  glfwSetWindowIconifyCallback(
      window_, [](GLFWwindow* w, int iconified) { eventsOf(w).iconified_ = iconified == GLFW_TRUE; });
}

WindowInput& WindowEvents::add(WindowInput::Kind kind, int mods) {
  WindowInput& input = inputs_.emplace_back();
  input.kind = kind;
  input.time = Window::now();
  double x = 0, y = 0;
  int width = 0, height = 0;
  glfwGetCursorPos(window_, &x, &y);
  glfwGetWindowSize(window_, &width, &height);
  input.x = x / std::max(width, 1);
  input.y = y / std::max(height, 1);
  input.shift = (mods & GLFW_MOD_SHIFT) != 0;
  input.control = (mods & GLFW_MOD_CONTROL) != 0;
  input.alt = (mods & GLFW_MOD_ALT) != 0;
  return input;
}

std::vector<WindowInput> WindowEvents::drainInput() {
  return std::exchange(inputs_, {});
}

bool WindowEvents::consumeResized() {
  return std::exchange(resized_, false);
}

}  // namespace tenon::xr
