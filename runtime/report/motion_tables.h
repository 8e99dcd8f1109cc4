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

/// A row for each motion, as a sheet of an MTM analysis: a JSON array, and the same as CSV (RFC 4180).
std::string motionsJson(const MotionEstimate& estimate, const SessionNames& names);
std::string motionsCsv(const MotionEstimate& estimate, const SessionNames& names);

/// Sums: of all handlings one after the other, then of each hand.
std::string motionTotalsJson(const MotionEstimate& estimate, const SessionNames& names);
std::string motionTotalsCsv(const MotionEstimate& estimate, const SessionNames& names);

}  // namespace tenon::runtime
