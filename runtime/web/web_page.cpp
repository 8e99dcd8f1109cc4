// See web_page.h.
#include "runtime/web/web_page.h"

#include <map>
#include <string_view>

#include "runtime/report/base64.h"
#include "runtime/report/svg_chart.h"
#include "runtime/web/deflate.h"
#include "runtime/web/page_assets.h"

namespace tenon::runtime {

std::string webPage(const std::string& title, const std::string& document) {
  std::string scripts = "<script id=\"library\" type=\"text/plain\">" + base64(deflated(libraryScripts())) +
                        "</script>\n<script id=\"session\" type=\"text/plain\">" +
                        base64(deflated(document)) + "</script>\n<script>\n";
  for (const auto& part : {viewerScripts(), fileScripts()})
    for (const PageAsset& script : part) scripts += script.text;
  scripts += "</script>";
  const std::map<std::string, std::string, std::less<>> inserts{
      {"title", escapeMarkup(title)},
      {"style", "<style>\n" + pageStyle() + "</style>"},
      {"start", ""},
      {"scripts", scripts}};
  return filledPage([&](std::string_view name) { return inserts.find(name)->second; });
}

}  // namespace tenon::runtime
