// Enter, position, drop; the target requests the list of files and reports when it has finished
// (freedesktop.org, "Drag-and-Drop Protocol for the X Window System", version 5).
#include "tests/support/drop_file.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tenon::tests {

namespace {

struct Closer {
  void operator()(Display* display) const { XCloseDisplay(display); }
};

class Drag {
 public:
  Drag(const std::string& display, Window target, const std::vector<std::string>& files)
      : display_(XOpenDisplay(display.c_str())), target_(target) {
    for (const std::string& file : files) list_ += "file://" + file + "\r\n";
    if (!display_) throw std::runtime_error("no display " + display);
    source_ = XCreateSimpleWindow(display_.get(), DefaultRootWindow(display_.get()), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display_.get(), atom("XdndSelection"), source_, CurrentTime);
  }

  void drop() {
    send("XdndEnter", {5L << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
    send("XdndPosition", {0, (100L << 16) | 100, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
    await("XdndStatus");
    send("XdndDrop", {0, CurrentTime, 0, 0});
    await("XdndFinished");
  }

 private:
  Atom atom(const char* name) const { return XInternAtom(display_.get(), name, False); }

  void send(const char* kind, const std::array<long, 4>& words) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(kind);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(source_);
    for (std::size_t k = 0; k < words.size(); ++k) event.xclient.data.l[k + 1] = words[k];
    XSendEvent(display_.get(), target_, False, NoEventMask, &event);
    XFlush(display_.get());
  }

  void give(const XSelectionRequestEvent& request) {
    XChangeProperty(display_.get(), request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list_.data()), static_cast<int>(list_.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(display_.get(), request.requestor, False, NoEventMask, &answer);
    XFlush(display_.get());
  }

  void await(const char* kind) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      while (XPending(display_.get()) > 0) {
        XEvent event;
        XNextEvent(display_.get(), &event);
        if (event.type == SelectionRequest) give(event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == atom(kind)) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error(std::string("the window sends no ") + kind);
  }

  std::unique_ptr<Display, Closer> display_;
  Window target_, source_ = 0;
  std::string list_;
};

}  // namespace

void dropFiles(const std::string& display, const std::string& window, const std::vector<std::string>& files) {
  Drag(display, std::stoul(window), files).drop();
}

}  // namespace tenon::tests
