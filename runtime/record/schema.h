// The tables of a session file: what format.md documents.
#pragma once

#include <array>
#include <cstdint>

namespace tenon::runtime {

inline constexpr std::int32_t kApplicationId = 0x544E4F4E;  ///< "TNON", in the header of the SQLite file
inline constexpr int kFormatVersion = 2;                    ///< the file's user_version

/// "table.column" of what format 1 had not, in alphabetical order.
inline constexpr std::array kSinceFormat2{"command.rate_hz", "command.solver", "command.to_tick",
                                          "tick.session_s"};
/// Views in whose sight a file of format 1 has them.
extern const char* const kViewsOnFormat1;

/// Makes all tables of an empty file.
extern const char* const kSchema;

}  // namespace tenon::runtime
