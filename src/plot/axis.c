/* axis.c - round numbers for axes.
 *
 * Linear: ticks are whole multiples of 1, 2 or 5 times a power of ten. If the
 * numbers are large or small, a power of 1000 moves into the unit. Logarithmic:
 * powers of ten, or round multiples of them when there are too few. */
#include "plot/axis.h"
#include "plot/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond this, differences of ends overflow; below it, everything is zero. */
static const double HUGE_END = 1e300, TINY_END = 1e-300;
/* A range this much smaller than its numbers is rounding. */
static const double FLAT = 1e-12;
static const double MARGIN = 0.05;

bool trmi_axis_takes(const trm_plot_axis *axis, double value) {
  return isfinite(value) && (!axis->is_log || value > TINY_END);
}

/* ---- ends -------------------------------------------------------------- */

static void widen_flat(double *low, double *high) {
  const double size = fmax(fabs(*low), fabs(*high));
  if (*high - *low > FLAT * size && size > TINY_END) return;
  const double middle = 0.5 * (*low + *high), half = size > TINY_END ? 0.1 * size : 1.0;
  *low = middle - half;
  *high = middle + half;
}

void trmi_scale_init(trmi_scale *scale, const trm_plot_axis *axis, const trmi_axis_range *range) {
  *scale = (trmi_scale){.is_log = axis->is_log};
  const bool is_fixed = axis->low < axis->high && trmi_axis_takes(axis, axis->low) &&
                        trmi_axis_takes(axis, axis->high);
  double low = is_fixed ? axis->low : range->low, high = is_fixed ? axis->high : range->high;
  if (axis->is_log) {
    low = log10(low);
    high = log10(high);
    if (!(high - low > 1e-9)) low -= 0.5, high += 0.5;
  } else {
    low = fmax(low, -HUGE_END);
    high = fmin(high, HUGE_END);
    widen_flat(&low, &high);
  }
  const double margin = is_fixed || axis->is_tight ? 0.0 : MARGIN * (high - low);
  scale->low = low - margin;
  scale->high = high + margin;
}

double trmi_scale_map(const trmi_scale *scale, double value) {
  const double place = scale->is_log ? log10(value) : value;
  return scale->first +
         (place - scale->low) / (scale->high - scale->low) * (scale->last - scale->first);
}

/* ---- ticks ------------------------------------------------------------- */

static void add_tick(trmi_scale *scale, double value, const char *text) {
  if (scale->nticks == TRMI_TICKS_MAX) return;
  trmi_tick *tick = &scale->ticks[scale->nticks++];
  tick->value = value;
  snprintf(tick->text, sizeof tick->text, "%s", text);
}

/* number * 10^power without the rounding of negative powers */
static double shifted(double number, int power) {
  return power < 0 ? number / pow(10.0, -power) : number * pow(10.0, power);
}

/* Ticks between two values; numbers are divided by 10^exponent in the texts. */
static void linear_ticks(trmi_scale *scale, double low, double high, int wanted) {
  static const int multiples[] = {1, 2, 5, 10};
  const double raw = (high - low) / wanted;
  const int power = (int)floor(log10(raw));
  int multiple = 10;
  for (int i = 3; i >= 0; i--) {
    if (shifted(multiples[i], power) >= raw * (1 - 1e-9)) multiple = multiples[i];
  }
  const double step = shifted(multiple, power);
  const int decimals = power + (multiple == 10) < scale->exponent
                           ? scale->exponent - power - (multiple == 10)
                           : 0;
  const double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
  for (double i = first; i <= last; i++) {
    char text[32];
    const double number = i * multiple + 0.0; /* never -0 */
    snprintf(text, sizeof text, "%.*f", decimals, shifted(number, power - scale->exponent));
    add_tick(scale, shifted(number, power), text);
  }
}

/* A power of 1000 for numbers that are long to write. */
static int choose_exponent(double low, double high) {
  const int size = (int)floor(log10(fmax(fabs(low), fabs(high))) + 1e-9);
  if (size > -3 && size < 5) return 0;
  return 3 * (int)floor(size / 3.0);
}

static void decade_ticks(trmi_scale *scale, int wanted) {
  const int first = (int)ceil(scale->low - 1e-9), last = (int)floor(scale->high + 1e-9);
  const int stride = 1 + (last - first) / (wanted > 0 ? wanted : 1);
  for (int d = first - 1; d <= last; d++) {
    if (d >= first && (d - first) % stride == 0) {
      char text[32] = "10";
      trmi_text_superscript(text + 2, sizeof text - 2, d);
      add_tick(scale, pow(10.0, d), text);
    }
    for (int m = 2; m <= 9 && stride == 1; m++) {
      const double place = d + log10(m);
      if (place > scale->low && place < scale->high) add_tick(scale, shifted(m, d), "");
    }
  }
}

/* Fewer than two decades: 1, 2, 5 and their tens; still fewer: like a linear axis. */
static void narrow_log_ticks(trmi_scale *scale, int wanted) {
  static const int multiples[] = {1, 2, 5};
  for (int d = (int)floor(scale->low) - 1; d <= (int)ceil(scale->high); d++) {
    for (int i = 0; i < 3; i++) {
      const double place = d + log10(multiples[i]);
      char text[32];
      snprintf(text, sizeof text, "%g", shifted(multiples[i], d));
      if (place >= scale->low && place <= scale->high) {
        add_tick(scale, shifted(multiples[i], d), text);
      }
    }
  }
  if (scale->nticks >= 3) return;
  scale->nticks = 0;
  linear_ticks(scale, pow(10.0, scale->low), pow(10.0, scale->high), wanted);
}

/* ---- label ------------------------------------------------------------- */

/* "mm" for m and -3: only where the first factor of the unit takes a prefix. */
static bool prefixed(const char *unit, int exponent, char *text, size_t size) {
  static const struct {
    const char *unit;
    int         low, high;
  } takers[] = {{"m", -9, 3},  {"s", -9, 0},  {"N", -9, 9},  {"J", -9, 9},   {"W", -9, 9},
                {"Hz", -3, 9}, {"Pa", -3, 9}, {"V", -9, 6}, {"A", -9, 3}, {"rad", -9, 0}};
  static const char *const prefixes[] = {"n", "µ", "m", "", "k", "M", "G"}; /* -9 .. 9 */
  const size_t length = strcspn(unit, " /*");
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
    if (strlen(takers[i].unit) != length || strncmp(takers[i].unit, unit, length) != 0) continue;
    if (exponent < takers[i].low || exponent > takers[i].high) return false;
    snprintf(text, size, "%s%s", prefixes[exponent / 3 + 3], unit);
    return true;
  }
  return false;
}

static void write_label(trmi_scale *scale, const trm_plot_axis *axis) {
  char name[TRMI_TEXT_MAX], unit[32], shown[96];
  trmi_text_clean(name, sizeof name, axis->name);
  trmi_text_clean(unit, sizeof unit, axis->unit);
  snprintf(shown, sizeof shown, "%s", unit);
  if (scale->exponent != 0 && !prefixed(unit, scale->exponent, shown, sizeof shown)) {
    char power[32];
    trmi_text_superscript(power, sizeof power, scale->exponent);
    snprintf(shown, sizeof shown, "10%s%s%s", power, unit[0] != '\0' ? " " : "", unit);
  }
  const bool has_unit = shown[0] != '\0', has_name = name[0] != '\0';
  snprintf(scale->label, sizeof scale->label, "%s%s%s%s%s", name, has_name && has_unit ? " " : "",
           has_unit ? "[" : "", shown, has_unit ? "]" : "");
}

void trmi_scale_ticks(trmi_scale *scale, const trm_plot_axis *axis, int wanted) {
  scale->nticks = 0;
  if (!scale->is_log) {
    scale->exponent = choose_exponent(scale->low, scale->high);
    linear_ticks(scale, scale->low, scale->high, wanted);
  } else if (floor(scale->high + 1e-9) - ceil(scale->low - 1e-9) >= 2) {
    decade_ticks(scale, wanted);
  } else {
    narrow_log_ticks(scale, wanted);
  }
  write_label(scale, axis);
}
