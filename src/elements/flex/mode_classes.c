/* mode_classes.c - sorts modes so that those coupled by inertia are adjacent.
 *
 * Modes of a mesh with planes of symmetry are even or odd about each of them, and
 *   N_pp(i, j) = int phi_p,i phi_p,j = 0   for modes i, j of different classes              (1)
 * With the modes sorted by classes each of the arrays J2, G is a few blocks: by the symmetry of p
 * and q, a class is coupled with only one class. Classes are the connected parts of the graph of
 * (1); a mesh without symmetry has a single one. */
#include "elements/flex/modal_body.h"
#include <math.h>

/* The first mode of a class, by following its links. */
static int root_of(const int *before, int i) {
  while (before[i] != i) i = before[i];
  return i;
}

/* Class of each mode, given by its first mode; false: there is only one. */
static bool find_classes(const trmi_modal_arrays *in, double zero, int *before) {
  const int n = in->n, square = n * n;
  int classes = n;
  for (int i = 0; i < n; i++) before[i] = i;
  for (int e = 0; e < square && classes > 1; e++) {
    bool is_coupled = false;
    for (int p = 0; p < 3; p++) {
      is_coupled = is_coupled || fabs(in->N[p][e]) > zero ||
                   (in->Kg != NULL && fabs(in->Kg[square * p + e]) > zero);
    }
    const int one = root_of(before, e / n), other = root_of(before, e % n);
    if (!is_coupled || one == other) continue;
    before[one > other ? one : other] = one > other ? other : one;
    classes--;
  }
  for (int i = 0; i < n; i++) before[i] = root_of(before, i);
  return classes > 1;
}

bool trmi_mode_classes(const trmi_modal_arrays *in, double zero, trmi_arena *arena,
                       trmi_mode_order *order) {
  const int n = in->n, width = trmi_packed_width(n);
  int *number = TRMI_TAKE(arena, int, width), *place = TRMI_TAKE(arena, int, width);
  int count = 0;
  *order = (trmi_mode_order){0};
  if (arena->failed) return false;
  if (!find_classes(in, zero, place)) return true;
  for (int first = 0; first < n; first++) {
    for (int i = first; i < n && place[first] == first; i++) {
      if (place[i] == first) number[count++] = i;
    }
  }
  for (; count < width; count++) number[count] = count;
  for (int i = 0; i < width; i++) place[number[i]] = i;
  *order = (trmi_mode_order){.number = number, .place = place};
  return true;
}
