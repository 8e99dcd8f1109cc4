// What OpenXR's loader and an API layer say to each other when they meet, version 1, as the loader's
// specification has it: the packages of some systems leave out its header.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>

enum XrLoaderInterfaceStructs : std::int32_t {
  XR_LOADER_INTERFACE_STRUCT_LOADER_INFO = 1,
  XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST = 2
};

struct XrApiLayerCreateInfo;
using PFN_xrCreateApiLayerInstance = XrResult(XRAPI_PTR*)(const XrInstanceCreateInfo* info,
                                                          const XrApiLayerCreateInfo* layer,
                                                          XrInstance* instance);

struct XrNegotiateLoaderInfo {
  XrLoaderInterfaceStructs structType;
  std::uint32_t structVersion;
  std::size_t structSize;
  std::uint32_t minInterfaceVersion, maxInterfaceVersion;
  XrVersion minApiVersion, maxApiVersion;
};

struct XrNegotiateApiLayerRequest {
  XrLoaderInterfaceStructs structType;
  std::uint32_t structVersion;
  std::size_t structSize;
  std::uint32_t layerInterfaceVersion;
  XrVersion layerApiVersion;
  PFN_xrGetInstanceProcAddr getInstanceProcAddr;
  PFN_xrCreateApiLayerInstance createApiLayerInstance;
};

struct XrApiLayerNextInfo {
  XrLoaderInterfaceStructs structType;
  std::uint32_t structVersion;
  std::size_t structSize;
  char layerName[XR_MAX_API_LAYER_NAME_SIZE];
  PFN_xrGetInstanceProcAddr nextGetInstanceProcAddr;
  PFN_xrCreateApiLayerInstance nextCreateApiLayerInstance;
  XrApiLayerNextInfo* next;
};

struct XrApiLayerCreateInfo {
  XrLoaderInterfaceStructs structType;
  std::uint32_t structVersion;
  std::size_t structSize;
  XrInstance loaderInstance;
  char settingsFile[512];
  XrApiLayerNextInfo* nextInfo;
};
