// Requests and escapes: groff_man(7), and groff_char(7) for "-", "^" and "~" that can be copied from the
// page.
#include "runtime/manual/manual_page.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

namespace tenon::runtime {

namespace {

std::string escaped(const std::string& text) {
  std::string all;
  bool lineBegins = true;
  for (const char c : text) {
    if (lineBegins && (c == '.' || c == '\'')) all += "\\&";
    lineBegins = c == '\n';
    if (c == '\\')
      all += "\\e";
    else if (c == '-')
      all += "\\-";
    else if (c == '^')
      all += "\\(ha";
    else if (c == '~')
      all += "\\(ti";
    else
      all += c;
  }
  return all;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

/// "--rate HZ", "-v, --verbose", "SIZE ...".
std::string headingOf(const OptionDescription& option) {
  std::string heading;
  for (const std::string& name : option.names)
    heading += (heading.empty() ? "" : ", ") + (option.isArgument ? italic(name) : bold(name));
  if (!option.isArgument && option.takesValue && !option.placeholder.empty())
    heading += " " + italic(option.placeholder);
  return heading + (option.isArgument && option.isRepeatable ? " ..." : "");
}

std::string sentence(const std::string& text) {
  return text.empty() || text.ends_with('.') ? text : text + ".";
}

std::string entryOf(const OptionDescription& option) {
  std::string text = sentence(option.text);
  if (!option.values.empty()) text += " One of: " + listed(option.values) + ".";
  if (!option.range.empty()) text += " Range: " + option.range + ".";
  if (!option.defaultValue.empty()) text += " Default: " + option.defaultValue + ".";
  if (option.isRequired && !option.isArgument) text += " Required.";
  if (!option.needs.empty()) text += " Needs " + listed(option.needs) + ".";
  if (!option.excludes.empty()) text += " Not with " + listed(option.excludes) + ".";
  return ".TP\n" + headingOf(option) + "\n" + escaped(text) + "\n";
}

/// "tenon run [OPTIONS] SCENE".
std::string usageOf(const CommandDescription& command) {
  std::string usage = bold(command.path.empty() ? "tenon" : "tenon " + command.path) + " [OPTIONS]";
  for (const OptionDescription& option : command.options) {
    if (!option.isArgument) continue;
    const std::string name = italic(option.names.front()) + (option.isRepeatable ? "..." : "");
    usage += option.isRequired ? " " + name : " [" + name + "]";
  }
  return usage + (command.subcommands.empty() ? "" : " " + italic("SUBCOMMAND"));
}

/// A paragraph of --help: examples keep their lines, everything else is filled.
std::string paragraph(const std::string& text) {
  constexpr std::string_view kExamples = "Examples:\n";
  if (!text.starts_with(kExamples)) return ".PP\n" + escaped(text) + "\n";
  return ".PP\nExamples:\n.PP\n.nf\n" + escaped(text.substr(kExamples.size())) + "\n.fi\n";
}

std::string paragraphsOf(const std::string& footer) {
  std::string all;
  for (std::size_t begin = 0; begin < footer.size();) {
    const std::size_t end = std::min(footer.find("\n\n", begin), footer.size());
    all += paragraph(footer.substr(begin, end - begin));
    begin = end + 2;
  }
  return all;
}

std::string bodyOf(const CommandDescription& command) {
  std::string body = ".PP\n" + escaped(sentence(command.text)) + "\n";
  for (const OptionDescription& option : command.options) body += entryOf(option);
  return body + paragraphsOf(command.footer);
}

void addSections(const CommandDescription& command, std::string& page) {
  for (const CommandDescription& sub : command.subcommands) {
    page += ".SS " + usageOf(sub) + "\n" + bodyOf(sub);
    addSections(sub, page);
  }
}

}  // namespace

std::string manualPage(const CommandDescription& program, const std::string& version) {
  std::string page = fmt::format(
      ".\\\" Printed by: tenon manual man\n.TH TENON 1 \"\" \"tenon {}\" \"User Commands\"\n.ad l\n",
      escaped(version));
  page += ".SH NAME\ntenon \\- VR assembly\\-planning simulator\n";
  page += ".SH SYNOPSIS\n" + usageOf(program) + "\n";
  page += ".SH DESCRIPTION\n" + bodyOf(program);
  page += ".SH COMMANDS\n";
  addSections(program, page);
  return page;
}

}  // namespace tenon::runtime
