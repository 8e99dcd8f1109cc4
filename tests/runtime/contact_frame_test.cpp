// Contacts of keyframes: written where they change, read back as they were, damaged bytes refused.
#include "runtime/record/contact_frame.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <stdexcept>

#include "runtime/record/keyframe_rows.h"
#include "runtime/record/resimulation.h"
#include "runtime/record/session_frames.h"
#include "runtime/session/session_scene.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests {
namespace {

using runtime::decodeContacts;
using runtime::encodeContacts;
using runtime::RecordedContact;
using runtime::RecordedContacts;

/// Contacts of which some stay, some change a little, some come and some go.
class ContactsOverTime {
 public:
  explicit ContactsOverTime(unsigned seed) : random_(seed) {}

  const RecordedContacts& next() {
    for (std::size_t k = contacts_.size(); k-- > 0;)
      if (chance(0.1)) contacts_.erase(contacts_.begin() + static_cast<std::ptrdiff_t>(k));
    for (RecordedContact& contact : contacts_)
      for (float& value : contact.values)
        if (chance(0.3)) value += 1e-6F * number();
    while (chance(0.8)) {
      RecordedContact contact{integer(), integer(), random_(), {}};
      for (float& value : contact.values) value = number();
      const auto at = contacts_.empty() ? 0 : random_() % contacts_.size();
      contacts_.insert(contacts_.begin() + static_cast<std::ptrdiff_t>(at), contact);
    }
    return contacts_;
  }

 private:
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  float number() { return std::uniform_real_distribution<float>(-1, 1)(random_); }
  int integer() { return static_cast<int>(random_() % 1000); }

  std::mt19937_64 random_;
  RecordedContacts contacts_;
};

TEST(ContactFrame, ReadsBackWhatWasWritten) {
  constexpr unsigned kSeed = 24;
  SCOPED_TRACE(kSeed);
  ContactsOverTime contacts(kSeed);
  RecordedContacts before, known;
  for (int k = 0; k < 500; ++k) {
    const RecordedContacts now = contacts.next();
    known = decodeContacts(encodeContacts(now, before), known);
    ASSERT_EQ(known, now) << k;
    before = now;
  }
  EXPECT_EQ(decodeContacts(encodeContacts({}, before), known), RecordedContacts());
}

TEST(ContactFrame, RefusesDamagedBytes) {
  ContactsOverTime contacts(7);
  for (int k = 0; k < 20; ++k) contacts.next();
  const RecordedContacts before = contacts.next(), now = contacts.next();
  ASSERT_GT(now.size(), 3u);
  const std::string bytes = encodeContacts(now, before);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string damaged = bytes;
    damaged[k] ^= 0x10;
    // A bit of zstd's header may mean nothing; what is read is then the same.
    try {
      EXPECT_EQ(decodeContacts(damaged, before), now) << k;
    } catch (const std::invalid_argument&) {
    }
    EXPECT_THROW(decodeContacts(bytes.substr(0, k), before), std::invalid_argument) << k;
  }
  EXPECT_THROW(decodeContacts(bytes, {}), std::invalid_argument) << "the row before is missing";
}

TEST(ContactFrame, ARowIsWrittenWhereContactsChangeAndWhereItIsWhole) {
  runtime::ContactRows rows;
  std::vector<physics::ContactForce> contacts(1);
  contacts[0].contact.i.value = 0;
  contacts[0].contact.j.value = 1;
  contacts[0].force = 1;
  EXPECT_TRUE(rows.add(contacts, true).has_value());
  EXPECT_FALSE(rows.add(contacts, false).has_value());
  contacts[0].force = 1 + 1e-9;  // below single precision
  EXPECT_FALSE(rows.add(contacts, false).has_value());
  contacts[0].force = 1 + 1e-6;
  EXPECT_TRUE(rows.add(contacts, false).has_value());
  EXPECT_TRUE(rows.add(contacts, true).has_value());
  EXPECT_TRUE(rows.add({}, false).has_value());
  EXPECT_FALSE(rows.add({}, false).has_value());
}

/// In any order of access: forwards, backwards, and the same again.
TEST(ContactFrame, OfASessionAreThoseOfTheSteps) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "4", file);
  runtime::SessionReader session(file), steps(file);
  const content::Scene scene = runtime::sceneOf(session.header());
  std::vector<std::pair<std::int64_t, std::vector<physics::ContactForce>>> expected;
  runtime::Resimulation resimulation(steps, scene, runtime::optionsOf(steps.header()));
  std::size_t all = 0;
  for (runtime::RecordedStep tick; steps.next(tick);) {
    resimulation.step(tick);
    const physics::StepResult& result = resimulation.world().stepResult();
    if (!tick.keyframe) continue;
    expected.emplace_back(tick.tick, result.contacts);
    all += result.contacts.size();
  }
  ASSERT_GT(all, 100u);
  runtime::KeyframeRows rows(session);
  std::vector<physics::ContactForce> contacts;
  const auto check = [&](std::size_t k) {
    const auto& [tick, wanted] = expected[k];
    rows.readContacts(tick, contacts);
    ASSERT_EQ(contacts.size(), wanted.size()) << tick;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      EXPECT_EQ(contacts[c].contact.i.value, wanted[c].contact.i.value) << tick;
      EXPECT_EQ(contacts[c].contact.j.value, wanted[c].contact.j.value) << tick;
      EXPECT_EQ(contacts[c].contact.feature, wanted[c].contact.feature) << tick;
      EXPECT_EQ(contacts[c].contact.p, wanted[c].contact.p.cast<float>().cast<double>()) << tick;
      EXPECT_EQ(contacts[c].contact.n, wanted[c].contact.n.cast<float>().cast<double>()) << tick;
      EXPECT_EQ(contacts[c].friction, wanted[c].friction.cast<float>().cast<double>()) << tick;
      EXPECT_EQ(contacts[c].contact.separation, static_cast<float>(wanted[c].contact.separation)) << tick;
      EXPECT_EQ(contacts[c].force, static_cast<float>(wanted[c].force)) << tick;
      EXPECT_EQ(contacts[c].mu, static_cast<float>(wanted[c].mu)) << tick;
    }
  };
  for (std::size_t k = 0; k < expected.size(); ++k) check(k);
  for (std::size_t k = expected.size(); k-- > 0;) check(k);
  std::mt19937 random(3);
  for (int k = 0; k < 100; ++k) check(random() % expected.size());
}

TEST(ContactFrame, DamagedRowsOfASessionAreNamed) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "0.2", file);
  change(file, "UPDATE contact_frame SET bytes = x'00112233' WHERE tick = 0");
  const Outcome outcome = runTenon({"export", file, "--format", "csv", "--out", folder / "csv"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("tick 0: contacts are not compressed by zstd"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "csv"));
}

/// A second at rest costs what its ticks and their hashes do.
TEST(ContactFrame, WhatRestsIsStoredOnce) {
  const TemporaryFolder folder;
  record("bolt-in-plate", "6", folder / "short.tenon");
  record("bolt-in-plate", "16", folder / "long.tenon");
  const auto bytes = static_cast<double>(std::filesystem::file_size(folder / "long.tenon")) -
                     static_cast<double>(std::filesystem::file_size(folder / "short.tenon"));
  EXPECT_LT(bytes / 10, 120e3) << "bytes for each second";
}

}  // namespace
}  // namespace tenon::tests
