// Notices are shown for a fixed time.
#include "runtime/live_view/view_state.h"

#include <utility>

#include "xr/display/window.h"

namespace tenon::runtime {

void ViewState::showNotice(std::string text) {
  constexpr double kNoticeDuration = 6;  // [s]
  notice = std::move(text);
  noticeUntil = xr::Window::now() + kNoticeDuration;
}

}  // namespace tenon::runtime
