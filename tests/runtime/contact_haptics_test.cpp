// What a hand feels of the contacts of what it holds.
#include "runtime/vr/contact_haptics.h"

#include <gtest/gtest.h>

namespace tenon::runtime::contact_haptics_test {
namespace {

/// One hand holds part 1, on which part 0 presses.
physics::StepResult tickOf(double time, double force, int part = 1) {
  physics::StepResult tick;
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

TEST(ContactHaptics, NewContactGivesOnePulse) {
  ContactHaptics touch;
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0, 0)));
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(1, 0)));
  EXPECT_TRUE(touch.updateHaptics(0, tickOf(2, 1)));
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(3, 1.2))) << "it goes on";
  EXPECT_TRUE(touch.updateHaptics(0, tickOf(4, 4))) << "it has become much harder";
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(5, 0)));
  EXPECT_TRUE(touch.updateHaptics(0, tickOf(6, 1))) << "it begins again";
}

TEST(ContactHaptics, ContactsAtTheGraspGiveNoPulse) {
  ContactHaptics touch;
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0, 1, -1))) << "nothing is held";
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(1, 1))) << "taken from where it lay";
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(2, 1)));
}

TEST(ContactHaptics, LargerForceGivesLargerAmplitude) {
  const auto strength = [](double force) {
    ContactHaptics touch;
    touch.updateHaptics(0, tickOf(0, 0));
    return touch.updateHaptics(0, tickOf(1, force)).value_or(0);
  };
  EXPECT_EQ(strength(0.5 * ContactHaptics::kMinForce), 0);
  EXPECT_NEAR(strength(ContactHaptics::kMinForce), ContactHaptics::kMinAmplitude, 1e-12);
  EXPECT_LT(strength(1), strength(10));
  EXPECT_EQ(strength(10 * ContactHaptics::kMaxForce), 1);
}

TEST(ContactHaptics, RattlingContactIsRateLimited) {
  ContactHaptics touch;
  int hapticPulses = 0;
  for (int k = 0; k < 1000; ++k)
    hapticPulses += touch.updateHaptics(0, tickOf(1e-3 * k, k % 2 == 0 ? 0 : 1)) ? 1 : 0;
  EXPECT_GE(hapticPulses, 5);
  EXPECT_LE(hapticPulses, static_cast<int>(1 / ContactHaptics::kMinInterval) + 1);
}

ContactEpisode knock(double start, double force, int part = 1) {
  ContactEpisode episode;
  episode.i = 0;
  episode.j = part;
  episode.start = start;
  episode.end = start + 0.002;
  episode.peakForce = force;
  return episode;
}

TEST(ContactHaptics, ShortContactBetweenFramesGivesOnePulseByItsPeak) {
  ContactHaptics touch;
  touch.updateHaptics(0, tickOf(0, 0));
  const std::vector<ContactEpisode> hard{knock(0.103, 10)}, soft{knock(0.303, 1)}, other{knock(0.5, 10, 2)};
  const auto felt = touch.updateHaptics(0, tickOf(0.12, 0), hard);
  ASSERT_TRUE(felt);
  const auto softer = touch.updateHaptics(0, tickOf(0.32, 0), soft);
  ASSERT_TRUE(softer) << "it is again what it was";
  EXPECT_GT(*felt, *softer);
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0.52, 0), other)) << "of another part";
}

TEST(ContactHaptics, EndOfALongContactGivesNoPulse) {
  ContactHaptics touch;
  touch.updateHaptics(0, tickOf(0, 0));
  EXPECT_TRUE(touch.updateHaptics(0, tickOf(0.2, 5)));
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0.4, 0), std::vector{knock(0.199, 8)}));
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0.6, 0, 1), std::vector{knock(-0.1, 8)}))
      << "before it was taken";
}

TEST(ContactHaptics, ContactsEndingTogetherGiveNoPulse) {
  ContactHaptics touch;
  touch.updateHaptics(0, tickOf(0, 0));
  EXPECT_TRUE(touch.updateHaptics(0, tickOf(0.2, 5)));
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0.5, 6))) << "the second one is not much to the first";
  ContactEpisode first = knock(0.199, 8), second = knock(0.3, 2);
  first.end = second.end = 0.6;
  EXPECT_FALSE(touch.updateHaptics(0, tickOf(0.7, 0), std::vector{first, second}));
}

TEST(ContactHaptics, ClickOfTheHeldDriverIsAFullPulse) {
  ContactHaptics touch;
  const auto clicked = [](double time, int clicks) {
    physics::StepResult tick = tickOf(time, 20);
    physics::DriverState driver;
    driver.body = physics::BodyId{1};
    driver.clicks = clicks;
    tick.drivers.push_back(driver);
    driver.body = physics::BodyId{2};  // another one, which this hand does not hold
    driver.clicks = static_cast<int>(1000 * time);
    tick.drivers.push_back(driver);
    return tick;
  };
  EXPECT_FALSE(touch.updateHaptics(0, clicked(0, 3))) << "clicks before the grasp";
  touch.updateHaptics(0, clicked(1, 3));
  EXPECT_FALSE(touch.updateHaptics(0, clicked(1.01, 3)));
  EXPECT_EQ(touch.updateHaptics(0, clicked(1.02, 4)), 1) << "also right after a pulse of a contact";
  EXPECT_FALSE(touch.updateHaptics(0, clicked(1.03, 4)));
  EXPECT_FALSE(touch.updateHaptics(0, clicked(1.04, 0))) << "an undo";
  EXPECT_EQ(touch.updateHaptics(0, clicked(1.05, 1)), 1);
}

}  // namespace
}  // namespace tenon::runtime::contact_haptics_test
