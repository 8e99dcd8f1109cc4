// See served_page.h.
#include "runtime/web/served_page.h"

#include <map>

#include "runtime/web/deflate.h"
#include "runtime/web/page_assets.h"

namespace tenon::runtime {

namespace {

constexpr const char* kScriptType = "text/javascript; charset=utf-8";

std::map<std::string, PageFile, std::less<>> makeFiles() {
  std::map<std::string, PageFile, std::less<>> files;
  files["/page/style.css"] = {"text/css; charset=utf-8", deflated(pageStyle())};
  files["/page/three.js"] = {kScriptType, deflated(libraryScripts())};
  for (const auto& part : {viewerScripts(), serverScripts()})
    for (const PageAsset& script : part)
      files["/page/" + std::string(script.name)] = {kScriptType, deflated(script.text)};
  return files;
}

}  // namespace

std::string servedPage(bool needsToken) {
  std::string scripts = "<script src=\"/page/three.js\"></script>";
  for (const auto& part : {viewerScripts(), serverScripts()})
    for (const PageAsset& script : part)
      scripts += "\n<script src=\"/page/" + std::string(script.name) + "\"></script>";
  const std::string style =
      "<link rel=\"stylesheet\" href=\"/page/style.css\">\n<meta name=\"tenon-tokens\" "
      "content=\"" +
      std::string(needsToken ? "required" : "none") + "\">";
  const std::map<std::string, std::string, std::less<>> inserts{
      {"title", "Tenon"}, {"style", style}, {"start", std::string(startHtml())}, {"scripts", scripts}};
  return filledPage([&](std::string_view name) { return inserts.find(name)->second; });
}

const PageFile* pageFile(std::string_view path) {
  static const auto files = makeFiles();
  const auto file = files.find(path);
  return file == files.end() ? nullptr : &file->second;
}

}  // namespace tenon::runtime
