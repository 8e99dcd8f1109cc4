// See page_assets.h.
#include "runtime/web/page_assets.h"

#include <array>

#include "runtime/report/palette_css.h"

// page_files.S
extern "C" {
extern const char tenonPageHtmlBegin[], tenonPageHtmlEnd[];
extern const char tenonPageStyleBegin[], tenonPageStyleEnd[];
extern const char tenonPageStartHtmlBegin[], tenonPageStartHtmlEnd[];
extern const char tenonPageDecodeBegin[], tenonPageDecodeEnd[];
extern const char tenonPageMeshesBegin[], tenonPageMeshesEnd[];
extern const char tenonPageSectionBegin[], tenonPageSectionEnd[];
extern const char tenonPageArrowsBegin[], tenonPageArrowsEnd[];
extern const char tenonPageViewBegin[], tenonPageViewEnd[];
extern const char tenonPageChartBegin[], tenonPageChartEnd[];
extern const char tenonPagePanelsBegin[], tenonPagePanelsEnd[];
extern const char tenonPageTimelineBegin[], tenonPageTimelineEnd[];
extern const char tenonPageSectionPanelBegin[], tenonPageSectionPanelEnd[];
extern const char tenonPageViewerBegin[], tenonPageViewerEnd[];
extern const char tenonPageEmbeddedBegin[], tenonPageEmbeddedEnd[];
extern const char tenonPageLiveBegin[], tenonPageLiveEnd[];
extern const char tenonPagePointingBegin[], tenonPagePointingEnd[];
extern const char tenonPageStartBegin[], tenonPageStartEnd[];
extern const char tenonPageStudyBegin[], tenonPageStudyEnd[];
extern const char tenonThreeBegin[], tenonThreeEnd[];
extern const char tenonOrbitBegin[], tenonOrbitEnd[];
}

namespace tenon::runtime {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view pageHtml() {
  return between(tenonPageHtmlBegin, tenonPageHtmlEnd);
}
std::string pageStyle() {
  return paletteCss() + std::string(between(tenonPageStyleBegin, tenonPageStyleEnd));
}
std::string_view startHtml() {
  return between(tenonPageStartHtmlBegin, tenonPageStartHtmlEnd);
}

std::string libraryScripts() {
  return std::string(between(tenonThreeBegin, tenonThreeEnd)) + "\n" +
         std::string(between(tenonOrbitBegin, tenonOrbitEnd));
}

std::span<const PageAsset> viewerScripts() {
  static const std::array scripts{
      PageAsset{"decode.js", between(tenonPageDecodeBegin, tenonPageDecodeEnd)},
      PageAsset{"meshes.js", between(tenonPageMeshesBegin, tenonPageMeshesEnd)},
      PageAsset{"section.js", between(tenonPageSectionBegin, tenonPageSectionEnd)},
      PageAsset{"arrows.js", between(tenonPageArrowsBegin, tenonPageArrowsEnd)},
      PageAsset{"view.js", between(tenonPageViewBegin, tenonPageViewEnd)},
      PageAsset{"chart.js", between(tenonPageChartBegin, tenonPageChartEnd)},
      PageAsset{"panels.js", between(tenonPagePanelsBegin, tenonPagePanelsEnd)},
      PageAsset{"timeline.js", between(tenonPageTimelineBegin, tenonPageTimelineEnd)},
      PageAsset{"section_panel.js", between(tenonPageSectionPanelBegin, tenonPageSectionPanelEnd)},
      PageAsset{"viewer.js", between(tenonPageViewerBegin, tenonPageViewerEnd)}};
  return scripts;
}

std::span<const PageAsset> fileScripts() {
  static const std::array scripts{
      PageAsset{"embedded.js", between(tenonPageEmbeddedBegin, tenonPageEmbeddedEnd)}};
  return scripts;
}

std::span<const PageAsset> serverScripts() {
  static const std::array scripts{
      PageAsset{"live.js", between(tenonPageLiveBegin, tenonPageLiveEnd)},
      PageAsset{"pointing.js", between(tenonPagePointingBegin, tenonPagePointingEnd)},
      PageAsset{"study.js", between(tenonPageStudyBegin, tenonPageStudyEnd)},
      PageAsset{"start.js", between(tenonPageStartBegin, tenonPageStartEnd)}};
  return scripts;
}

}  // namespace tenon::runtime
