// Readers of mesh files: content and errors.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "content/input/inside_folder.h"
#include "content/mesh/load_mesh.h"
#include "content/mesh/mesh_mass.h"
#include "content/mesh/read_gltf.h"
#include "content/mesh/read_obj.h"
#include "content/mesh/read_stl.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content::mesh_reader_test {
namespace {

using test::errorFrom;

std::string errorText(const std::string& bytes, MeshFormat format, const std::string& file) {
  DiskFileSource disk;
  return errorFrom([&] { parseMesh(bytes, format, file, disk); });
}
std::string objError(const std::string& text) {
  return errorText(text, MeshFormat::obj, "part.obj");
}
std::string stlError(const std::string& bytes) {
  return errorText(bytes, MeshFormat::stl, "part.stl");
}
std::string gltfError(const std::string& bytes, const std::string& folder = ".") {
  return errorText(bytes, MeshFormat::gltf, folder + "/part.gltf");
}

std::string littleEndian(std::uint32_t value) {
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xff);
  return bytes;
}

/// A binary STL of one facet that claims `count` of them.
std::string binaryStl(std::uint32_t count, float x = 1) {
  std::string bytes(80, 's');
  bytes += littleEndian(count);
  for (const float v : {0.F, 0.F, 1.F, 0.F, 0.F, 0.F, x, 0.F, 0.F, 0.F, 1.F, 0.F})
    bytes += littleEndian(std::bit_cast<std::uint32_t>(v));
  return bytes + std::string(2, '\0');
}

const std::string kTextStl =
    "solid a part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 0.123456789012 0 0\n"
    "   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid a part\n";

/// One triangle, its buffer written out in base64: (0,0,0), (1,0,0), (0,1,0).
std::string gltf(const std::string& buffer, int count = 3, const std::string& more = "") {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
         R"("nodes":[{"mesh":0,"translation":[0,0,2],"scale":[3,1,1]}],)"
         R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
         R"("accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":)" +
         std::to_string(count) +
         R"(,"min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
         R"("buffers":[{"byteLength":36,"uri":")" +
         buffer + R"("}])" + more + "}";
}
const std::string kTriangle =
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";

TEST(MeshReader, ObjKeepsEveryDigitOfADouble) {
  const TriangleMesh mesh =
      parseObj("v 0.123456789012345 +2 -3e-7\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nf 1/1/1 2//3 -1\n", "a.obj");
  ASSERT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(mesh.vertices[0], Vector3d(0.123456789012345, 2, -3e-7));
  EXPECT_EQ(mesh.triangles[0], (std::array{0, 1, 2}));
}

TEST(MeshReader, ObjPolygonsThatAreNotConvexKeepTheirArea) {
  // An L of area 3 as one face.
  const TriangleMesh mesh =
      parseObj("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 3 4 5 6 1 2\n", "l.obj");
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
    const double z = (p(1) - p(0)).cross(p(2) - p(0)).z() / 2;
    EXPECT_GT(z, 0) << "a triangle lies outside the L";
    area += z;
  }
  EXPECT_DOUBLE_EQ(area, 3);
}

TEST(MeshReader, ObjErrorsAreReportedWithTheirLine) {
  EXPECT_EQ(
      objError("v 0 0 0\nv 1 nan 0\n"),
      "part.obj: line 2: has \"nan\" for a vertex's y, which is not a finite number; the file is damaged: "
      "export it again");
  EXPECT_NE(objError("v 0 0 1e999\n").find("line 1: has \"1e999\""), std::string::npos);
  EXPECT_NE(objError("v 0 0\n").find("line 1: ends before a vertex's z"), std::string::npos);
  EXPECT_NE(objError("\n\nv 0 0 0\nf 1 2 3\n").find("line 4: refers to vertex 2 of 1"), std::string::npos);
  EXPECT_NE(objError("v 0 0 0\nf 1 1\n").find("line 2: is a face of 2 corners"), std::string::npos);
  EXPECT_NE(objError("solid x\n").find("line 1: begins with \"solid\""), std::string::npos);
  EXPECT_NE(objError(std::string("v 0 0 0\n\0\1", 10)).find("line 2: contains the byte 0x00"),
            std::string::npos);
  EXPECT_NE(objError("v 0 0 0\n").find("has no triangle"), std::string::npos);
  EXPECT_NE(objError("").find("has no triangle"), std::string::npos);
  EXPECT_NE(objError("cstype bezier\n").find("curved surface"), std::string::npos);
}

TEST(MeshReader, StlTextKeepsAllDigitsAndBinaryItsFloats) {
  const TriangleMesh text = parseStl(kTextStl, "a.stl");
  ASSERT_EQ(text.triangles.size(), 1U);
  EXPECT_EQ(text.vertices[1].x(), 0.123456789012);
  // A binary file may begin like a text.
  std::string bytes = binaryStl(1, 0.1F);
  bytes.replace(0, 5, "solid");
  const TriangleMesh binary = parseStl(bytes, "b.stl");
  ASSERT_EQ(binary.triangles.size(), 1U);
  EXPECT_EQ(binary.vertices[1].x(), static_cast<double>(0.1F));
}

TEST(MeshReader, TextMayBeginWithBlanksAndTheMarkOfUtf8) {
  for (const char* const before : {" ", "\n\t\r\n ", "\xef\xbb\xbf", "\xef\xbb\xbf\n "})
    EXPECT_EQ(parseStl(before + kTextStl, "a.stl").vertices, parseStl(kTextStl, "a.stl").vertices);
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(parseObj("\xef\xbb\xbf" + obj, "a.obj").vertices, parseObj(obj, "a.obj").vertices);
}

TEST(MeshReader, StlErrorsAreReported) {
  // The header of a file of 134 bytes claims 2 GB.
  EXPECT_EQ(stlError(binaryStl(40'000'000)),
            "part.stl: byte 80: claims 40000000 facets, but has room for 1; the file is truncated, or not "
            "STL: export it again");
  EXPECT_NE(stlError(binaryStl(1, std::nanf(""))).find("facet 0: has a vertex that is not a finite"),
            std::string::npos);
  EXPECT_NE(stlError(binaryStl(0)).find("has no triangle"), std::string::npos);
  EXPECT_NE(stlError("ab").find("is 2 bytes long"), std::string::npos);
  EXPECT_NE(stlError(kTextStl.substr(0, kTextStl.size() - 20)).find("truncated"), std::string::npos);
  EXPECT_NE(stlError(kTextStl.substr(0, 70)).find("line 5"), std::string::npos);
}

TEST(MeshReader, GltfAppliesTheTransformsOfItsNodes) {
  DiskFileSource disk;
  const TriangleMesh mesh = parseGltf(gltf(kTriangle), "a.gltf", disk);
  ASSERT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(mesh.vertices[1], Vector3d(3, 0, 2));
  EXPECT_EQ(mesh.vertices[2], Vector3d(0, 1, 2));
  // A missing texture is ignored.
  const std::string textured =
      gltf(kTriangle, 3, R"(,"images":[{"uri":"missing.png"}],"textures":[{"source":0}])");
  EXPECT_EQ(parseGltf(textured, "a.gltf", disk).triangles.size(), 1U);
  EXPECT_EQ(parseGltf(textured, "some-folder/a.gltf", disk).triangles.size(), 1U);
}

/// The same triangle in a tree of nodes: "fixed" carries "a", that "b", and "stretched" carries "c".
std::string gltfTree() {
  std::string text = gltf(kTriangle);
  const std::string nodes = R"("nodes":[{"mesh":0,"translation":[0,0,2],"scale":[3,1,1]}])";
  text.replace(text.find(nodes), nodes.size(),
               R"("nodes":[{"name":"fixed","mesh":0,"translation":[1,0,0],"scale":[2,2,2],"children":[1,4]},)"
               R"({"name":"a","mesh":0,"rotation":[0,0,0.6,0.8],"translation":[0,5,0],"children":[2]},)"
               R"({"mesh":0,"translation":[0,0,7],"scale":[3,3,3],"children":[3]},)"
               R"({"name":"b","mesh":0,"translation":[4,0,0]},)"
               R"({"name":"stretched","scale":[1,2,1],"children":[5]},{"name":"c","mesh":0}])");
  return text;
}

TEST(MeshReader, GltfPiecesMoveAsTheFileSaysWhereTheirNodesHaveItsPoses) {
  DiskFileSource disk;
  const std::vector<std::string> moving{"b", "a", "c", "not there"};
  const auto pieces = parseGltfPieces(gltfTree(), "a.gltf", disk, moving);
  ASSERT_EQ(pieces.size(), 3U) << "c is below a scale that differs by axis";
  EXPECT_EQ(pieces[0].parent, -1);
  EXPECT_EQ(pieces[1].node, "a");
  EXPECT_EQ(pieces[1].parent, 0);
  EXPECT_EQ(pieces[1].scale, 2);
  EXPECT_EQ(pieces[2].node, "b");
  EXPECT_EQ(pieces[2].parent, 1);
  EXPECT_NEAR(pieces[2].scale, 6, 1e-12);
  EXPECT_EQ(pieces[0].mesh.triangles.size(), 2U) << "its own and that of c";
  EXPECT_EQ(pieces[1].mesh.triangles.size(), 2U) << "that of a and of the unnamed node below";
  // With the poses of the file, all vertices are where the whole model has them.
  physics::Pose X_a = physics::Pose::at({0, 5, 0}), X_b = physics::Pose::at({4, 0, 0});
  X_a.q = Eigen::Quaterniond(0.8, 0, 0, 0.6);
  X_a.p *= pieces[1].scale;
  X_b.p *= pieces[2].scale;
  const physics::Pose X_0a = pieces[1].X_PA * X_a;
  const std::array X_0{physics::Pose(), X_0a, X_0a * pieces[2].X_PA * X_b};
  std::vector<Vector3d> placed;
  for (std::size_t k = 0; k < pieces.size(); ++k)
    for (const Vector3d& p : pieces[k].mesh.vertices) placed.push_back(X_0[k] * p);
  const TriangleMesh whole = parseGltf(gltfTree(), "a.gltf", disk);
  ASSERT_EQ(placed.size(), whole.vertices.size());
  for (const Vector3d& p : whole.vertices)
    EXPECT_TRUE(std::any_of(placed.begin(), placed.end(), [&](const Vector3d& q) {
      return (p - q).norm() < 1e-12;
    })) << p.transpose();
  // Another pose of "a" carries "b" along: the corner of b's triangle, by the file's numbers.
  const physics::Pose X_moved = pieces[1].X_PA * physics::Pose::at({0, 0, 20}) * pieces[2].X_PA * X_b;
  EXPECT_LT((X_moved * Vector3d(0, 0, 0) - Vector3d(1 + 2 * 3 * 4, 0, 20 + 2 * 7)).norm(), 1e-12);
}

TEST(MeshReader, GltfErrorsAreReported) {
  EXPECT_NE(gltfError(gltf(kTriangle, 4)).find("claims 4 elements, more than its buffer holds"),
            std::string::npos);
  EXPECT_NE(gltfError(gltf(kTriangle, 200'000'000)).find("claims 200000000 elements"), std::string::npos);
  EXPECT_NE(gltfError(gltf("missing.bin")).find("cannot be read as glTF"), std::string::npos);
  EXPECT_NE(gltfError(gltf("../../etc/hostname")).find("outside its folder"), std::string::npos);
  EXPECT_NE(gltfError(gltf("/etc/hostname")).find("art.gltf"), std::string::npos);
  EXPECT_NE(gltfError("{").find("cannot be read as glTF"), std::string::npos);
  EXPECT_NE(gltfError("glTF\2\0\0\0").find("cannot be read as glTF"), std::string::npos);
  EXPECT_NE(gltfError("").find("cannot be read as glTF"), std::string::npos);
  std::string nan = kTriangle;
  nan.replace(nan.find("gD8"), 3, "wH8");  // 1.0 becomes a NaN: 0x7fc00000
  EXPECT_NE(gltfError(gltf(nan)).find("not finite"), std::string::npos);
  EXPECT_NE(gltfError(gltf(kTriangle, 3, R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"))
                .find("KHR_draco_mesh_compression"),
            std::string::npos);
}

TEST(MeshReader, AMissingFileOfASceneWithoutFolderIsNotOutside) {
  EXPECT_TRUE(isInsideFolder("no-such-file.obj", "."));
  EXPECT_TRUE(isInsideFolder("no-such-file.obj", ""));
  EXPECT_TRUE(isInsideFolder("./no-such-folder/part.obj", "."));
  EXPECT_FALSE(isInsideFolder("../no-such-file.obj", "."));
  EXPECT_FALSE(isInsideFolder("no-such-folder/../../part.obj", "."));
}

TEST(MeshReader, GltfRemediesMentionBuffersOnlyIfOneIsMissing) {
  const std::string missed = gltfError(gltf("missing.bin")), broken = gltfError("{");
  EXPECT_NE(missed.find("put its buffer files into the same folder"), std::string::npos) << missed;
  EXPECT_NE(broken.find("; the file is damaged: export it again"), std::string::npos) << broken;
  const std::string elsewhere = gltfError(gltf("missing.bin"), "no-such-folder");
  EXPECT_NE(elsewhere.find("put its buffer files into the same folder"), std::string::npos) << elsewhere;
  for (const std::string& line : {missed, broken}) EXPECT_EQ(line.find("\\u000a"), std::string::npos) << line;
}

}  // namespace
}  // namespace tenon::content::mesh_reader_test
