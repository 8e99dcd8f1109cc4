// Modifies single values of a valid scene and checks the errors.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tenon::tests {

struct Mistake {
  const char* what;
  std::string at;                  ///< JSON pointer of the modified value
  const char* value;               ///< the new JSON value; nullptr: remove it
  std::string place;               ///< JSON pointer in the error
  std::vector<const char*> words;  ///< texts that problem and remedy must contain
};

/// Applies each mistake to `good`, the scene of `file`. `errorFor` returns the error of a text.
template <class ErrorFor>
void expectErrors(const nlohmann::json& good, const std::string& file, const std::vector<Mistake>& mistakes,
                  const ErrorFor& errorFor) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.what);
    nlohmann::json document = good;
    const nlohmann::json::json_pointer at(mistake.at);
    if (mistake.value)
      document[at] = nlohmann::json::parse(mistake.value);
    else
      document[at.parent_pointer()].erase(at.back());
    const std::string error = errorFor(document.dump());
    const std::string start = file + ": " + mistake.place + ": ";
    EXPECT_EQ(error.substr(0, start.size()), start) << error;
    EXPECT_EQ(error.find('\n'), error.npos) << error;
    EXPECT_NE(error.find("; "), error.npos) << error;
    for (const char* word : mistake.words) EXPECT_NE(error.find(word), error.npos) << word << " in " << error;
  }
}

}  // namespace tenon::tests
