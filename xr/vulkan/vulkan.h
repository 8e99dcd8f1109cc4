// Vulkan-Hpp with RAII handles and a loader opened at run time. Slow to compile: include it in few files.
#pragma once

#define VULKAN_HPP_DISPATCH_LOADER_DYNAMIC 1
#define VULKAN_HPP_ENABLE_DYNAMIC_LOADER_TOOL 1
#define VK_NO_PROTOTYPES 1
#define VULKAN_HPP_NO_CONSTRUCTORS
#include <vulkan/vulkan_raii.hpp>
