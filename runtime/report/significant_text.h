// Numbers in a report: three significant digits, none below the resolution.
#pragma once

#include <string>

namespace tenon::runtime {

/// `value` with three significant digits but no digits finer than `resolution`, a power of ten: "0.747",
/// "12.3", "1250"; "0" if it is exactly 0; "< 0.001" if it is smaller than a resolution of 0.001.
std::string significantText(double value, double resolution);

/// A length [m] in µm, from 1 mm on in mm, resolved to `resolution_um` [µm] or 1 µm: "0.23 µm", "< 0.01 µm",
/// "12.5 mm".
std::string significantLengthText(double length, double resolution_um);

/// Resolutions of reported values; smaller values are rounding of the solution or of the record.
inline constexpr double kForceResolution = 1e-3;        ///< [N]
inline constexpr double kTorqueResolution = 1e-4;       ///< [N m]
inline constexpr double kTimeResolution = 1e-3;         ///< [s]
inline constexpr double kPathResolution_mm = 0.1;       ///< of path lengths over keyframes [mm]
inline constexpr double kPositionResolution_um = 0.01;  ///< of the part in its hole [µm]
inline constexpr double kAngleResolution_deg = 1e-3;    ///< [°]

}  // namespace tenon::runtime
