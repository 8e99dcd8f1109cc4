// Warnings about implausible units; none for typical parts.
#include <gtest/gtest.h>

#include "content/mesh/unit_plausibility.h"

namespace tenon::content {
namespace {

TEST(UnitPlausibility, InchesReadAsMillimetersAreDetected) {
  const std::vector<double> diameters{0.3125, 0.4375, 0.5};
  EXPECT_NE(implausibleUnit(2, diameters, "mm").find("unit looks like inches: read in mm it is 2 mm long"),
            std::string::npos);
  EXPECT_EQ(implausibleUnit(2, diameters, "in"), "");
}

TEST(UnitPlausibility, MillimetersReadAsInchesOrMetersAreDetected) {
  EXPECT_NE(implausibleUnit(50, std::vector<double>{8, 10.5}, "in").find("looks like millimeters"),
            std::string::npos);
  EXPECT_NE(implausibleUnit(50, {}, "m").find("looks like millimeters"), std::string::npos);
  EXPECT_NE(implausibleUnit(10, {}, "m").find("read in m it is 10000 mm long, in millimeters 10 mm"),
            std::string::npos);
}

TEST(UnitPlausibility, MetersReadAsMillimetersAreDetected) {
  EXPECT_NE(implausibleUnit(0.05, {}, "mm").find("looks like meters"), std::string::npos);
}

TEST(UnitPlausibility, TypicalPartsHaveNoWarning) {
  EXPECT_EQ(implausibleUnit(50, std::vector<double>{7.995, 8.1, 12.7}, "mm"), "");
  EXPECT_EQ(implausibleUnit(0.05, std::vector<double>{0.007995}, "m"), "");
  EXPECT_EQ(implausibleUnit(2, std::vector<double>{0.3125}, "in"), "");
  EXPECT_EQ(implausibleUnit(2.5, {}, "m"), "");
  EXPECT_EQ(implausibleUnit(12000, {}, "mm"), "") << "it is in millimeters already";
}

}  // namespace
}  // namespace tenon::content
