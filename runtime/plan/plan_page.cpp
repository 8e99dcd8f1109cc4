// See plan_page.h.
#include "runtime/plan/plan_page.h"

#include <fmt/format.h>

#include <cmath>

#include "content/input/wording.h"
#include "runtime/plan/plan_text.h"
#include "runtime/report/base64.h"
#include "runtime/report/html_style.h"
#include "runtime/report/svg_chart.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

std::string stepTable(const AssemblyPlan& plan) {
  std::string text =
      "<h2>Order</h2><div class='wide'><table id='steps'><tr><th>Step</th><th>Part</th><th>Inserted</th>"
      "<th>Travel</th><th>Along</th><th>Afterwards</th><th>Hand</th><th>Time [s]</th></tr>";
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    const PlanStep& step = plan.steps[k];
    const std::string place = step.group > 0 ? fmt::format(" (group {})", step.group) : "";
    const std::string legs = step.legs.empty() ? ""
                                               : fmt::format("<br><span class='note'>{}</span>",
                                                             escapeMarkup(legsText(step, plan)));
    const std::string tool =
        step.tool.empty() ? "" : fmt::format("<br><span class='bad'>{}</span>", escapeMarkup(step.tool));
    const std::string remark =
        step.remark.empty() ? "" : fmt::format("<br><span class='bad'>{}</span>", escapeMarkup(step.remark));
    text += fmt::format(
        "<tr><td>{}</td><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        k + 1, escapeMarkup(partsText(step, plan) + place), remark,
        insertionText(step, *plan.assembly.scene) + legs, millimetersText(step.travel),
        escapeMarkup(step.motion.reason), escapeMarkup(supportText(step, plan)),
        step.hand ? escapeMarkup(handText(step, plan)) : "–",
        step.hand ? fmt::format("{:.1f}–{:.1f}", step.start, step.end) : "–");
  }
  return text + "</table></div>";
}

/// A row for each step, its bar from grasping to releasing.
std::string gantt(const AssemblyPlan& plan) {
  std::vector<TimelineRow> rows;
  for (const PlanStep& step : plan.steps)
    if (step.hand)
      rows.push_back({partsText(step, plan), {{step.start, step.end, handText(step, plan)}}, {}});
  if (rows.empty()) return "";
  return "<h2>Times</h2><div class='wide timeline'>" + svgOf(rows, plan.duration) +
         fmt::format(
             "</div><p class='note'>Estimated by the speeds of the hands' scripts, {:.1f} s in all.</p>",
             plan.duration);
}

std::string orderList(const AssemblyPlan& plan) {
  std::string text = "<h2>Orders</h2><ol>";
  for (const RankedOrder& order : plan.orders) {
    std::string names;
    for (const std::string& name : order.names) names += (names.empty() ? "" : ", ") + name;
    text += fmt::format("<li>{}<br><span class='note'>{}</span></li>", escapeMarkup(order.reason),
                        escapeMarkup(names));
  }
  return text + "</ol>";
}

std::string carriedOutList(const AssemblyPlan& plan) {
  if (!plan.carriedOut) return "";
  const CarriedOut& carried = *plan.carriedOut;
  std::string text =
      fmt::format("<h2>Carried out</h2><p>{} of {} reached in a simulation with friction and forces.</p><ol>",
                  carried.reached, countText(carried.goals, "goal"));
  for (const std::string& attempt : carried.attempts) text += "<li>" + escapeMarkup(attempt) + "</li>";
  text += "</ol>";
  if (carried.fit) text += "<p class='why'>" + escapeMarkup(fitText(*carried.fit)) + ".</p>";
  return text;
}

std::string leftoverText(const AssemblyPlan& plan) {
  std::string text;
  for (const std::vector<std::string>& set : plan.inseparable)
    text += fmt::format("<p class='why'>Inseparable: {}: {}.</p>", escapeMarkup(content::quotedList(set)),
                        inseparableText(plan));
  if (!plan.unplanned.empty())
    text += fmt::format("<p class='why'>Not planned in the given time: {}.</p>",
                        escapeMarkup(content::quotedList(plan.unplanned)));
  return text;
}

std::string figure(const std::string& caption, const std::string& png) {
  return fmt::format(
      "<figure><img alt='{0}' src='data:image/png;base64,{1}'><figcaption>{0}</figcaption></figure>",
      escapeMarkup(caption), base64(png));
}

std::string planPictures(const AssemblyPlan& plan, const PlanPictures& pictures) {
  if (!pictures.why.empty())
    return fmt::format("<p class='note'>No pictures: {}</p>", escapeMarkup(pictures.why));
  std::string text = pictures.png.empty() ? "" : "<h2>Pictures</h2><div class='charts'>";
  for (std::size_t k = 0; k < pictures.png.size() && k < plan.steps.size(); ++k)
    text += figure(fmt::format("After step {}: {}", k + 1, partsText(plan.steps[k], plan)), pictures.png[k]);
  return text + (pictures.png.empty() ? "" : "</div>");
}

std::string explodedView(const PlanPictures& pictures) {
  if (pictures.exploded.empty()) return "";
  return "<h2>Exploded view</h2><div class='charts'>" +
         figure("Each part beside its place, against its insertion", pictures.exploded) + "</div>";
}

}  // namespace

std::string planPage(const AssemblyPlan& plan, const PlanPictures& pictures) {
  const content::Scene& scene = *plan.assembly.scene;
  const std::string title = scene.title.empty() ? scene.name : scene.title;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width, "
      "initial-scale=1'><title>{0}</title><style>{1}</style></head><body><main>\n"
      "<h1>Assembly plan: {0}</h1><p class='verdict {2}'>{3} in {4}</p>",
      escapeMarkup(title), styleSheet(), plan.isComplete() ? "good" : "bad",
      plan.isComplete() ? "Complete" : "Incomplete", countText(std::ssize(plan.steps), "step"));
  text += leftoverText(plan) + explodedView(pictures) + stepTable(plan) + gantt(plan) + carriedOutList(plan) +
          orderList(plan) + planPictures(plan, pictures);
  text +=
      "<h2>Definitions</h2><ul>"
      "<li><b>Inserted</b>: direction of the straight motion to the place, or to the first of the further "
      "moves; "
      "its length is the travel. All of it was checked against all parts present with exact distances.</li>"
      "<li><b>Afterwards</b>: result of simulating the state after the step under gravity. What moves by "
      "more than "
      "1 mm or 3° within 0.3 s has to be held by the other hand, or by a fixture.</li></ul>";
  return text + "</main></body></html>\n";
}

}  // namespace tenon::runtime
