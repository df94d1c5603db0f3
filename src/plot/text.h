/* text.h - texts in pictures: clean UTF-8, widths, small raised numbers. */
#ifndef TRMI_TEXT_H
#define TRMI_TEXT_H
#include <stddef.h>

/* Copy a text that may hold anything: control characters and bytes that are not
 * UTF-8 become '?', what does not fit is cut between letters. NULL counts as "". */
void trmi_text_clean(char *out, size_t size, const char *text);

/* Bytes of the letter at `text`; 1 if it is not UTF-8. */
size_t trmi_text_letter(const char *text);

/* Number of letters. */
int trmi_text_count(const char *text);

/* Width of a clean text at a size of the letters, in the same unit. It follows the
 * font DejaVu Sans, the widest of its usual substitutes. */
double trmi_text_width(const char *text, double size);

/* Write a whole number in small raised digits. */
void trmi_text_superscript(char *out, size_t size, int number);

#endif
