// A good scene, one thing spoilt in it, and what the complaint about that must say.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tenon::tests {

struct Mistake {
  const char* what;
  std::string at;                  ///< JSON pointer of what is spoilt
  const char* value;               ///< JSON to put there; nullptr: remove it
  std::string place;               ///< JSON pointer that the complaint names
  std::vector<const char*> words;  ///< what problem and remedy must say
};

/// Spoils `good`, the scene of `file`, one mistake at a time. `complaintAbout` gives the complaint about a
/// text.
template <class ComplaintAbout>
void expectComplaints(const nlohmann::json& good, const std::string& file,
                      const std::vector<Mistake>& mistakes, const ComplaintAbout& complaintAbout) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.what);
    nlohmann::json document = good;
    const nlohmann::json::json_pointer at(mistake.at);
    if (mistake.value)
      document[at] = nlohmann::json::parse(mistake.value);
    else
      document[at.parent_pointer()].erase(at.back());
    const std::string complaint = complaintAbout(document.dump());
    const std::string start = file + ": " + mistake.place + ": ";
    EXPECT_EQ(complaint.substr(0, start.size()), start) << complaint;
    EXPECT_EQ(complaint.find('\n'), complaint.npos) << complaint;
    EXPECT_NE(complaint.find("; "), complaint.npos) << complaint;
    for (const char* word : mistake.words)
      EXPECT_NE(complaint.find(word), complaint.npos) << word << " in " << complaint;
  }
}

}  // namespace tenon::tests
