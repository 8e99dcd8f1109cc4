// HTML report of a session: one self-contained page for screen and print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/read_operations.h"
#include "runtime/record/session_reader.h"
#include "runtime/report/title_block.h"

namespace tenon::runtime {

enum class ReportImageKind {
  overview,  ///< of the whole session
  start,     ///< of a goal: when its part was first grasped
  contact,   ///< at the first contact with the part that has the hole
  end,       ///< seated, else at the last jam, else at the end
};

struct ReportImage {
  int goal = -1;  ///< index of its goal; −1: the whole session
  ReportImageKind kind = ReportImageKind::overview;
  std::string title;
  std::string png;  ///< bytes of the PNG file
};

struct ReportImages {
  std::vector<ReportImage> all;
  std::string why;  ///< reason if there are no images, or ""
};

/// The page, with a title block if there is one. It also contains the operations as JSON, in a script element
/// "operations".
std::string htmlReport(const SessionReader& session, const content::Scene& scene,
                       const SessionResults& results, const ReportImages& images,
                       const std::optional<TitleBlock>& title = {});

}  // namespace tenon::runtime
