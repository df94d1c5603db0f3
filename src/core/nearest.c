/* nearest.c - edit distance: insertions, deletions, replacements and swaps of
 * neighbours that turn one word into the other (optimal string alignment). */
#include "trammel/nearest.h"
#include <stdbool.h>
#include <string.h>

enum { LENGTH_MAX = 63 }; /* longer words are compared by their beginnings */

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static int length(const char *word) {
  return smaller((int)strlen(word), LENGTH_MAX);
}

/* d[i][j] is the distance of the first i letters of a from the first j of b */
static int edit_distance(const char *a, const char *b) {
  int d[LENGTH_MAX + 1][LENGTH_MAX + 1];
  const int na = length(a), nb = length(b);
  for (int i = 0; i <= na; i++) d[i][0] = i;
  for (int j = 0; j <= nb; j++) d[0][j] = j;
  for (int i = 1; i <= na; i++) {
    for (int j = 1; j <= nb; j++) {
      const int replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = smaller(replaced, 1 + smaller(d[i - 1][j], d[i][j - 1]));
      const int is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) d[i][j] = smaller(d[i][j], 1 + d[i - 2][j - 2]);
    }
  }
  return d[na][nb];
}

/* Is this a name with an ending of a few letters: "slewing" of "slew"? */
static bool has_ending(const char *text, const char *name) {
  const size_t n = strlen(name);
  return n > 3 && strncmp(text, name, n) == 0 && strlen(text) <= n + 4 &&
         strchr(text + n, '.') == NULL;
}

/* A shortened word counts as one wrong letter, and so does one with an ending. */
static int distance_of(const char *text, const char *name) {
  const bool is_beginning = strlen(text) > 2 && strncmp(text, name, strlen(text)) == 0;
  const int distance = edit_distance(text, name);
  return is_beginning || has_ending(text, name) ? smaller(distance, 1) : distance;
}

static char small(char letter) {
  return (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
}

/* Equal except for case? */
static bool is_alike(const char *a, const char *b) {
  while (*a != '\0' && small(*a) == small(*b)) a++, b++;
  return small(*a) == small(*b);
}

const char *trm_nearest(const char *text, const void *list, int count, trm_name_at name_at) {
  const char *best = "";
  int best_distance = 2 * LENGTH_MAX;
  for (int i = 0; i < count; i++) {
    const char *name = name_at(list, i);
    if (name == NULL) continue;
    const int distance = is_alike(text, name) ? 0 : distance_of(text, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

const char *trm_nearest_close(const char *text, const void *list, int count,
                               trm_name_at name_at) {
  const char *best = trm_nearest(text, list, count, name_at);
  const int letters = length(text) > length(best) ? length(text) : length(best);
  const bool is_close = best[0] != '\0' && (is_alike(text, best) ||
                                            distance_of(text, best) <= (letters + 1) / 3);
  return is_close ? best : "";
}
