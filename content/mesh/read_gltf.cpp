// See read_gltf.h.
#include "content/mesh/read_gltf.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

#include "content/input/input_error.h"
#include "content/input/json_nesting.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

/// Nodes nested deeper than this count as a cycle.
constexpr int kMaxDepth = 64;
constexpr const char* kDamaged = "the file is damaged: export it again";

// --- files of buffers ----------------------------------------------------------------------------------

/// Restricts tinygltf's file access to buffers inside the folder. Images are not read: they are not needed.
struct BufferFiles {
  FileSource& files;
  std::string folder;
  std::string rejected;  ///< the first path outside the folder
  std::string missing;   ///< the last path that does not exist
};

bool isImage(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array kImages{".png", ".jpg", ".jpeg", ".webp", ".ktx2", ".dds", ".basis"};
  return std::find(kImages.begin(), kImages.end(), extension) != kImages.end();
}

bool exists(const std::string& path, void* user) {
  auto& buffers = *static_cast<BufferFiles*>(user);
  // tinygltf also searches the current directory for files that are not in the folder.
  const std::string& folder = buffers.folder;
  if (!path.starts_with(folder.ends_with('/') ? folder : folder + "/") || isImage(path)) return false;
  const FileStatus status = buffers.files.find(path, folder);
  if (status == FileStatus::outsideFolder && buffers.rejected.empty()) buffers.rejected = path;
  if (status == FileStatus::missing) buffers.missing = path;
  return status == FileStatus::found;
}

bool readBuffer(std::vector<unsigned char>* out, std::string* error, const std::string& path, void* user) {
  if (!exists(path, user)) return false;
  try {
    const std::string bytes =
        static_cast<BufferFiles*>(user)->files.read(path, {"buffer", kMaxMeshBytes, "split the part"});
    out->assign(bytes.begin(), bytes.end());
    return true;
  } catch (const InputError& inputError) {
    *error += inputError.what();
    return false;
  }
}

std::string unexpandedPath(const std::string& path, void*) {
  return path;
}

bool rejectWrite(std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
  return false;
}

/// Image loader that ignores its input.
bool ignoreImage(tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int,
                 void*) {
  return true;
}

/// A message of tinygltf on one line, without its final period.
std::string libraryMessage(const std::string& text) {
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  line.erase(line.find_last_not_of(" .") + 1);
  return oneLine(line, 200);
}

/// The JSON of a file: the whole .gltf, or the first chunk of a .glb. If the length of that chunk exceeds the
/// file, which tinygltf rejects, the rest of the file.
std::string_view jsonOf(std::string_view bytes, bool binary) {
  constexpr std::size_t kLengthAt = 12, kBegin = 20;
  if (!binary) return bytes;
  if (bytes.size() < kBegin) return {};
  std::size_t length = 0;
  for (std::size_t k = 4; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[kLengthAt + k]);
  return bytes.substr(kBegin, length);
}

// --- the model -----------------------------------------------------------------------------------------

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& file, FileSource& files) : file_(file) {
    const std::string folder = folderOf(file);
    BufferFiles buffers{files, folder, "", ""};
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader(ignoreImage, nullptr);
    loader.SetFsCallbacks({exists, unexpandedPath, readBuffer, rejectWrite, &buffers});
    std::string error, warning;
    const bool binary = bytes.starts_with("glTF");
    // The library reads extras and extensions by recursion.
    checkNesting(jsonOf(bytes, binary), file);
    bool isValid = false;
    try {
      const auto length = static_cast<unsigned>(bytes.size());
      isValid = binary ? loader.LoadBinaryFromMemory(&model_, &error, &warning,
                                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                                     length, folder)
                       : loader.LoadASCIIFromString(&model_, &error, &warning, bytes.data(), length, folder);
    } catch (const std::exception& exception) {  // from the JSON library of tinygltf
      error = exception.what();
    }
    if (!buffers.rejected.empty())
      throw InputError(file_, "/buffers",
                       fmt::format("leads to {}, outside its folder", inQuotes(buffers.rejected)),
                       "put all files of the part into one folder");
    if (!isValid)
      throw InputError(
          file_, "",
          fmt::format("cannot be read as glTF: {}", libraryMessage(error.empty() ? warning : error)),
          buffers.missing.empty() ? kDamaged
                                  : "put its buffer files into the same folder, or export it again as .glb");
  }

  std::vector<GltfPiece> read(std::span<const std::string> moving) {
    moving_ = moving;
    pieces_.emplace_back();
    for (const std::string& extension : model_.extensionsRequired)
      if (!extension.starts_with("KHR_materials") && !extension.starts_with("KHR_texture") &&
          !extension.starts_with("KHR_lights"))
        fail("/extensionsRequired", fmt::format("requires {}, which is not supported", inQuotes(extension)),
             "export it without compression and extensions");
    if (model_.scenes.empty()) {  // no scene: each mesh once, without a transform
      for (int mesh = 0; mesh < static_cast<int>(model_.meshes.size()); ++mesh)
        addMesh(mesh, Eigen::Affine3d::Identity(), 0);
      return std::move(pieces_);
    }
    const int chosen = std::max(model_.defaultScene, 0);
    const auto& scene = checked(model_.scenes, chosen, "/scene", "a scene");
    for (const int node : scene.nodes) addNode(node, Eigen::Affine3d::Identity(), 0, 0);
    return std::move(pieces_);
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& problem,
                         const std::string& remedy) const {
    throw InputError(file_, place, problem, remedy);
  }

  template <class List>
  const typename List::value_type& checked(const List& list, int index, const std::string& place,
                                           const char* what) const {
    if (index < 0 || index >= static_cast<int>(list.size()))
      fail(place, fmt::format("refers to {} {} of {}", what, index, list.size()), kDamaged);
    return list[static_cast<std::size_t>(index)];
  }

  Eigen::Affine3d transformOf(const tinygltf::Node& node, const std::string& place) const {
    Eigen::Affine3d X = Eigen::Affine3d::Identity();
    if (node.matrix.size() == 16) {
      X.matrix() = Eigen::Map<const Eigen::Matrix4d>(node.matrix.data());
      if (!(X.matrix().row(3) - Eigen::RowVector4d(0, 0, 0, 1)).isZero(1e-12))
        fail(place + "/matrix", "is not an affine transform", kDamaged);
    } else {
      const auto& [t, r, s] = std::tie(node.translation, node.rotation, node.scale);
      if (t.size() == 3) X.translate(Vector3d(t[0], t[1], t[2]));
      if (r.size() == 4) {
        const Eigen::Quaterniond q(r[3], r[0], r[1], r[2]);
        if (!(q.norm() > 1e-6)) fail(place + "/rotation", "is no rotation", kDamaged);
        X.rotate(q.normalized());
      }
      if (s.size() == 3) X.scale(Vector3d(s[0], s[1], s[2]));
    }
    if (!X.matrix().allFinite()) fail(place, "has a transform that is not finite", kDamaged);
    return X;
  }

  /// Adds the piece of a moving node, whose pose is given in the frame `X` of a piece. None: it cannot move.
  std::optional<std::size_t> addPiece(const std::string& name, const Eigen::Affine3d& X, std::size_t parent) {
    if (name.empty() || std::find(moving_.begin(), moving_.end(), name) == moving_.end()) return std::nullopt;
    const double scale = std::cbrt(X.linear().determinant());
    const Eigen::Matrix3d R = X.linear() / scale;
    if (!(scale > 0) || !(R * R.transpose()).isIdentity(1e-6)) return std::nullopt;
    physics::Pose X_PA = physics::Pose::at(X.translation());
    X_PA.q = Eigen::Quaterniond(R).normalized();
    pieces_.push_back({name, static_cast<int>(parent), X_PA, scale, {}});
    return pieces_.size() - 1;
  }

  /// `X_PN`: of the node's parent in the frame of the piece.
  void addNode(int index, const Eigen::Affine3d& X_PN, std::size_t piece, int depth) {
    const std::string place = fmt::format("/nodes/{}", index);
    const tinygltf::Node& node = checked(model_.nodes, index, place, "a node");
    if (depth > kMaxDepth || ++visited_ > kMaxTriangles)
      fail(place, "is its own ancestor, or nested too deep", "flatten the file's tree of nodes");
    Eigen::Affine3d X = X_PN * transformOf(node, place);
    if (const auto own = addPiece(node.name, X_PN, piece)) {
      piece = *own;
      X = Eigen::Affine3d(Eigen::UniformScaling<double>(pieces_[piece].scale));
    }
    if (node.mesh >= 0) addMesh(node.mesh, X, piece);
    for (const int child : node.children) addNode(child, X, piece, depth + 1);
  }

  void addMesh(int index, const Eigen::Affine3d& X, std::size_t piece) {
    const auto& mesh = checked(model_.meshes, index, fmt::format("/meshes/{}", index), "a mesh");
    int k = 0;
    for (const tinygltf::Primitive& primitive : mesh.primitives)
      addPrimitive(primitive, fmt::format("/meshes/{}/primitives/{}", index, k++), X, pieces_[piece].mesh);
  }

  /// Bytes of an accessor, checked against its view and its buffer.
  struct Data {
    const unsigned char* begin = nullptr;
    std::size_t count = 0, stride = 0;
    int component = 0;
    const unsigned char* at(std::size_t k) const { return begin + k * stride; }
  };

  Data dataOf(int index, int components, const std::string& place) const {
    const tinygltf::Accessor& a = checked(model_.accessors, index, place, "an accessor");
    if (a.sparse.isSparse) fail(place, "is sparse", "export it without sparse accessors");
    const auto& view = checked(model_.bufferViews, a.bufferView, place + "/bufferView", "a view");
    const auto& buffer = checked(model_.buffers, view.buffer, place + "/bufferView/buffer", "a buffer");
    const int size = tinygltf::GetComponentSizeInBytes(static_cast<unsigned>(a.componentType));
    if (size <= 0 || a.normalized ||
        tinygltf::GetNumComponentsInType(static_cast<unsigned>(a.type)) != components)
      fail(place, "is not of the required type", kDamaged);
    const std::size_t element = static_cast<std::size_t>(size) * static_cast<std::size_t>(components);
    const std::size_t stride = view.byteStride > 0 ? view.byteStride : element;
    const std::size_t total = buffer.data.size();
    const bool inBuffer = view.byteOffset <= total && view.byteLength <= total - view.byteOffset;
    const bool inView = inBuffer && a.byteOffset <= view.byteLength && stride >= element && stride <= 1024;
    const std::size_t room = inView ? view.byteLength - a.byteOffset : 0;
    if (!inView || (a.count > 0 && (room < element || (a.count - 1) > (room - element) / stride)))
      fail(place, fmt::format("claims {} elements, more than its buffer holds", a.count),
           "the file is truncated: export it again");
    return {buffer.data.data() + view.byteOffset + a.byteOffset, a.count, stride, a.componentType};
  }

  void readPositions(const tinygltf::Primitive& primitive, const std::string& place, const Eigen::Affine3d& X,
                     TriangleMesh& mesh) {
    const auto found = primitive.attributes.find("POSITION");
    if (found == primitive.attributes.end()) fail(place, "has no positions", kDamaged);
    const Data data = dataOf(found->second, 3, place + "/attributes/POSITION");
    if (data.component != TINYGLTF_COMPONENT_TYPE_FLOAT)
      fail(place + "/attributes/POSITION", "is not of type float", "export it without quantization");
    if ((vertices_ += data.count) > 3 * kMaxTriangles)
      fail(place, "exceeds the size of a mesh that can be read", "export the part with a coarser tolerance");
    for (std::size_t k = 0; k < data.count; ++k) {
      std::array<float, 3> xyz{};
      std::memcpy(xyz.data(), data.at(k), sizeof xyz);
      const Vector3d p = X * Vector3d(xyz[0], xyz[1], xyz[2]);
      if (!p.allFinite())
        fail(place + "/attributes/POSITION", fmt::format("has a vertex {} that is not finite", k), kDamaged);
      mesh.vertices.push_back(p);
      const Vector3d size(std::abs(xyz[0]), std::abs(xyz[1]), std::abs(xyz[2]));
      mesh.rounding = std::max(mesh.rounding, kFloatRounding * (X.linear().cwiseAbs() * size).maxCoeff());
    }
  }

  static std::optional<std::size_t> indexAt(const Data& data, std::size_t k) {
    const unsigned char* p = data.at(k);
    switch (data.component) {
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return *p;
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return p[0] | static_cast<std::size_t>(p[1]) << 8;
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
        return p[0] | static_cast<std::size_t>(p[1]) << 8 | static_cast<std::size_t>(p[2]) << 16 |
               static_cast<std::size_t>(p[3]) << 24;
      default:
        return std::nullopt;
    }
  }

  void addPrimitive(const tinygltf::Primitive& primitive, const std::string& place, const Eigen::Affine3d& X,
                    TriangleMesh& mesh) {
    if (primitive.mode == TINYGLTF_MODE_POINTS || primitive.mode == TINYGLTF_MODE_LINE ||
        primitive.mode == TINYGLTF_MODE_LINE_LOOP || primitive.mode == TINYGLTF_MODE_LINE_STRIP)
      return;  // not a surface
    if (primitive.extensions.contains("KHR_draco_mesh_compression"))
      fail(place, "is compressed (Draco)", "export it without compression");
    const std::size_t first = mesh.vertices.size();
    readPositions(primitive, place, X, mesh);
    const std::size_t count = mesh.vertices.size() - first;
    std::vector<int> corners;
    if (primitive.indices < 0) {
      for (std::size_t k = 0; k < count; ++k) corners.push_back(static_cast<int>(first + k));
    } else {
      const Data data = dataOf(primitive.indices, 1, place + "/indices");
      for (std::size_t k = 0; k < data.count; ++k) {
        const auto index = indexAt(data, k);
        if (!index || *index >= count)
          fail(place + "/indices", fmt::format("has an invalid vertex index at entry {}", k), kDamaged);
        corners.push_back(static_cast<int>(first + *index));
      }
    }
    addTriangles(corners, primitive.mode, place, X.linear().determinant() < 0, mesh);
  }

  void addTriangles(const std::vector<int>& corners, int mode, const std::string& place, bool mirrored,
                    TriangleMesh& mesh) {
    const bool list = mode == TINYGLTF_MODE_TRIANGLES || mode == -1;
    if (list && corners.size() % 3 != 0)
      fail(place, fmt::format("has {} corners, not three for each triangle", corners.size()), kDamaged);
    if (!list && mode != TINYGLTF_MODE_TRIANGLE_STRIP && mode != TINYGLTF_MODE_TRIANGLE_FAN)
      fail(place + "/mode", fmt::format("is {}", mode), kDamaged);
    if (triangles_ + corners.size() > kMaxTriangles * (list ? 3 : 1))
      fail(place, "exceeds the size of a mesh that can be read", "export the part with a coarser tolerance");
    for (std::size_t k = 0; k + 2 < corners.size(); k += list ? 3 : 1) {
      std::array<int, 3> t{corners[k], corners[k + 1], corners[k + 2]};
      if (mode == TINYGLTF_MODE_TRIANGLE_FAN) t[0] = corners[0];
      const bool odd = mode == TINYGLTF_MODE_TRIANGLE_STRIP && k % 2 == 1;
      if (odd != mirrored) std::swap(t[1], t[2]);
      mesh.triangles.push_back(t);
      ++triangles_;
    }
  }

  std::string file_;
  tinygltf::Model model_;
  std::span<const std::string> moving_;
  std::vector<GltfPiece> pieces_;
  std::size_t visited_ = 0, vertices_ = 0, triangles_ = 0;
};

}  // namespace

TriangleMesh parseGltf(std::string_view bytes, const std::string& file, FileSource& files) {
  return std::move(parseGltfPieces(bytes, file, files, {}).front().mesh);
}

std::vector<GltfPiece> parseGltfPieces(std::string_view bytes, const std::string& file, FileSource& files,
                                       std::span<const std::string> moving) {
  if (bytes.size() > kMaxMeshBytes)
    throw InputError(file, "", "is larger than can be read", "export the part with a coarser tolerance");
  return GltfReader(bytes, file, files).read(moving);
}

}  // namespace tenon::content
