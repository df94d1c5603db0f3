/* compiler.h - the only place for compiler extensions. */
#ifndef TRMI_COMPILER_H
#define TRMI_COMPILER_H

/* printf-like functions have their arguments checked. */
#if defined(__GNUC__)
#define TRMI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TRMI_PRINTF(fmt, args)
#endif

/* Small vectors of numbers (gcc and clang), for the kernels of the block solver: a
 * compiler without them gets no block solver, see TRMI_HAS_VECTORS. */
#if defined(__GNUC__)
#define TRMI_HAS_VECTORS 1
#define TRMI_VECTOR(type, count) type __attribute__((vector_size(sizeof(type) * (count))))
#define TRMI_INLINE inline __attribute__((always_inline))
#else
#define TRMI_HAS_VECTORS 0
#endif
#if defined(__clang__)
#define TRMI_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define TRMI_UNROLL _Pragma("GCC unroll 8")
#else
#define TRMI_UNROLL
#endif

/* What the machine can do, asked at run time; false where nobody knows. */
#if defined(__x86_64__) && defined(__GNUC__)
#define TRMI_HAS_AVX2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define TRMI_HAS_AVX512() (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
#else
#define TRMI_HAS_AVX2() 0
#define TRMI_HAS_AVX512() 0
#endif

#endif
