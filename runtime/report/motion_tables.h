// The MTM-1 estimate of a session as a table of the report, as JSON and as CSV.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/assess/motion_estimate.h"
#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// Names of the hands and the parts of a session, by their numbers.
struct SessionNames {
  std::vector<std::string> hands, parts;
};

/// The section of the report, labelled as an estimate, with its source; "" without any motion.
std::string motionTable(const MotionEstimate& estimate, std::span<const Operation> operations,
                        const SessionNames& names);

/// An object: source, totals, totals by hand, and each motion.
std::string motionsJson(const MotionEstimate& estimate, const SessionNames& names);

/// A line for each motion, as a sheet of an MTM analysis (RFC 4180); the last line is the sum of all
/// handlings one after the other.
std::string motionsCsv(const MotionEstimate& estimate, const SessionNames& names);

}  // namespace tenon::runtime
