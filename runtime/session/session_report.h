// The HTML report of a recorded session: `tenon export --format html`, and the service.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/record/session_reader.h"
#include "runtime/report/title_block.h"

namespace tenon::runtime {

struct SessionReport {
  std::string html;
  std::string noImages;  ///< reason if it has no images, such as a missing Vulkan device; else ""
};

/// Reads the whole session, which must not have been read before. `progress` gets lines while it is read and
/// drawn; what it throws ends the report. Throws content::InputError for a damaged record.
SessionReport reportOf(SessionReader& session, const std::function<void(const std::string&)>& progress,
                       const std::optional<TitleBlock>& title = {});

}  // namespace tenon::runtime
