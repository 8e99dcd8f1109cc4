// The OpenXR functions in use: each X(Name) is the function xrName. A list of its own, so that tests can
// iterate over it.
#pragma once

// clang-format off
#define TENON_XR_FUNCTIONS(X)          \
  X(AcquireSwapchainImage)             \
  X(ApplyHapticFeedback)               \
  X(AttachSessionActionSets)           \
  X(BeginFrame)                        \
  X(BeginSession)                      \
  X(CreateAction)                      \
  X(CreateActionSet)                   \
  X(CreateActionSpace)                 \
  X(CreateReferenceSpace)              \
  X(CreateSession)                     \
  X(CreateSwapchain)                   \
  X(CreateVulkanDeviceKHR)             \
  X(CreateVulkanInstanceKHR)           \
  X(DestroyActionSet)                  \
  X(DestroyInstance)                   \
  X(DestroySession)                    \
  X(DestroySpace)                      \
  X(DestroySwapchain)                  \
  X(EndFrame)                          \
  X(EndSession)                        \
  X(EnumerateBoundSourcesForAction)    \
  X(EnumerateEnvironmentBlendModes)    \
  X(EnumerateReferenceSpaces)          \
  X(EnumerateSwapchainFormats)         \
  X(EnumerateSwapchainImages)          \
  X(EnumerateViewConfigurations)       \
  X(EnumerateViewConfigurationViews)   \
  X(GetActionStateBoolean)             \
  X(GetActionStateFloat)               \
  X(GetActionStateVector2f)            \
  X(GetCurrentInteractionProfile)      \
  X(GetInputSourceLocalizedName)       \
  X(GetInstanceProperties)             \
  X(GetSystem)                         \
  X(GetSystemProperties)               \
  X(GetVulkanGraphicsDevice2KHR)       \
  X(GetVulkanGraphicsRequirements2KHR) \
  X(LocateSpace)                       \
  X(LocateViews)                       \
  X(PathToString)                      \
  X(PollEvent)                         \
  X(ReleaseSwapchainImage)             \
  X(RequestExitSession)                \
  X(ResultToString)                    \
  X(StringToPath)                      \
  X(SuggestInteractionProfileBindings) \
  X(SyncActions)                       \
  X(WaitFrame)                         \
  X(WaitSwapchainImage)

// Functions of optional extensions.
#define TENON_XR_EXTENSION_FUNCTIONS(X)     \
  X(BeginPlaneDetectionEXT)                 \
  X(CreateDebugUtilsMessengerEXT)           \
  X(CreateHandTrackerEXT)                   \
  X(CreatePassthroughFB)                    \
  X(CreatePassthroughLayerFB)               \
  X(CreatePlaneDetectorEXT)                 \
  X(CreateRenderModelAssetEXT)              \
  X(CreateRenderModelEXT)                   \
  X(CreateRenderModelSpaceEXT)              \
  X(DestroyDebugUtilsMessengerEXT)          \
  X(DestroyHandTrackerEXT)                  \
  X(DestroyPassthroughFB)                   \
  X(DestroyPassthroughLayerFB)              \
  X(DestroyPlaneDetectorEXT)                \
  X(DestroyRenderModelAssetEXT)             \
  X(DestroyRenderModelEXT)                  \
  X(EnumerateDisplayRefreshRatesFB)         \
  X(EnumerateInteractionRenderModelIdsEXT)  \
  X(EnumerateRenderModelPathsFB)            \
  X(GetControllerModelKeyMSFT)              \
  X(GetDisplayRefreshRateFB)                \
  X(GetPlaneDetectionStateEXT)              \
  X(GetPlaneDetectionsEXT)                  \
  X(GetRenderModelAssetDataEXT)             \
  X(GetRenderModelAssetPropertiesEXT)       \
  X(GetRenderModelPoseTopLevelUserPathEXT)  \
  X(GetRenderModelPropertiesEXT)            \
  X(GetRenderModelPropertiesFB)             \
  X(GetRenderModelStateEXT)                 \
  X(GetVisibilityMaskKHR)                   \
  X(LoadControllerModelMSFT)                \
  X(LoadRenderModelFB)                      \
  X(LocateHandJointsEXT)                    \
  X(PerfSettingsSetPerformanceLevelEXT)     \
  X(RequestDisplayRefreshRateFB)
// clang-format on
