// See desktop_window.h.
#include "tests/support/desktop_window.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tenon::tests {

namespace {

struct ConnectionCloser {
  void operator()(Display* display) const { XCloseDisplay(display); }
};
using Connection = std::unique_ptr<Display, ConnectionCloser>;

Connection connect(const std::string& name) {
  Connection display(XOpenDisplay(name.c_str()));
  if (!display) throw std::runtime_error("no display " + name);
  return display;
}

// 0 while no window manager has taken the window over.
long stateOf(Display* display, unsigned long window) {
  const Atom property = XInternAtom(display, "WM_STATE", False);
  Atom type = None;
  int format = 0;
  unsigned long count = 0, more = 0;
  unsigned char* data = nullptr;
  XGetWindowProperty(display, window, property, 0, 2, False, property, &type, &format, &count, &more, &data);
  // Values of 32 bits come as longs.
  const long state = format == 32 && count > 0 ? *reinterpret_cast<const long*>(data) : 0;
  if (data != nullptr) XFree(data);
  return state;
}

}  // namespace

PngPicture pixelsOf(const std::string& display, unsigned long window) {
  const Connection connection = connect(display);
  XWindowAttributes is{};
  if (XGetWindowAttributes(connection.get(), window, &is) == 0) throw std::runtime_error("no such window");
  XImage* const image = XGetImage(connection.get(), window, 0, 0, static_cast<unsigned>(is.width),
                                  static_cast<unsigned>(is.height), AllPlanes, ZPixmap);
  if (image == nullptr) throw std::runtime_error("the window has no picture");
  PngPicture picture;
  picture.width = is.width;
  picture.height = is.height;
  for (int y = 0; y < is.height; ++y)
    for (int x = 0; x < is.width; ++x) {
      const unsigned long pixel = XGetPixel(image, x, y);  // of 24 bits, red first
      for (const int shift : {16, 8, 0})
        picture.rgb.push_back(static_cast<unsigned char>(pixel >> shift & 0xff));
    }
  XDestroyImage(image);
  return picture;
}

void askToClose(const std::string& display, unsigned long window) {
  const Connection connection = connect(display);
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(connection.get(), "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(connection.get(), "WM_DELETE_WINDOW", False));
  XSendEvent(connection.get(), window, False, NoEventMask, &event);
  XFlush(connection.get());
}

bool waitForState(const std::string& display, unsigned long window, WindowState state) {
  const Connection connection = connect(display);
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (stateOf(connection.get(), window) != static_cast<long>(state)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace tenon::tests
