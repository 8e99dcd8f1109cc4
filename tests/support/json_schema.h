// Comparison of a published JSON schema with the reader of its documents.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tenon::tests {

/// Why a test is skipped without verdicts.
inline constexpr const char* kNoJsonSchema = "python3 has no jsonschema: install python3-jsonschema";

/// For each document "ok", or what the schema (a file) complains of first; empty where python3 has no
/// jsonschema. Throws std::runtime_error if the validator fails.
std::optional<std::vector<std::string>> schemaVerdicts(const std::string& schema,
                                                       const std::vector<nlohmann::json>& documents);

struct ChangedDocument {
  nlohmann::json document;
  std::string label;  ///< what was changed
};

/// A document with an unknown field in each of its objects, without each of its fields, and with nonsense in
/// each of them: one change at a time.
std::vector<ChangedDocument> changedDocuments(const nlohmann::json& good);

}  // namespace tenon::tests
