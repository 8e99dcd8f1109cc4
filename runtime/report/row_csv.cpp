// See row_csv.h.
#include "runtime/report/row_csv.h"

#include <nlohmann/json.hpp>

#include "runtime/record/session_tables.h"

namespace tenon::runtime {

std::string csvOf(const nlohmann::ordered_json& sample, const nlohmann::ordered_json& rows) {
  std::string text;
  const auto line = [&](const nlohmann::ordered_json& row, bool names) {
    bool first = true;
    for (const auto& [name, value] : row.items()) {
      text += first ? "" : ",";
      first = false;
      if (names)
        text += name;
      else if (value.is_string())
        text += csvField(value.get<std::string>());
      else if (!value.is_null())
        text += value.dump();
    }
    text += "\r\n";
  };
  line(sample, true);
  for (const auto& row : rows) line(row, false);
  return text;
}

}  // namespace tenon::runtime
