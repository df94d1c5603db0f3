/* terminal.c - streams that escape control characters: C0 but newline and tab, DEL, and C1 in
 * UTF-8, which is c2 80 to c2 9f. */
#define _GNU_SOURCE /* fopencookie; NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "terminal.h"
#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

static FILE *plain_stderr = NULL;
static bool has_colours = false;

/* All bytes, whatever it takes. */
static bool write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = write(descriptor, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    count -= (size_t)done;
  }
  return true;
}

/* Letters of a sequence for a colour, ESC [ 38;5;33 m; 0: it is none. */
static size_t colour_length(const char *bytes, size_t count) {
  if (!has_colours || count < 3 || bytes[0] != '\033' || bytes[1] != '[') return 0;
  size_t i = 2;
  while (i < count && ((bytes[i] >= '0' && bytes[i] <= '9') || bytes[i] == ';')) i++;
  return i < count && bytes[i] == 'm' ? i + 1 : 0;
}

static ssize_t write_guarded(void *cookie, const char *bytes, size_t count) {
  const int descriptor = *(const int *)cookie;
  size_t from = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    const bool is_c1 = c >= 0x80 && c <= 0x9f && i > 0 && (unsigned char)bytes[i - 1] == 0xc2;
    const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || is_c1;
    const size_t colour = is_control ? colour_length(bytes + i, count - i) : 0;
    if (colour > 0) i += colour - 1;
    if (!is_control || colour > 0) continue;
    char text[8];
    const int length = snprintf(text, sizeof text, "\\x%02x", c);
    const size_t end = is_c1 ? i - 1 : i;
    if (!write_all(descriptor, bytes + from, end - from) ||
        !write_all(descriptor, text, (size_t)length)) {
      return 0;
    }
    from = i + 1;
  }
  return write_all(descriptor, bytes + from, count - from) ? (ssize_t)count : 0;
}

static void guard(FILE **stream, int *descriptor) {
  if (isatty(*descriptor) != 1) return;
  const cookie_io_functions_t functions = {.write = write_guarded};
  FILE *guarded = fopencookie(descriptor, "w", functions);
  if (guarded == NULL) return; /* out of memory: as it is */
  setvbuf(guarded, NULL, _IOLBF, BUFSIZ);
  *stream = guarded;
}

void app_terminal_guard(void) {
  static int out = STDOUT_FILENO, error = STDERR_FILENO; /* live as long as the streams */
  plain_stderr = stderr;
  guard(&stdout, &out);
  guard(&stderr, &error);
}

void app_terminal_allow_colours(void) {
  has_colours = true;
}

FILE *app_terminal_progress(void) {
  fflush(stderr); /* lines keep their order */
  return plain_stderr != NULL ? plain_stderr : stderr;
}
