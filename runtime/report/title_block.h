// The title block of a report: whose it is, of what, and in which revision.
#pragma once

#include <string>

namespace tenon::runtime {

struct TitleBlock {
  std::string project, author, revision, company;  ///< empty: left out
  std::string logo;                                ///< bytes of a PNG file; empty: none
};

/// Reads a JSON file {"project": …, "author": …, "revision": …, "company": …, "logo": FILE.png}, all of them
/// optional; the logo is in the folder of the file or below. Throws content::InputError.
TitleBlock readTitleBlock(const std::string& file);

/// The block at the top of the page.
std::string titleBlockHtml(const TitleBlock& block);

}  // namespace tenon::runtime
