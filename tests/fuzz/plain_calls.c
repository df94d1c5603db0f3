/* plain_calls.c - functions of the C library as HDF5 calls them in tools/plain_hdf5: sanitizers
 * neither see nor check them. Compiled without sanitizers and builtins. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Those of glibc, which sanitizers do not replace. */
void *__libc_malloc(size_t size);
int   vsnprintf(char *text, size_t size, const char *format, va_list values);

void  *plain_memcpy(void *to, const void *from, size_t size);
void  *plain_memmove(void *to, const void *from, size_t size);
void  *plain_memset(void *to, int value, size_t size);
int    plain_memcmp(const void *a, const void *b, size_t size);
size_t plain_strlen(const char *text);
int    plain_strcmp(const char *a, const char *b);
int    plain_strncmp(const char *a, const char *b, size_t size);
char  *plain_strdup(const char *text);
int    plain_vasprintf(char **text, int flag, const char *format, va_list values);

/* Forwards, by the processor's own instruction. */
void *plain_memcpy(void *to, const void *from, size_t size) {
  void *at = to;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
  return to;
}

void *plain_memmove(void *to, const void *from, size_t size) {
  if ((uintptr_t)to - (uintptr_t)from >= size) return plain_memcpy(to, from, size);
  for (size_t i = size; i > 0; i--) ((char *)to)[i - 1] = ((const char *)from)[i - 1];
  return to;
}

void *plain_memset(void *to, int value, size_t size) {
  void *at = to;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
  return to;
}

int plain_memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++) {
    if (x[i] != y[i]) return x[i] - y[i];
  }
  return 0;
}

size_t plain_strlen(const char *text) {
  size_t n = 0;
  while (text[n] != '\0') n++;
  return n;
}

int plain_strncmp(const char *a, const char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (a[i] == '\0') return 0;
  }
  return 0;
}

int plain_strcmp(const char *a, const char *b) { return plain_strncmp(a, b, SIZE_MAX); }

char *plain_strdup(const char *text) {
  const size_t size = plain_strlen(text) + 1;
  char *copy = __libc_malloc(size);
  return copy != NULL ? plain_memcpy(copy, text, size) : NULL;
}

int plain_vasprintf(char **text, int flag, const char *format, va_list values) {
  (void)flag;
  va_list again;
  va_copy(again, values);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  *text = length < 0 ? NULL : __libc_malloc((size_t)length + 1);
  return *text == NULL ? -1 : vsnprintf(*text, (size_t)length + 1, format, values);
}
