// What a hand feels of the contacts of what it holds.
#include "runtime/vr/touch_feel.h"

#include <gtest/gtest.h>

namespace tenon::runtime {
namespace {

/// One hand holds part 1, on which part 0 presses.
physics::Tick tickOf(double time, double force, int part = 1) {
  physics::Tick tick;
  tick.time = time;
  tick.hands.resize(1);
  tick.hands[0].body = physics::BodyId{part};
  physics::ContactForce contact;
  contact.contact.i = physics::BodyId{0};
  contact.contact.j = physics::BodyId{1};
  contact.force = force;
  if (force > 0) tick.contacts.push_back(contact);
  return tick;
}

TEST(TouchFeel, ContactThatBeginsIsFeltOnce) {
  TouchFeel touch;
  EXPECT_FALSE(touch.feel(0, tickOf(0, 0)));
  EXPECT_FALSE(touch.feel(0, tickOf(1, 0)));
  EXPECT_TRUE(touch.feel(0, tickOf(2, 1)));
  EXPECT_FALSE(touch.feel(0, tickOf(3, 1.2))) << "it goes on";
  EXPECT_TRUE(touch.feel(0, tickOf(4, 4))) << "it has become much harder";
  EXPECT_FALSE(touch.feel(0, tickOf(5, 0)));
  EXPECT_TRUE(touch.feel(0, tickOf(6, 1))) << "it begins anew";
}

TEST(TouchFeel, PartIsNotFeltForWhatItLiesOn) {
  TouchFeel touch;
  EXPECT_FALSE(touch.feel(0, tickOf(0, 1, -1))) << "nothing is held";
  EXPECT_FALSE(touch.feel(0, tickOf(1, 1))) << "taken from where it lay";
  EXPECT_FALSE(touch.feel(0, tickOf(2, 1)));
}

TEST(TouchFeel, HarderContactIsStronger) {
  const auto strength = [](double force) {
    TouchFeel touch;
    touch.feel(0, tickOf(0, 0));
    return touch.feel(0, tickOf(1, force)).value_or(0);
  };
  EXPECT_EQ(strength(0.5 * TouchFeel::kFaint), 0);
  EXPECT_NEAR(strength(TouchFeel::kFaint), TouchFeel::kWeakest, 1e-12);
  EXPECT_LT(strength(1), strength(10));
  EXPECT_EQ(strength(10 * TouchFeel::kFirm), 1);
}

TEST(TouchFeel, RattlingContactShakesNotMoreOftenThanItMay) {
  TouchFeel touch;
  int shakes = 0;
  for (int k = 0; k < 1000; ++k) shakes += touch.feel(0, tickOf(1e-3 * k, k % 2 == 0 ? 0 : 1)) ? 1 : 0;
  EXPECT_GE(shakes, 5);
  EXPECT_LE(shakes, static_cast<int>(1 / TouchFeel::kPause) + 1);
}

}  // namespace
}  // namespace tenon::runtime
