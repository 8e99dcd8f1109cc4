// See web_page.h. The files are in page/; page.html names in double braces what goes where.
#include "runtime/web/web_page.h"

#include <map>
#include <string_view>

#include "runtime/report/base64.h"
#include "runtime/report/svg_chart.h"
#include "runtime/web/deflate.h"

// page_files.S
extern "C" {
extern const char tenonPageHtmlBegin[], tenonPageHtmlEnd[];
extern const char tenonPageStyleBegin[], tenonPageStyleEnd[];
extern const char tenonPageDecodeBegin[], tenonPageDecodeEnd[];
extern const char tenonPageMeshesBegin[], tenonPageMeshesEnd[];
extern const char tenonPageSectionBegin[], tenonPageSectionEnd[];
extern const char tenonPageArrowsBegin[], tenonPageArrowsEnd[];
extern const char tenonPageViewBegin[], tenonPageViewEnd[];
extern const char tenonPagePanelsBegin[], tenonPagePanelsEnd[];
extern const char tenonPageTimelineBegin[], tenonPageTimelineEnd[];
extern const char tenonPageMainBegin[], tenonPageMainEnd[];
extern const char tenonThreeBegin[], tenonThreeEnd[];
extern const char tenonOrbitBegin[], tenonOrbitEnd[];
}

namespace tenon::runtime {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// The page's own scripts, in the order in which they run.
std::string ownScripts() {
  std::string text;
  for (const std::string_view file :
       {between(tenonPageDecodeBegin, tenonPageDecodeEnd), between(tenonPageMeshesBegin, tenonPageMeshesEnd),
        between(tenonPageSectionBegin, tenonPageSectionEnd),
        between(tenonPageArrowsBegin, tenonPageArrowsEnd), between(tenonPageViewBegin, tenonPageViewEnd),
        between(tenonPagePanelsBegin, tenonPagePanelsEnd),
        between(tenonPageTimelineBegin, tenonPageTimelineEnd), between(tenonPageMainBegin, tenonPageMainEnd)})
    text += file;
  return text;
}

/// three.js with its camera control, which the page decompresses.
std::string libraryScripts() {
  return std::string(between(tenonThreeBegin, tenonThreeEnd)) + "\n" +
         std::string(between(tenonOrbitBegin, tenonOrbitEnd));
}

}  // namespace

std::string webPage(const std::string& title, const std::string& document) {
  const std::map<std::string, std::string, std::less<>> inserts{
      {"title", escapeMarkup(title)},
      {"style", std::string(between(tenonPageStyleBegin, tenonPageStyleEnd))},
      {"library", base64(deflated(libraryScripts()))},
      {"session", base64(deflated(document))},
      {"scripts", ownScripts()}};
  std::string_view rest = between(tenonPageHtmlBegin, tenonPageHtmlEnd);
  std::string page;
  for (std::size_t open = rest.find("{{"); open != rest.npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += inserts.find(rest.substr(open + 2, close - open - 2))->second;
    rest.remove_prefix(close + 2);
  }
  return page += rest;
}

}  // namespace tenon::runtime
