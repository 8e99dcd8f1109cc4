// A STEP document with names, colors, materials and assemblies, for make_step.
#pragma once

#include <Interface_Static.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_Label.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <gp_Trsf.hxx>

/// Parts and assemblies are labels; a part may be placed several times.
class Document {
 public:
  Document()
      : document_(new TDocStd_Document("BinXCAF")),
        shapes_(XCAFDoc_DocumentTool::ShapeTool(document_->Main())),
        colors_(XCAFDoc_DocumentTool::ColorTool(document_->Main())),
        materials_(XCAFDoc_DocumentTool::MaterialTool(document_->Main())) {}

  TDF_Label add(const TopoDS_Shape& shape, const char* name) {
    return named(shapes_->AddShape(shape, false), name);
  }
  TDF_Label assembly(const char* name) { return named(shapes_->NewShape(), name); }
  TDF_Label place(const TDF_Label& in, const TDF_Label& product, const gp_Trsf& at, const char* name) {
    return named(shapes_->AddComponent(in, product, TopLoc_Location(at)), name);
  }
  void color(const TDF_Label& label, double r, double g, double b) {
    colors_->SetColor(label, Quantity_Color(r, g, b, Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
  }
  void material(const TDF_Label& label, const char* name, double gramsPerCubicCentimetre) {
    const auto text = [](const char* t) {
      return Handle(TCollection_HAsciiString)(new TCollection_HAsciiString(t));
    };
    materials_->SetMaterial(label, text(name), text(name), gramsPerCubicCentimetre, text("density measure"),
                            text("POSITIVE_RATIO_MEASURE"));
  }
  /// Edges are written without their curves in the parameters of surfaces.
  void withoutParameterCurves() { Interface_Static::SetIVal("write.surfacecurve.mode", 0); }
  bool write(const char* file) {
    shapes_->UpdateAssemblies();
    STEPCAFControl_Writer writer;
    writer.SetMaterialMode(true);
    return writer.Transfer(document_) && writer.Write(file) == IFSelect_RetDone;
  }

 private:
  static TDF_Label named(const TDF_Label& label, const char* name) {
    TDataStd_Name::Set(label, name);
    return label;
  }

  Handle(TDocStd_Document) document_;
  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colors_;
  Handle(XCAFDoc_MaterialTool) materials_;
};
