// Which files a command may write. Every command that writes one calls requireWritable() before its work.
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

/// What is written: decides how the name has to end.
enum class OutputKind {
  session,  ///< SQLite, and what SQLite puts beside it while it is open
  report,   ///< Markdown or plain text
  picture,  ///< PNG
  trace,    ///< a line of JSON for each frame
  scene,    ///< JSON
  json,
  html,
  glb,
  mesh,    ///< GLB or OBJ, chosen by the ending
  obj,     ///< OBJ alone
  tables,  ///< a folder of CSV files
};

/// A file that a command line names.
struct Output {
  std::string option;               ///< that names it, such as "--report"
  std::optional<std::string> file;  ///< none: the option is not given
  OutputKind kind;
};

/// Files that a command reads: never overwritten, not even with --force.
class InputFiles {
 public:
  /// `what` completes "FILE …": "is the scene itself".
  void add(const std::string& file, const std::string& what);
  /// A scene and the files that it refers to, by their paths from its folder.
  void add(const content::Scene& scene, const content::FileBytes& meshFiles);
  /// A session, with what SQLite puts beside it, and the files that it was recorded from: those at their
  /// places as seen from the working folder then, and by their content wherever they are.
  void add(const std::string& sessionFile, const SessionHeader& header);

  /// What to say of `file` where it is one of these, by whichever name; empty: it is none.
  std::string conflictOf(const std::string& file) const;

 private:
  struct Input {
    std::string file, what;
    std::string
        content;  ///< of a file whose place may have changed since it was recorded; "": by its place alone
  };
  std::vector<Input> inputs_;
};

/// Adds --force.
void addForce(CLI::App& command, bool& force);

/// Throws content::InputError for an output that is also an input or another output, that ends as files of
/// another format do, that is no plain file, or that exists already, unless `force`; and for `force` without
/// any output. Looks, and changes nothing.
void requireWritable(std::span<const Output> outputs, const InputFiles& inputs, bool force);

/// The ending of a file's name in small letters, dot included.
std::string endingOf(const std::string& file);

/// "tenon-DATE-TIME", with a number where that exists, in `folder` (empty: the working folder).
std::string uniqueFileName(const std::string& folder, const std::string& ending);

}  // namespace tenon::runtime
