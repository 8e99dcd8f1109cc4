// See title_block.h.
#include "runtime/report/title_block.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "content/input/file_source.h"
#include "content/input/inside_folder.h"
#include "content/input/json_cursor.h"
#include "content/input/limits.h"
#include "content/input/parse_json.h"
#include "content/input/text_file.h"
#include "content/input/wording.h"
#include "runtime/report/base64.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kMaxLogo = std::size_t{1} << 20;  ///< [bytes]

std::string readLogo(const content::JsonCursor& at) {
  const std::string folder = content::folderOf(at.context().file);
  const std::string file = folder + "/" + at.text(content::kMaxTextBytes);
  if (!content::isInsideFolder(file, folder))
    at.fail("is not in the folder of the title block", "copy the logo there");
  std::string bytes = content::readTextFile(file, {"logo", kMaxLogo, "give a PNG picture of at most 1 MiB"});
  if (!bytes.starts_with("\x89PNG\r\n"))
    at.fail(content::inQuotes(file) + " is not a PNG picture", "save the logo as PNG");
  return bytes;
}

}  // namespace

TitleBlock readTitleBlock(const std::string& file) {
  const nlohmann::json document = content::parseJson(
      content::readTextFile(file, {"title block", content::kMaxFileBytes, "give a small JSON file"}), file);
  content::ReadContext context;
  context.file = file;
  const content::JsonCursor root(document, "", context);
  root.allowOnly({"project", "author", "revision", "company", "logo"});
  TitleBlock block;
  for (const auto& [field, text] :
       {std::pair("project", &block.project), std::pair("author", &block.author),
        std::pair("revision", &block.revision), std::pair("company", &block.company)})
    if (const auto given = root.find(field)) *text = given->text(content::kMaxTextBytes);
  if (const auto logo = root.find("logo")) block.logo = readLogo(*logo);
  return block;
}

std::string titleBlockHtml(const TitleBlock& block) {
  std::string rows;
  for (const auto& [label, text] :
       {std::pair("Company", &block.company), std::pair("Project", &block.project),
        std::pair("Author", &block.author), std::pair("Revision", &block.revision)})
    if (!text->empty()) rows += fmt::format("<tr><th>{}</th><td>{}</td></tr>", label, escapeMarkup(*text));
  const std::string logo =
      block.logo.empty() ? ""
                         : fmt::format("<img alt='Logo' src='data:image/png;base64,{}'>", base64(block.logo));
  return fmt::format("<header class='title'><table class='facts'>{}</table>{}</header>", rows, logo);
}

}  // namespace tenon::runtime
