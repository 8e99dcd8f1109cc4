// See allocation_counter.h. With a sanitizer's allocator its hook counts; else the C library's entry
// points are taken over by ones that count and pass on.
#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENON_SANITIZED_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TENON_SANITIZED_HEAP 1
#endif
#endif

namespace {

std::atomic<std::int64_t> count{0};

}  // namespace

namespace tenon::tests {

std::int64_t allocationCount() {
  return count.load(std::memory_order_relaxed);
}

}  // namespace tenon::tests

#ifdef TENON_SANITIZED_HEAP

extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));

namespace {

void countOne(const volatile void*, std::size_t) {
  count.fetch_add(1, std::memory_order_relaxed);
}
void ignore(const volatile void*) {}
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(countOne, ignore);

}  // namespace

#else

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = memalign(alignment, size);
  return *block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"

#endif
