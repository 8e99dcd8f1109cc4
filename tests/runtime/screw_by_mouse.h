// The mouse inserts the screw of the shipped scene bolt-in-plate, in a window of this program.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/preview_window.h"

namespace tenon::tests {

inline double number(const PreviewWindow::Json& json) {
  return json.get<double>();
}

/// Pixels of the window.
struct Place {
  double x = 0, y = 0;
};

inline Place placeOf(const PreviewWindow::Json& picture, const std::string& name) {
  const PreviewWindow::Json& at = picture["places"].at(name);
  return {number(at[0]), number(at[1])};
}

/// Turns the screw over, brings its tip over the hole, and pushes: nothing but mouse and keys.
inline void insertScrewByMouse(PreviewWindow& window) {
  window.key("1");  // the front: right is +x, up is +z
  ASSERT_TRUE(window.waitForPictures(3));
  const Place screw = placeOf(window.now(), "screw");
  window.moveTo(screw.x, screw.y);
  ASSERT_TRUE(window.waitFor([](const PreviewWindow::Json& picture) { return picture["under"] == "screw"; }));
  window.press(1);
  ASSERT_TRUE(window.waitFor(
      [](const PreviewWindow::Json& picture) { return picture["hands"][0]["holds"] == "screw"; }));
  window.glideTo(screw.x, screw.y - 220);
  // 36 notches of 5° about the line of sight.
  window.keyDown("r");
  window.waitForPictures(2);
  window.click(4, 36);
  ASSERT_TRUE(window.waitForRest());
  window.keyUp("r");
  ASSERT_TRUE(window.waitForPictures(2));
  EXPECT_GT(placeOf(window.now(), "screw/tip").y, placeOf(window.now(), "screw").y) << "the tip points down";

  Place mouse{screw.x, screw.y - 220};
  const auto carry = [&](double dx, double dy) {
    mouse = {mouse.x + dx, mouse.y + dy};
    window.glideTo(mouse.x, mouse.y);
    return window.waitForRest();
  };
  const auto toHole = [&] {
    const Place tip = placeOf(window.now(), "screw/tip"), hole = placeOf(window.now(), "plate/hole");
    return Place{hole.x - tip.x, hole.y - tip.y};
  };
  ASSERT_TRUE(carry(toHole().x, 0));
  ASSERT_TRUE(carry(toHole().x, toHole().y - 25));
  ASSERT_TRUE(carry(toHole().x, 0));
  EXPECT_LT(std::abs(toHole().x), 3);
  for (int k = 0; k < 60 && window.now()["goals"][0]["verdict"] != "inserted"; ++k) ASSERT_TRUE(carry(0, 12));
  window.release(1);
  EXPECT_TRUE(window.waitForRest());
  EXPECT_EQ(window.now()["goals"][0]["verdict"], "inserted") << window.now().dump();
  EXPECT_GT(number(window.now()["goals"][0]["depth_mm"]), 29.9);
}

}  // namespace tenon::tests
