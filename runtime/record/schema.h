// The tables of a session file, documented in format.md.
#pragma once

#include <array>
#include <cstdint>

namespace tenon::runtime {

inline constexpr std::int32_t kApplicationId = 0x544E4F4E;  ///< "TNON", in the header of the SQLite file
inline constexpr int kFormatVersion = 6;                    ///< the file's user_version

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
inline constexpr std::array kSinceFormat6{"command.last_tick", "contact_frame.bytes", "contact_frame.tick",
                                          "contact_frame.whole"};
/// Columns that format 6 has no more; there `contact` is computed (contact_table.h).
inline constexpr std::array kUntilFormat6{
    "contact.body_i",  "contact.body_j",       "contact.distance_m",   "contact.feature",
    "contact.force_n", "contact.friction_x_n", "contact.friction_y_n", "contact.friction_z_n",
    "contact.mu",      "contact.nx",           "contact.ny",           "contact.nz",
    "contact.px_m",    "contact.py_m",         "contact.pz_m",         "contact.seq",
    "contact.tick"};
/// SQL that adds them to the view of a file of an earlier format.
extern const char* const kBeforeFormat2;
extern const char* const kBeforeFormat3;
extern const char* const kBeforeFormat4;
extern const char* const kBeforeFormat5;
extern const char* const kBeforeFormat6;

/// SQL that creates all tables.
extern const char* const kSchema;

}  // namespace tenon::runtime
