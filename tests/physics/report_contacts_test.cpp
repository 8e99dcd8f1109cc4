// The contacts of a StepResult: rows of one key are one contact.
#include <gtest/gtest.h>

#include <memory>

#include "physics/step/report_step.h"

namespace tenon::physics::report_contacts_test {
namespace {

struct ReportContacts : testing::Test {
  WorldState state;
  StepWorkspace work;

  ReportContacts() {
    work.islands.slots.push_back(std::make_unique<IslandSlot>());
    work.islands.count = 1;
  }
  IslandSlot& slot() { return *work.islands.slots[0]; }
  static ContactRow rowAt(const Vector3d& p, std::uint64_t feature) {
    ContactRow row;
    row.mu = 0.4;
    row.point = row.contact.p = p;
    row.contact.n = Vector3d::UnitZ();
    row.Gb.head<3>() = Vector3d::UnitZ();
    row.key = {7, feature};
    return row;
  }
  void addForce(const ContactRow& row, double f, const Vector3d& friction) {
    slot().solution.solved.push_back(row);
    slot().solution.f.push_back(f);
    slot().solution.friction.push_back(friction);
  }
  const std::vector<ContactForce>& report() {
    reportContacts(state, work);
    return state.result.contacts;
  }
};

TEST_F(ReportContacts, AddUpTheForcesOfRowsOfOneKey) {
  const Vector3d p(0.01, 0, 0), moved(0.01, 2e-4, 0);
  addForce(rowAt(p, 1), 6, {1, 0, 0});
  addForce(rowAt(moved, 1), 0, {0.5, 0.25, 0});
  addForce(rowAt(p, 2), 3, Vector3d::Zero());
  slot().problem.rows = {rowAt(p, 1), rowAt(p, 2)};
  const auto& contacts = report();
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].force, 6);
  EXPECT_EQ(contacts[0].friction, Vector3d(1.5, 0.25, 0));
  EXPECT_EQ(contacts[0].contact.p, p);
  EXPECT_EQ(contacts[1].force, 3);
}

TEST_F(ReportContacts, AreAtTheFirstRowThatCarriesForce) {
  const Vector3d p(0.01, 0, 0), moved(0.01, 2e-4, 0);
  addForce(rowAt(p, 1), 0, Vector3d::Zero());
  addForce(rowAt(moved, 1), 0, {0.5, 0.25, 0});
  slot().problem.rows = {rowAt(p, 1)};
  const auto& contacts = report();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].friction, Vector3d(0.5, 0.25, 0));
  EXPECT_EQ(contacts[0].contact.p, moved);
}

TEST_F(ReportContacts, OfAFeatureThatIsNoLongerFoundAreOneToo) {
  const Vector3d p(0.01, 0, 0), moved(0.01, 2e-4, 0);
  addForce(rowAt(p, 1), 2, Vector3d::Zero());
  addForce(rowAt(moved, 1), 0, {0.5, 0.25, 0});
  const auto& contacts = report();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].force, 2);
  EXPECT_EQ(contacts[0].friction, Vector3d(0.5, 0.25, 0));
}

}  // namespace
}  // namespace tenon::physics::report_contacts_test
