// Checks of output files. Every command calls requireWritable() before its work.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/input/file_source.h"
#include "content/model/scene.h"
#include "runtime/record/session_header.h"
#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Kind of output; determines the allowed file name endings.
enum class OutputKind {
  session,  ///< SQLite, with the temporary files that SQLite creates beside it
  report,   ///< Markdown or plain text
  image,    ///< PNG
  trace,    ///< one line of JSON per frame
  scene,    ///< JSON
  json,
  html,
  pdf,
  glb,
  mesh,    ///< GLB or OBJ, chosen by the ending
  volume,  ///< STL or GLB, chosen by the ending
  obj,     ///< OBJ only
  mp4,
  webm,
  tables,  ///< a folder of CSV files
};

/// An output file named on the command line.
struct Output {
  std::string option;               ///< such as "--report"
  std::optional<std::string> file;  ///< std::nullopt: option not given
  OutputKind kind;
};

/// Files that a command reads. They are never overwritten, not even with --force.
class InputFiles {
 public:
  /// `description` completes "FILE …", for example "is the scene itself".
  void add(const std::string& file, const std::string& description);
  /// Adds a scene and the files it refers to; paths are relative to its folder.
  void add(const content::Scene& scene, const content::FileBytes& meshFiles);
  /// Adds a session, the temporary files of SQLite, and the files that it was recorded from. The latter are
  /// compared by path and by content, because they may have been moved.
  void add(const std::string& sessionFile, const SessionHeader& header);

  /// The description of `file` if it is one of these under any name; otherwise "".
  std::string conflictOf(const std::string& file) const;

 private:
  struct Input {
    std::string file, description;
    std::string content;  ///< also compared, unless ""
  };
  std::vector<Input> inputs_;
};

/// Adds --force.
void addForce(CLI::App& command, bool& force);

/// Throws content::InputError for an output that is also an input or another output, has the ending of
/// another format, is not a regular file, or exists (without `force`); and for `force` without any output.
/// Changes no file.
void requireWritable(std::span<const Output> outputs, const InputFiles& inputs, bool force);

/// The ending of a file name in lower case, with its dot.
std::string endingOf(const std::string& file);

/// A new file name "tenon-DATE-TIME", numbered if it exists, in `folder` ("": the working folder).
std::string uniqueFileName(const std::string& folder, const std::string& ending);

}  // namespace tenon::runtime
