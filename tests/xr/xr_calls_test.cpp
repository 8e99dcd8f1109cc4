// Instances: which extensions are enabled, by a loader that offers some.
#include "xr/openxr/xr_calls.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tenon::xr {
namespace {

std::vector<std::string> offeredExtensions;  ///< by the loader below
std::vector<std::string> enabledExtensions;  ///< at the last creation of an instance

XRAPI_ATTR XrResult XRAPI_CALL listExtensions(const char* /*layer*/, std::uint32_t most, std::uint32_t* count,
                                              XrExtensionProperties* properties) {
  *count = static_cast<std::uint32_t>(offeredExtensions.size());
  for (std::size_t k = 0; k < offeredExtensions.size() && most >= *count; ++k)
    std::strncpy(properties[k].extensionName, offeredExtensions[k].c_str(), XR_MAX_EXTENSION_NAME_SIZE - 1);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL createInstance(const XrInstanceCreateInfo* info, XrInstance* /*made*/) {
  enabledExtensions.assign(info->enabledExtensionNames,
                           info->enabledExtensionNames + info->enabledExtensionCount);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL findFunction(XrInstance /*instance*/, const char* name,
                                            PFN_xrVoidFunction* function) {
  *function = std::strcmp(name, "xrEnumerateInstanceExtensionProperties") == 0
                  ? reinterpret_cast<PFN_xrVoidFunction>(listExtensions)
                  : reinterpret_cast<PFN_xrVoidFunction>(createInstance);  // the others are not called
  return XR_SUCCESS;
}

TEST(XrInstances, ExtensionIsEnabledWithTheOneThatItRequires) {
  struct Pair {
    const char *extension, *base;
  };
  for (const Pair& one :
       {Pair{XR_VARJO_FOVEATED_RENDERING_EXTENSION_NAME, XR_VARJO_QUAD_VIEWS_EXTENSION_NAME},
        Pair{XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME, XR_EXT_RENDER_MODEL_EXTENSION_NAME}}) {
    SCOPED_TRACE(one.extension);
    const std::vector<const char*> wanted{one.extension, one.base, XR_EXT_UUID_EXTENSION_NAME};
    using Names = std::vector<std::string>;
    offeredExtensions = {one.extension, one.base};
    EXPECT_TRUE(makeInstance(findFunction, {}, wanted).has(one.extension));
    EXPECT_EQ(enabledExtensions, (Names{one.extension, one.base}));
    offeredExtensions = {one.extension, XR_EXT_UUID_EXTENSION_NAME};
    EXPECT_FALSE(makeInstance(findFunction, {}, wanted).has(one.extension));
    EXPECT_EQ(enabledExtensions, Names{XR_EXT_UUID_EXTENSION_NAME});
  }
}

TEST(XrEnumeration, MoreItemsThanTheLimitAreAFailure) {
  const XrCalls xr;
  int calls = 0;
  const auto enumerate = [&](std::uint32_t /*most*/, std::uint32_t* count, int* /*items*/) {
    ++calls;
    *count = 5;
    return XR_SUCCESS;
  };
  EXPECT_EQ(enumerated(xr, "xrList", 7, enumerate, 5), std::vector(5, 7));
  EXPECT_EQ(calls, 2);
  try {
    static_cast<void>(enumerated(xr, "xrList", 7, enumerate, 4));
    FAIL();
  } catch (const OpenXrError& error) {
    EXPECT_STREQ(error.what(), "xrList returned 5 items, more than 4");
  }
  EXPECT_EQ(calls, 3) << "nothing is allocated for them";
}

}  // namespace
}  // namespace tenon::xr
