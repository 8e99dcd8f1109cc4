// Colors of the verdicts.
#include "runtime/live_view/verdict_colors.h"

namespace tenon::runtime {

namespace palette = xr::palette;

xr::Color textColorOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::inserted:
    case Verdict::tightened:
    case Verdict::started:
      return palette::kGoodText;
    case Verdict::tooDeep:
    case Verdict::jammed:
    case Verdict::blocked:
    case Verdict::crossThreaded:
    case Verdict::stripped:
      return palette::kBadText;
    case Verdict::released:
      return palette::kCautionText;
    case Verdict::pending:
      break;
  }
  return palette::kFaint;
}

xr::Color barColorOf(Verdict verdict) {
  const xr::Color text = textColorOf(verdict);
  return text == palette::kGoodText  ? palette::kGoodFill
         : text == palette::kBadText ? palette::kBadFill
                                     : palette::kNeutralFill;
}

}  // namespace tenon::runtime
