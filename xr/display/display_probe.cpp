// Opens the display with GLFW in an isolated process.
#include "xr/display/display_probe.h"

#include <fmt/format.h>

#include "xr/isolated_process.h"
#include "xr/text_fields.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

using namespace std::chrono_literals;
constexpr auto kTimeout = 10s;

constexpr const char* kStartFromDesktop =
    "needed for windows only: start from a desktop session, or use tenon render";

std::string monitorText() {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  if (count == 0) return "no monitor";
  const GLFWvidmode* const mode = glfwGetVideoMode(monitors[0]);
  float scale = 1, scaleY = 1;
  glfwGetMonitorContentScale(monitors[0], &scale, &scaleY);
  std::string text = mode == nullptr ? std::string("a monitor")
                                     : fmt::format("{} × {} at {} Hz, scale {:.3g}", mode->width,
                                                   mode->height, mode->refreshRate, scale);
  if (count > 1) text += fmt::format(", and {} more", count - 1);
  return text;
}

DisplayProbe probeHere() {
  if (glfwInit() != GLFW_TRUE) {
    const char* text = nullptr;
    glfwGetError(&text);
    return {false, text == nullptr ? "no display" : text, kStartFromDesktop};
  }
  const bool vulkan = glfwVulkanSupported() == GLFW_TRUE;
  DisplayProbe probe{vulkan, monitorText(), ""};
  if (!vulkan) {
    probe.detail += ", but Vulkan cannot draw on it";
    probe.remedy = "install libvulkan1 and mesa-vulkan-drivers, or the driver of your graphics card";
  }
  glfwTerminate();
  return probe;
}

}  // namespace

DisplayProbe probeDisplay() {
  const IsolatedResult result = runIsolated(
      [] {
        const DisplayProbe probe = probeHere();
        FieldWriter writer;
        writer.addBool(probe.available);
        writer.add(probe.detail);
        writer.add(probe.remedy);
        return writer.text();
      },
      kTimeout);
  if (result.end != IsolatedResult::End::finished)
    return {false, "the display does not answer", kStartFromDesktop};
  FieldReader reader(result.output);
  DisplayProbe probe;
  probe.available = reader.nextBool();
  probe.detail = reader.next();
  probe.remedy = reader.next();
  return probe;
}

}  // namespace tenon::xr
