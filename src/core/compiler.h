/* compiler.h - the only place for compiler extensions. */
#ifndef TRMI_COMPILER_H
#define TRMI_COMPILER_H

/* printf-like functions have their arguments checked. */
#if defined(__GNUC__)
#define TRMI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TRMI_PRINTF(fmt, args)
#endif

/* The address sanitizer is on: gcc indicates it by a macro, clang by a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define TRMI_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRMI_IS_SANITIZED 1
#endif
#endif
#if !defined(TRMI_IS_SANITIZED)
#define TRMI_IS_SANITIZED 0
#endif

/* Small vectors of numbers (gcc and clang), for the kernels of the block solver: a
 * compiler without them gets no block solver, see TRMI_HAS_VECTORS. */
#if defined(__GNUC__)
#define TRMI_HAS_VECTORS 1
#define TRMI_VECTOR(type, count) type __attribute__((vector_size(sizeof(type) * (count))))
/* the same for a single double at any address */
#define TRMI_VECTOR_ANYWHERE(type, count) \
  type __attribute__((vector_size(sizeof(type) * (count)), aligned(sizeof(type))))
/* numbers of two vectors in a new order: those of b follow those of a */
#define TRMI_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#if TRMI_IS_SANITIZED
#define TRMI_INLINE inline /* checked kernels would take minutes to compile if unrolled */
#else
#define TRMI_INLINE inline __attribute__((always_inline))
#endif
#else
#define TRMI_HAS_VECTORS 0
#define TRMI_INLINE inline
#endif
#if TRMI_IS_SANITIZED
#define TRMI_UNROLL
#define TRMI_UNROLL_LONG
#elif defined(__clang__)
#define TRMI_UNROLL _Pragma("clang loop unroll(full)")
#define TRMI_UNROLL_LONG TRMI_UNROLL
#elif defined(__GNUC__)
#define TRMI_UNROLL _Pragma("GCC unroll 8")
#define TRMI_UNROLL_LONG _Pragma("GCC unroll 24")
#else
#define TRMI_UNROLL
#define TRMI_UNROLL_LONG
#endif

/* The compiler forgets what it knows about a pointer. */
#if defined(__GNUC__)
#define TRMI_OPAQUE(pointer) __asm__("" : "+r"(pointer))
#else
#define TRMI_OPAQUE(pointer)
#endif

/* A product in a vector register is rounded as it is and not fused with the sum that follows. In
 * a b + c d the compiler may fuse either product, and vectors of different widths got different
 * results. */
#if defined(__GNUC__) && defined(__x86_64__)
#define TRMI_ROUNDED(product) __asm__("" : "+v"(product))
#else
#define TRMI_ROUNDED(product) ((void)0)
#endif

/* Prefetch a cache line that will be read soon; any address is allowed. */
#if defined(__GNUC__)
#define TRMI_PREFETCH(address) __builtin_prefetch(address)
#else
#define TRMI_PREFETCH(address) ((void)0)
#endif

/* A function compiled for several widths of vectors; selected by the machine when the program
 * starts. Results are the same: products and sums are not fused. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !TRMI_IS_SANITIZED
#define TRMI_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TRMI_CLONES
#endif

/* Memory that was freed goes back to the system: large blocks that glibc keeps count otherwise. */
#if defined(__gnu_linux__) && defined(__GNUC__)
#include <malloc.h>
#endif
#if defined(__GLIBC__)
#define TRMI_TRIM() ((void)malloc_trim(0))
#else
#define TRMI_TRIM() ((void)0)
#endif

/* Features of the machine at run time; false if unknown. */
#if defined(__x86_64__) && defined(__GNUC__)
#define TRMI_HAS_AVX2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define TRMI_HAS_AVX512() (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
#else
#define TRMI_HAS_AVX2() 0
#define TRMI_HAS_AVX512() 0
#endif

#endif
