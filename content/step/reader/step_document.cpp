// Uses OpenCASCADE's XCAF: its document has a label for each product and each occurrence.
#include "content/step/reader/step_document.h"

#include <BRepBuilderAPI_Transform.hxx>
#include <Interface_Check.hxx>
#include <Interface_EntityIterator.hxx>
#include <Interface_ReportEntity.hxx>
#include <Interface_Static.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPConstruct_ExternRefs.hxx>
#include <Standard_Type.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_UndefinedEntity.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_Label.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <TDataStd_TreeNode.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <XCAFDoc.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>
#include <gp_Ax2.hxx>
#include <gp_Quaternion.hxx>
#include <gp_Trsf.hxx>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "content/step/reader/transformed_components.h"
#include "content/step/reader/unreadable_step.h"

namespace tenon::content {
namespace {

/// Limit of nested assemblies.
constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxInstances = 10000;
/// Gaps up to this, or to the uncertainty that the file states if that is larger, are closed between corners,
/// edges and surfaces [mm]. With its own limit, 1 mm, OpenCASCADE winds the borders of small turned faces
/// twice about their axis.
constexpr double kMaxGap = 0.1;

[[noreturn]] void rejectFile(const std::string& place, const std::string& problem,
                             const std::string& remedy) {
  throw UnreadableStep({place, problem, remedy});
}

// --- syntax --------------------------------------------------------------------------------------------

/// Checks the first and last keyword: OpenCASCADE silently accepts truncated files.
void checkEnds(std::string_view bytes) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\0'; };
  while (!bytes.empty() && blank(bytes.front())) bytes.remove_prefix(1);
  while (!bytes.empty() && blank(bytes.back())) bytes.remove_suffix(1);
  if (bytes.empty()) rejectFile("", "is empty", "export the part again");
  if (!bytes.starts_with("ISO-10303-21;"))
    rejectFile("", "is not a STEP file: it does not begin with \"ISO-10303-21;\"",
               "export the part as STEP (AP203, AP214 or AP242)");
  // Signatures may come after the end (edition 3).
  if (bytes.rfind("END-ISO-10303-21;") == std::string_view::npos)
    rejectFile("", "is truncated: \"END-ISO-10303-21;\" is missing at its end", "copy or export it again");
}

/// The first failure that matters; "" if there is none.
template <class Matters>
std::string firstFailure(const Handle(Interface_Check) & check, const Matters& matters) {
  for (int k = 1; !check.IsNull() && k <= check->NbFails(); ++k)
    if (const std::string fail = check->CFail(k); matters(fail)) return fail;
  return "";
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Syntax and references. Parameters are reported here for the entities of the header only, which has no
/// geometry.
bool isAboutFile(std::string_view fail) {
  return !fail.starts_with("Parameter") && !fail.starts_with("Count of Parameters");
}

/// Callouts, dimensions and other annotations of drawings (ISO 10303-101).
bool isAnnotation(const Handle(Standard_Transient) & item) {
  const auto unknown = Handle(StepData_UndefinedEntity)::DownCast(item);
  if (unknown.IsNull()) return std::string_view(item->DynamicType()->Name()).starts_with("StepVisual_");
  const std::string_view type = unknown->StepType();
  return has(type, "CALLOUT") || has(type, "ANNOTATION") || has(type, "DIMENSION") || has(type, "DRAUGHTING");
}

/// True if all items of a representation that are no geometry for OpenCASCADE, and that it leaves out, are
/// annotations. `given`: what has been read of the representation, with all to which it refers.
bool hasOnlyAnnotationsBeside(const Handle(Standard_Transient) & given) {
  const auto representation = Handle(StepData_UndefinedEntity)::DownCast(given);
  if (representation.IsNull()) return false;
  Interface_EntityIterator shared;
  representation->FillShared(shared);
  for (shared.Start(); shared.More(); shared.Next()) {
    const Handle(Standard_Transient)& item = shared.Value();
    if (!item->IsKind(STANDARD_TYPE(StepRepr_RepresentationItem)) &&
        !item->IsKind(STANDARD_TYPE(StepRepr_RepresentationContext)) && !isAnnotation(item))
      return false;
  }
  return true;
}

/// Rejects files with geometry that could not be read: OpenCASCADE silently drops such entities.
void checkEntities(const STEPControl_Reader& reader) {
  const auto model = Handle(StepData_StepModel)::DownCast(reader.WS()->Model());
  if (model.IsNull() || model->NbEntities() == 0) rejectFile("", "has no entities", "export the part again");
  const std::string broken = firstFailure(model->GlobalCheck(), isAboutFile);
  if (!broken.empty()) rejectFile("", "is damaged: " + broken, "export the part again");
  for (int k = 1; k <= model->NbEntities(); ++k) {
    if (!model->IsReportEntity(k)) continue;
    const Handle(Standard_Transient) given = model->ReportEntity(k)->Content();
    // Names of points and faces do not matter.
    const auto matters = [&](std::string_view fail) {
      return !has(fail, "(name)") && !has(fail, "empty string") &&
             !(has(fail, "(representation_item)") && hasOnlyAnnotationsBeside(given));
    };
    const std::string failure = firstFailure(model->Check(k, true), matters);
    if (failure.empty()) continue;
    const std::string_view type = model->Value(k)->DynamicType()->Name();
    if (!type.starts_with("StepGeom_") && !type.starts_with("StepShape_")) continue;
    rejectFile(model->StringLabel(model->Value(k))->ToCString(),
               std::string(type.substr(type.find('_') + 1)) + " is not valid STEP: " + failure,
               "export the part again");
  }
}

void checkExternal(const STEPControl_Reader& reader) {
  STEPConstruct_ExternRefs references(reader.WS());
  if (!references.LoadExternRefs() || references.NbExternRefs() == 0) return;
  rejectFile("", std::string("refers to parts in other files, such as \"") + references.FileName(1) + "\"",
             "export the assembly as one file");
}

std::string unitOf(STEPControl_Reader& reader) {
  TColStd_SequenceOfAsciiString lengths, angles, solids;
  reader.FileUnits(lengths, angles, solids);
  if (lengths.IsEmpty())
    rejectFile("", "does not define the unit of its lengths", "export it with its units");
  std::string name = lengths.First().ToCString();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [fullName, symbol] : std::map<std::string, std::string>{
           {"millimetre", "mm"}, {"centimetre", "cm"}, {"metre", "m"}, {"inch", "in"}})
    if (name == fullName) return symbol;
  return name;
}

// --- the assembly --------------------------------------------------------------------------------------

std::string nameOf(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return "";
  std::string text(static_cast<std::size_t>(name->Get().LengthOfCString()), '\0');
  char* out = text.data();
  name->Get().ToUTF8CString(out);
  return text;
}

/// False for automatic names: CAD systems number unnamed occurrences.
bool isUserName(const std::string& name) {
  std::string_view rest = name;
  if (rest.starts_with("NAUO")) rest.remove_prefix(4);
  return !std::all_of(rest.begin(), rest.end(), [](unsigned char c) { return std::isdigit(c) || c == ' '; });
}

StepColor rgb(const Quantity_Color& color) {
  double r = 0, g = 0, b = 0;
  color.Values(r, g, b, Quantity_TOC_sRGB);
  return {std::clamp(r, 0.0, 1.0), std::clamp(g, 0.0, 1.0), std::clamp(b, 0.0, 1.0)};
}

/// The place of a product in the assembly: p_A = X (M p) with M = diag(1, 1, −1) if it is mirrored, else 1.
struct Placement {
  physics::Pose X;
  bool isMirrored = false, isScaled = false;
};

/// `by`: what the file does besides the location: it mirrors the second axis, or scales.
Placement placementOf(const TopLoc_Location& location, const TransformedComponent& by) {
  const gp_Trsf& transform = location.Transformation();
  Placement place;
  place.isScaled =
      by.isScaled || transform.IsNegative() || std::abs(transform.ScaleFactor() - 1) > kSameScale;
  place.isMirrored = by.isMirrored;
  const gp_XYZ& p = transform.TranslationPart();
  place.X.p = Vector3d(p.X(), p.Y(), p.Z()) / 1000;
  const gp_Quaternion q = transform.GetRotation();
  place.X.q = Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized();
  // R diag(1, −1, 1) = R R_x(π) M
  if (by.isMirrored) place.X.q = place.X.q * Eigen::Quaterniond(0, 1, 0, 0);
  return place;
}

/// X1 M1 X2 M2 = X1 (M1 X2 M1) M1 M2, as M1 is its own inverse.
Placement operator*(const Placement& outer, const Placement& inner) {
  physics::Pose X = inner.X;
  if (outer.isMirrored) {
    X.p.z() = -X.p.z();
    X.q = Eigen::Quaterniond(X.q.w(), -X.q.x(), -X.q.y(), X.q.z());
  }
  return {outer.X * X, outer.isMirrored != inner.isMirrored, outer.isScaled || inner.isScaled};
}

TopoDS_Shape mirrored(const TopoDS_Shape& shape) {
  gp_Trsf mirror;
  mirror.SetMirror(gp_Ax2(gp::Origin(), gp::DZ()));
  return BRepBuilderAPI_Transform(shape, mirror, true).Shape();
}

class Assembly {
 public:
  Assembly(const Handle(TDocStd_Document) & document, std::vector<TransformedComponent> transformed)
      : transformed_(std::move(transformed)),
        isPlaced_(transformed_.size(), false),
        shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
        colors_(XCAFDoc_DocumentTool::ColorTool(document->Main())),
        materials_(XCAFDoc_DocumentTool::MaterialTool(document->Main())) {}

  StepDocument read() {
    TDF_LabelSequence roots;
    shapes_->GetFreeShapes(roots);
    for (const TDF_Label& root : roots) {
      if (model_.title.empty()) model_.title = nameOf(root);
      walk(root, {Placement(), "", std::nullopt}, 0);
    }
    // Sub-assemblies have other shapes in the document.
    for (std::size_t k = 0; k < transformed_.size(); ++k)
      if (!isPlaced_[k])
        rejectFile(
            "",
            transformed_[k].isScaled ? "contains a scaled sub-assembly" : "contains a mirrored sub-assembly",
            transformed_[k].isScaled ? "export its parts in their sizes"
                                     : "mirror its parts one by one in CAD and export again");
    if (model_.instances.empty())
      rejectFile("", "has no solid and no surface", "export the part's solid, not its wires or sketches");
    // The last ones, so that they take no name from a part.
    for (const TDF_Label& label : sketches_) {
      StepProduct product;
      product.name = uniqueProductName(nameOf(label));
      product.hasFaces = false;
      product.problem = {"", "has no faces", "export its solid, not its wires or sketches"};
      model_.products.push_back(std::move(product));
      productShapes_.emplace_back();
    }
    return {std::move(model_), std::move(productShapes_)};
  }

 private:
  /// Properties that an occurrence inherits from its assemblies.
  struct Occurrence {
    Placement place;
    std::string name;
    std::optional<StepColor> color;
  };

  std::optional<StepColor> colorOf(const TDF_Label& label) const {
    Quantity_Color color;
    for (const auto type : {XCAFDoc_ColorSurf, XCAFDoc_ColorGen})
      if (colors_->GetColor(label, type, color)) return rgb(color);
    return std::nullopt;
  }

  TransformedComponent transformOf(const TDF_Label& component) {
    if (transformed_.empty()) return {};
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(component);
    TransformedComponent found;
    for (std::size_t k = 0; k < transformed_.size(); ++k)
      if (transformed_[k].shape.IsSame(shape)) {
        found.isMirrored = found.isMirrored || transformed_[k].isMirrored;
        found.isScaled = found.isScaled || transformed_[k].isScaled;
        isPlaced_[k] = true;
      }
    return found;
  }

  void walk(const TDF_Label& label, Occurrence occurrence, int depth) {
    if (depth > kMaxDepth) rejectFile("", "nests assemblies too deep", "export the assembly again");
    TDF_Label product = label;
    if (XCAFDoc_ShapeTool::IsReference(label)) {
      if (!XCAFDoc_ShapeTool::GetReferredShape(label, product)) return;
      occurrence.place =
          occurrence.place * placementOf(XCAFDoc_ShapeTool::GetLocation(label), transformOf(label));
      if (const std::string name = nameOf(label); isUserName(name)) occurrence.name = name;
      if (const auto color = colorOf(label)) occurrence.color = color;
    }
    if (XCAFDoc_ShapeTool::IsAssembly(product)) {
      if (!occurrence.color) occurrence.color = colorOf(product);
      occurrence.name.clear();  // the name of the assembly, not of its components
      TDF_LabelSequence components;
      XCAFDoc_ShapeTool::GetComponents(product, components);
      for (const TDF_Label& component : components) walk(component, occurrence, depth + 1);
      return;
    }
    addInstance(product, occurrence);
  }

  void addInstance(const TDF_Label& label, const Occurrence& occurrence) {
    if (model_.instances.size() == kMaxInstances)
      rejectFile("", "has more than 10000 parts", "export a smaller assembly");
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(label);
    if (shape.IsNull()) return;
    if (!TopExp_Explorer(shape, TopAbs_FACE).More()) {  // sketches and axes are in no place of a scene
      if (productOfLabel_.emplace(entryOf(label), -1).second) sketches_.push_back(label);
      return;
    }
    StepInstance instance;
    instance.product = productOf(label, shape, occurrence.place);
    const StepProduct& product = model_.products[static_cast<std::size_t>(instance.product)];
    instance.name = occurrence.name.empty() ? product.name : occurrence.name;
    instance.X_AP = occurrence.place.X;
    instance.color = occurrence.color ? occurrence.color : product.color;
    model_.instances.push_back(std::move(instance));
  }

  static std::string entryOf(const TDF_Label& label) {
    TCollection_AsciiString entry;
    TDF_Tool::Entry(label, entry);
    return entry.ToCString();
  }

  /// The product of an occurrence, another one for its mirror images and for scaled ones.
  int productOf(const TDF_Label& label, const TopoDS_Shape& shape, const Placement& place) {
    const std::string suffix = place.isScaled ? " scaled" : place.isMirrored ? " mirrored" : "";
    const auto [entryAt, isNew] =
        productOfLabel_.emplace(entryOf(label) + suffix, static_cast<int>(model_.products.size()));
    if (!isNew) return entryAt->second;
    StepProduct product;
    const std::string name = nameOf(label);
    product.name = uniqueProductName((name.empty() ? "part" : name) + suffix);
    product.color = colorOf(label);
    if (!product.color) product.color = commonColor(label);
    readMaterial(label, product);
    if (place.isScaled)
      product.problem = {"", "is placed in the assembly with a scale", "make it a part of its own in CAD"};
    model_.products.push_back(std::move(product));
    productShapes_.push_back(place.isMirrored && !place.isScaled ? mirrored(shape) : shape);
    return entryAt->second;
  }

  std::string uniqueProductName(std::string name) {
    if (name.empty()) name = "part";
    std::string unique = name;
    for (int number = 2; !names_.insert(unique).second; ++number)
      unique = name + " " + std::to_string(number);
    return unique;
  }

  /// The color of all colored shapes of a product, if they have the same one.
  std::optional<StepColor> commonColor(const TDF_Label& label) const {
    TDF_LabelSequence subShapes;
    XCAFDoc_ShapeTool::GetSubShapes(label, subShapes);
    std::optional<StepColor> common;
    for (const TDF_Label& subShape : subShapes) {
      const auto color = colorOf(subShape);
      if (color && common && *color != *common) return std::nullopt;
      if (color) common = color;
    }
    return common;
  }

  void readMaterial(const TDF_Label& label, StepProduct& product) const {
    Handle(TDataStd_TreeNode) node;
    if (!label.FindAttribute(XCAFDoc::MaterialRefGUID(), node) || !node->HasFather()) return;
    Handle(TCollection_HAsciiString) name, description, measure, type;
    double density = 0;  // [g/cm³]
    if (!materials_->GetMaterial(node->Father()->Label(), name, description, density, measure, type)) return;
    if (!name.IsNull()) product.material = name->ToCString();
    if (density > 0 && density < 1000) product.density = 1000 * density;
  }

  std::vector<TransformedComponent> transformed_;
  std::vector<bool> isPlaced_;  ///< of them those that were found in the document
  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colors_;
  Handle(XCAFDoc_MaterialTool) materials_;
  std::map<std::string, int> productOfLabel_;  ///< index of the product by label; of sketches −1
  std::vector<TDF_Label> sketches_;            ///< products without faces
  std::vector<TopoDS_Shape> productShapes_;    ///< of the products
  std::set<std::string> names_;
  StepModel model_;
};

}  // namespace

StepDocument readStepDocument(const std::string& bytes,
                              const std::function<void(const std::string&)>& progress) {
  checkEnds(bytes);
  STEPCAFControl_Reader reader;
  reader.SetNameMode(true);
  reader.SetColorMode(true);
  reader.SetMatMode(true);
  for (const auto off : {&STEPCAFControl_Reader::SetLayerMode, &STEPCAFControl_Reader::SetPropsMode,
                         &STEPCAFControl_Reader::SetGDTMode, &STEPCAFControl_Reader::SetSHUOMode,
                         &STEPCAFControl_Reader::SetViewMode})
    (reader.*off)(false);
  if (!Interface_Static::SetRVal("read.maxprecision.val", kMaxGap))
    rejectFile("", "OpenCASCADE has no limit of gaps, \"read.maxprecision.val\"",
               "install another version of it");
  std::istringstream stream(bytes);
  if (reader.ChangeReader().ReadStream("", stream) != IFSelect_RetDone)
    rejectFile("", "cannot be parsed as STEP", "export the part again");
  checkEntities(reader.Reader());
  checkExternal(reader.Reader());
  const std::string unit = unitOf(reader.ChangeReader());
  progress("faces");
  Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
  if (!reader.Transfer(document)) rejectFile("", "has no part that can be read", "export the part's solid");
  StepDocument read = Assembly(document, transformedComponents(reader.Reader())).read();
  read.model.unit = unit;
  return read;
}

}  // namespace tenon::content
