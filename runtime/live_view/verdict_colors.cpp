// Colors of the verdicts.
#include "runtime/live_view/verdict_colors.h"

namespace tenon::runtime {

PanelColor textColorOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::inserted:
    case Verdict::tightened:
    case Verdict::started:
      return {0.36f, 0.80f, 0.45f};
    case Verdict::tooDeep:
    case Verdict::jammed:
    case Verdict::blocked:
    case Verdict::crossThreaded:
    case Verdict::stripped:
      return {0.95f, 0.42f, 0.34f};
    case Verdict::released:
      return {0.98f, 0.72f, 0.30f};
    case Verdict::pending:
      break;
  }
  return {0.58f, 0.63f, 0.69f};
}

PanelColor barColorOf(Verdict verdict) {
  constexpr float kDark = 0.5f;
  PanelColor color = textColorOf(verdict);
  for (float& component : color) component *= kDark;
  return color;
}

}  // namespace tenon::runtime
