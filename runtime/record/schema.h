// The tables of a session file, documented in format.md.
#pragma once

#include <array>
#include <cstdint>

namespace tenon::runtime {

inline constexpr std::int32_t kApplicationId = 0x544E4F4E;  ///< "TNON", in the header of the SQLite file
inline constexpr int kFormatVersion = 5;                    ///< the file's user_version

/// Columns added by a format: "table.column", in alphabetical order.
inline constexpr std::array kSinceFormat2{"command.rate_hz", "command.solver", "command.to_tick",
                                          "tick.session_s"};
inline constexpr std::array kSinceFormat3{"head_pose.px_m", "head_pose.py_m", "head_pose.pz_m",
                                          "head_pose.qw",   "head_pose.qx",   "head_pose.qy",
                                          "head_pose.qz",   "head_pose.tick"};
inline constexpr std::array kSinceFormat4{"command_value.angular_damping_per_s",
                                          "command_value.gravity_x_m_per_s2",
                                          "command_value.gravity_y_m_per_s2",
                                          "command_value.gravity_z_m_per_s2",
                                          "command_value.level",
                                          "command_value.linear_damping_per_s",
                                          "command_value.restitution",
                                          "command_value.seq",
                                          "command_value.thruster",
                                          "command_value.tick"};
inline constexpr std::array kSinceFormat5{"session.arithmetic"};
/// SQL that adds them to the view of a file of an earlier format.
extern const char* const kBeforeFormat2;
extern const char* const kBeforeFormat3;
extern const char* const kBeforeFormat4;
extern const char* const kBeforeFormat5;

/// SQL that creates all tables.
extern const char* const kSchema;

}  // namespace tenon::runtime
