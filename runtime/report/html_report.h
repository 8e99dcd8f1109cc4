// A session as one page that opens in any browser, prints, and needs no network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct ReportImage {
  int goal = -1;  ///< what it belongs to; −1: to the whole session
  std::string title;
  std::string png;  ///< bytes of the file
};

struct ReportImages {
  std::vector<ReportImage> all;
  std::string why;  ///< there are none, or ""
};

/// The page. It holds the operations once more as JSON, in a script element "operations".
std::string htmlReport(const SessionReader& session, const content::Scene& scene,
                       std::span<const Operation> operations, const ReportImages& images);

}  // namespace tenon::runtime
