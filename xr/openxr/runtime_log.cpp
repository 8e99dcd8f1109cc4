// See runtime_log.h.
#include "xr/openxr/runtime_log.h"

#include <mutex>
#include <set>

namespace tenon::xr {

namespace {

constexpr std::size_t kMaxMessages = 100;  ///< limit for a runtime whose texts always differ

}  // namespace

struct RuntimeLog::Messages {
  LogCallback logMessage;
  std::mutex mutex;
  std::set<std::string> reported;

  void report(const XrDebugUtilsMessengerCallbackDataEXT& data, bool error) {
    std::string text = fmt::format("OpenXR {}: ", error ? "error" : "warning");
    if (data.functionName != nullptr && *data.functionName != '\0')
      text += data.functionName + std::string(": ");
    text += data.message == nullptr ? "" : data.message;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    {
      const std::lock_guard lock(mutex);
      if (reported.size() >= kMaxMessages || !reported.insert(text).second) return;
    }
    logMessage(text);
  }
};

RuntimeLog::RuntimeLog(const XrCalls& calls, LogCallback logMessage)
    : calls_(calls), messages_(std::make_unique<Messages>()) {
  messages_->logMessage = std::move(logMessage);
  if (calls.CreateDebugUtilsMessengerEXT == nullptr || !messages_->logMessage) return;
  XrDebugUtilsMessengerCreateInfoEXT info{};
  info.type = XR_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverities =
      XR_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | XR_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageTypes =
      XR_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | XR_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
      XR_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT | XR_DEBUG_UTILS_MESSAGE_TYPE_CONFORMANCE_BIT_EXT;
  info.userData = messages_.get();
  info.userCallback = [](XrDebugUtilsMessageSeverityFlagsEXT severity, XrDebugUtilsMessageTypeFlagsEXT,
                         const XrDebugUtilsMessengerCallbackDataEXT* data, void* messages) -> XrBool32 {
    if (data != nullptr)
      static_cast<Messages*>(messages)->report(
          *data, (severity & XR_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0);
    return XR_FALSE;
  };
  // Without a messenger the session continues.
  if (XR_FAILED(calls.CreateDebugUtilsMessengerEXT(calls.instance, &info, &messenger_)))
    messenger_ = XR_NULL_HANDLE;
}

RuntimeLog::~RuntimeLog() {
  if (messenger_ != XR_NULL_HANDLE) calls_.DestroyDebugUtilsMessengerEXT(messenger_);
}

}  // namespace tenon::xr
