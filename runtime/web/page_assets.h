// The files of the page, which are data of the program (page_files.S).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenon::runtime {

struct PageAsset {
  std::string_view name;  ///< "main.js"
  std::string_view text;
};

std::string_view pageHtml();
/// With the palette's colors.
std::string pageStyle();
/// What the served page has, and a file has not: list of sessions, sign-in.
std::string_view startHtml();
/// three.js with its camera control.
std::string libraryScripts();

/// Scripts in the order in which they run: those of the viewer, then those of a file or of a server.
std::span<const PageAsset> viewerScripts();
std::span<const PageAsset> fileScripts();
std::span<const PageAsset> serverScripts();

/// page.html with what it names in double braces, by `insert(name)`.
template <class Insert>
std::string filledPage(const Insert& insert) {
  std::string_view rest = pageHtml();
  std::string page;
  for (std::size_t open = rest.find("{{"); open != rest.npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += insert(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  return page += rest;
}

}  // namespace tenon::runtime
