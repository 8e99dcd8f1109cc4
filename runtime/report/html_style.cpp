// See html_style.h.
#include "runtime/report/html_style.h"

#include "runtime/report/palette_css.h"

namespace tenon::runtime {

namespace {

constexpr const char* kRules = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 20px; background: var(--paper); }
h1 { font-size: 1.6em; margin: 0 0 .2em; }
h2 { font-size: 1.2em; margin: 1.6em 0 .5em; padding-top: .6em; border-top: 1px solid var(--line); }
table { border-collapse: collapse; margin: .6em 0; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); }
header.title { display: flex; justify-content: space-between; align-items: flex-start; gap: 20px; margin-bottom: 1em; }
header.title img { max-height: 80px; max-width: 240px; border: 0; }
.wide { overflow-x: auto; }
.wide th { vertical-align: bottom; } .wide td { vertical-align: middle; }
#summary td:not(:first-child) { white-space: nowrap; }
.verdict { font-size: 1.1em; font-weight: 600; margin: .2em 0 .6em; }
.good { color: var(--good); } .bad { color: var(--bad); }
.why { border-left: 4px solid var(--bad); padding-left: 10px; }
.note { color: var(--soft); font-size: .9em; } a { color: var(--blue); }
figure { margin: .6em 0; } img { max-width: 100%; border: 1px solid var(--line); }
figcaption { color: var(--soft); font-size: .9em; }
.thumbnails { display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px; }
.thumbnails figure { margin: 0; } .tolerances td { padding-right: 24px; }
.glossary { columns: 2; column-gap: 30px; font-size: .9em; } .glossary dt { font-weight: 600; }
.glossary dd { margin: 0 0 .5em; } .glossary dt, .glossary dd { break-inside: avoid; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 10px; }
svg { width: 100%; height: auto; background: var(--paper); border: 1px solid var(--line); }
.timeline svg { min-width: 720px; }
.limit { stroke: var(--bad); stroke-dasharray: 5 4; } .grid { stroke: var(--line); } .curve { fill: none; stroke: var(--blue); stroke-width: 1.6; stroke-linejoin: round; }
svg text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--soft); }
svg .inbar { font-size: 10px; fill: var(--paper); } svg .head { font-size: 13px; font-weight: 600; fill: var(--ink); }
.bar { fill: var(--blue); stroke: var(--paper); } .seated { fill: var(--good); } .jam { fill: var(--bad); }
.mark { fill: var(--mark); } #marks td:last-child, .facts td { overflow-wrap: anywhere; }
.contact { fill: none; stroke: var(--ink); stroke-width: 1.5; } .cell { stroke: var(--edge); stroke-width: .5; }
#mtm1 td:nth-child(3), #mtm1 td:nth-child(4) { text-align: right; } .motions { font-size: .85em; max-width: 46em; }
.sum td, .sum th { border-top: 2px solid var(--soft); }
@page { size: A4; margin: 14mm; }
@media (max-width: 700px) { .thumbnails { grid-template-columns: 1fr; } .glossary { columns: 1; } }
@media print {
  body, main { background: var(--paper); } main { max-width: none; padding: 0; }
  figure, svg, table { break-inside: avoid; } h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
  .wide { overflow: visible; } .charts { grid-template-columns: repeat(2, 1fr); }
  .thumbnails { grid-template-columns: repeat(3, 1fr); } .glossary { columns: 2; }
  .thumbnails, .verdict { break-inside: avoid; break-after: avoid; }
  .wide table { font-size: 11px; } .wide td, .wide th { padding-right: 8px; }
}
)css";

}  // namespace

std::string styleSheet() {
  return paletteCss() + kRules;
}

}  // namespace tenon::runtime
