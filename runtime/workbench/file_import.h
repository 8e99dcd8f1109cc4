// Parts from files that are added to the workbench: read one after the other on a thread of their own, so
// that the window goes on.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

class Workbench;

/// Entries for the scene file; and why there are none, or not those of all products, in one line.
struct ImportedParts {
  std::vector<nlohmann::ordered_json> entries;              ///< of "parts"
  std::vector<std::pair<std::string, double>> materials{};  ///< that they name: density [kg/m³]
  std::string problem{};
};

/// A file, and the scene to which its parts shall be added.
struct ImportRequest {
  std::string file, sceneFile;
  std::string unit;  ///< of STL and OBJ files
  /// A scene as the entries will be in; its parts stay where they are.
  std::shared_ptr<const content::Scene> scene;
};

/// Receives progress messages; may throw, which ends the reading.
using ImportProgress = std::function<void(const std::string&)>;

/// Reads the parts of a file: one, or those of a STEP assembly in their poses, all of them beside the parts
/// of the scene and on its floor. They are checked as parts of a scene. Of the first parts of a scene the
/// only one, or the largest of an assembly, is fixed. Throws what `progress` throws.
ImportedParts readParts(const ImportRequest& request, const ImportProgress& progress);

/// The files that are waiting, and the one that is read.
class FileImport {
 public:
  FileImport() = default;
  FileImport(const FileImport&) = delete;
  FileImport& operator=(const FileImport&) = delete;
  /// Waits until reading has ended, at its next message of progress.
  ~FileImport() { cancel(); }

  void add(std::string file, std::string unit) { waiting_.push_back({std::move(file), std::move(unit)}); }
  bool isRunning() const { return reading_ || !waiting_.empty(); }
  /// What is being read, for the status bar.
  std::string progress() const;
  /// Once per frame: adds what has been read to the document, and begins with the next file. Returns why a
  /// file, or a product of it, could not be added, or "".
  std::string update(Workbench& bench);
  /// Forgets the files that wait and the one that is read, without waiting for it.
  void cancel();

 private:
  struct Waiting {
    std::string file, unit;
  };
  /// A file that is read on a thread of its own.
  struct Reading {
    std::atomic<bool> cancelled = false;
    std::mutex mutex;  ///< of text
    std::string text;
    std::future<ImportedParts> result;  ///< the last member: the thread uses the others
  };

  static void add(const ImportedParts& parts, Workbench& bench);
  void startNext(const Workbench& bench);

  std::deque<Waiting> waiting_;
  std::unique_ptr<Reading> reading_;
  std::vector<std::unique_ptr<Reading>> cancelled_;  ///< until their threads have ended
};

}  // namespace tenon::runtime
