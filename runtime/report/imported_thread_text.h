// Threads that an import has found, in words and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "content/recognize/recognized_thread.h"

namespace tenon::runtime {

/// "M8, right-handed, external, 6.1 turns, class 6g, 48 facets a turn: vertices within 12 µm, 99 % within
/// 3 µm"; of a thread that is not used also why, and that its faces collide.
std::string importedThreadText(const content::RecognizedThread& thread);

/// The same with all numbers, in SI units.
nlohmann::ordered_json importedThreadJson(const content::RecognizedThread& thread);

/// The class of ISO 965-1 in which the thread's diameters lie ("6g"), or that nearest to them with the
/// distance beyond it ("nearest 6g, 21 µm beyond it"); "" for sizes without classes.
std::string threadClassText(const physics::Thread& thread);

}  // namespace tenon::runtime
