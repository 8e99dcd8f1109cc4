// The tables of a session file: what format.md documents.
#pragma once

#include <cstdint>

namespace tenon::runtime {

inline constexpr std::int32_t kApplicationId = 0x544E4F4E;  ///< "TNON", in the header of the SQLite file
inline constexpr int kFormatVersion = 1;                    ///< the file's user_version

/// Makes all tables of an empty file.
extern const char* const kSchema;

}  // namespace tenon::runtime
