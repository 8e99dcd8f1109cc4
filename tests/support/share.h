// How much of a long random test a build runs.
#pragma once

namespace tenon::test {

// Brute force is some 25 times slower under a sanitizer, which looks for other mistakes than inaccuracy:
// there a part of the poses is enough. GCC defines macros for it, Clang has features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENON_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TENON_SANITIZED
#endif
#endif

/// One pose of how many is tried.
#ifdef TENON_SANITIZED
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

}  // namespace tenon::test
