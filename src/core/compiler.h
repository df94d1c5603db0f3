/* compiler.h - the only place for compiler extensions. */
#ifndef TRMI_COMPILER_H
#define TRMI_COMPILER_H

#if defined(__GNUC__)
#define TRMI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TRMI_PRINTF(fmt, args)
#endif

#endif
