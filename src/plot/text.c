/* text.c - letters. */
#include "plot/text.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Advance of ' ' to '~' in hundredths of the size, DejaVu Sans. */
/* clang-format off */
static const unsigned char widths[] = {
  32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34,
  64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53,
  100, 68, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79,
  60, 79, 70, 64, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50,
  50, 61, 64, 55, 64, 62, 35, 64, 63, 28, 28, 58, 28, 97, 63, 61,
  64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84,
};
/* clang-format on */
enum { WIDTH_OTHER = 62, WIDTH_RAISED = 42 };

/* Length of a well-formed UTF-8 sequence, 0 if it is none. */
static size_t sequence(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  const size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0; /* also at the end of the text */
  }
  const bool is_long = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
  const bool is_surrogate = s[0] == 0xED && s[1] > 0x9F;
  const bool is_beyond = s[0] == 0xF4 && s[1] > 0x8F;
  const bool is_control = s[0] == 0xC2 && s[1] < 0xA0;
  const bool is_no_letter = s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE;
  return is_long || is_surrogate || is_beyond || is_control || is_no_letter ? 0 : length;
}

size_t trmi_text_letter(const char *text) {
  const size_t length = sequence((const unsigned char *)text);
  return length > 0 ? length : 1;
}

void trmi_text_clean(char *out, size_t size, const char *text) {
  size_t used = 0;
  for (const char *c = text != NULL ? text : ""; *c != '\0';) {
    const size_t length = sequence((const unsigned char *)c);
    const bool is_good = length > 1 || (length == 1 && *c >= ' ' && *c != 127);
    if (used + (is_good ? length : 1) >= size) break;
    if (is_good) {
      memcpy(out + used, c, length);
      used += length;
    } else {
      out[used++] = '?';
    }
    c += length > 0 ? length : 1;
  }
  out[used] = '\0';
}

int trmi_text_count(const char *text) {
  int count = 0;
  for (const char *c = text; *c != '\0'; c += trmi_text_letter(c)) count++;
  return count;
}

double trmi_text_width(const char *text, double size) {
  int sum = 0;
  for (const char *c = text; *c != '\0'; c += trmi_text_letter(c)) {
    const unsigned char first = (unsigned char)*c;
    const bool is_raised = first == 0xE2 && (unsigned char)c[1] == 0x81;
    const bool is_plain = first >= ' ' && first <= '~';
    sum += is_plain ? widths[first - ' '] : is_raised ? WIDTH_RAISED : WIDTH_OTHER;
  }
  return 0.01 * sum * size;
}

void trmi_text_superscript(char *out, size_t size, int number) {
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  snprintf(plain, sizeof plain, "%d", number);
  size_t used = 0;
  out[0] = '\0';
  for (const char *c = plain; *c != '\0'; c++) {
    const char *letter = *c == '-' ? "⁻" : digits[*c - '0'];
    if (used + strlen(letter) >= size) return;
    memcpy(out + used, letter, strlen(letter) + 1);
    used += strlen(letter);
  }
}
