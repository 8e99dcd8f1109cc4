// See transformed_components.h.
#include "content/step/reader/transformed_components.h"

#include <Interface_EntityIterator.hxx>
#include <Interface_Graph.hxx>
#include <STEPControl_Reader.hxx>
#include <StepData_StepModel.hxx>
#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepGeom_Direction.hxx>
#include <StepRepr_ProductDefinitionShape.hxx>
#include <StepShape_ContextDependentShapeRepresentation.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <gp_XYZ.hxx>

#include <array>
#include <cmath>

#include "content/step/reader/unreadable_step.h"

namespace tenon::content {
namespace {

/// The determinant of the axes of an operator, of which the third is (0, 0, 1) if it is not given (ISO
/// 10303-42); 1 without one of the others.
double handedness(const StepGeom_CartesianTransformationOperator3d& op) {
  gp_XYZ axes[3];
  const std::array directions{op.Axis1(), op.Axis2(), op.Axis3()};
  axes[2] = gp_XYZ(0, 0, 1);
  for (std::size_t k = 0; k < 3; ++k) {
    if (k == 2 && directions[k].IsNull()) continue;
    if (directions[k].IsNull() || directions[k]->NbDirectionRatios() != 3) return 1;
    for (int i = 1; i <= 3; ++i) axes[k].SetCoord(i, directions[k]->DirectionRatiosValue(i));
  }
  return axes[0].Crossed(axes[1]).Dot(axes[2]);
}

}  // namespace

std::vector<TransformedComponent> transformedComponents(const STEPControl_Reader& reader) {
  std::vector<TransformedComponent> components;
  const Interface_Graph& graph = reader.WS()->Graph();
  const auto model = Handle(StepData_StepModel)::DownCast(reader.WS()->Model());
  const auto process = reader.WS()->TransferReader()->TransientProcess();
  for (int k = 1; k <= model->NbEntities(); ++k) {
    const auto op = Handle(StepGeom_CartesianTransformationOperator3d)::DownCast(model->Value(k));
    if (op.IsNull()) continue;
    TransformedComponent component;
    component.isMirrored = handedness(*op) <= 0;
    component.isScaled = op->HasScale() && std::abs(op->Scale() - 1) > kSameScale;
    if (!component.isMirrored && !component.isScaled) continue;
    const std::size_t before = components.size();
    for (Interface_EntityIterator relations = graph.Sharings(op); relations.More(); relations.Next())
      for (Interface_EntityIterator at = graph.Sharings(relations.Value()); at.More(); at.Next()) {
        const auto placed = Handle(StepShape_ContextDependentShapeRepresentation)::DownCast(at.Value());
        if (placed.IsNull() || placed->RepresentedProductRelation().IsNull()) continue;
        const auto usage = placed->RepresentedProductRelation()->Definition().Value();
        component.shape = TransferBRep::ShapeResult(process, usage);
        if (!component.shape.IsNull()) components.push_back(component);
      }
    if (components.size() == before)
      throw UnreadableStep(
          {model->StringLabel(op)->ToCString(),
           component.isScaled ? "scales a shape inside of a part" : "mirrors a shape inside of a part",
           "make it a separate part in CAD"});
  }
  return components;
}

}  // namespace tenon::content
