// A study's results in one SQLite file: the plan and one row a case.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <functional>
#include <span>
#include <string>

#include "runtime/study/study_case.h"

namespace tenon::runtime {

/// Which cases of a plan a file has: those with number % count == index.
struct Shard {
  int index = 0, count = 1;
};

class ResultsFile {
 public:
  /// Opens `file` for a study, or creates it. Throws content::InputError if it is another file, or of another
  /// plan, scene or shard, and says which field changed.
  ResultsFile(const std::string& file, const StudyScene& scene, Shard shard);
  /// Opens a file to read. Throws content::InputError.
  explicit ResultsFile(const std::string& file);

  const StudyPlan& plan() const { return plan_; }
  const std::string& file() const { return file_; }
  Shard shard() const { return shard_; }
  const std::string& fingerprint() const { return fingerprint_; }
  /// One transaction. A case that the file has already is left as it is. Throws content::InputError if the
  /// disk is full.
  void add(std::span<const CaseResult> results);
  /// Removes the cases from `count` on. Throws content::InputError.
  void truncate(std::int64_t count);
  /// Every case in the order of its number. Throws content::InputError for a damaged file.
  void forEach(const std::function<void(const CaseResult&)>& receive) const;

 private:
  void create(const StudyScene& scene);
  void readHeader();
  [[noreturn]] void failToWrite(const SQLite::Exception& error) const;
  void requireSame(const StudyScene& scene, Shard shard) const;

  std::string file_;
  mutable SQLite::Database database_;
  StudyPlan plan_;
  Shard shard_;
  std::string fingerprint_;
};

}  // namespace tenon::runtime
