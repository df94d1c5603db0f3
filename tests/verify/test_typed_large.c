/* A generated model of 1000 coordinates and 1000 constraints: little memory, sparse blocks. Times
 * are told, not judged. A net of points: rods to the right and down, springs across. */
#include "verify/typed.h"
#include <time.h>

enum { WIDE = 20, HIGH = 25, POINTS = WIDE * HIGH, NV = 2 * POINTS, NG = 1000 };

/* Text that grows. */
typedef struct writer {
  char *text;
  size_t used, size;
} writer;

static void put(writer *w, const char *format, ...) {
  va_list list;
  if (w->size - w->used < 400) {
    w->size += 1 << 16;
    w->text = realloc(w->text, w->size);
    assert_non_null(w->text);
  }
  va_start(list, format);
  w->used += (size_t)vsnprintf(w->text + w->used, w->size - w->used, format, list);
  va_end(list);
}

static int rods(writer *w, int count) {
  for (int i = 0; i < POINTS; i++) {
    if (i % WIDE < WIDE - 1) {
      put(w, "    a%d: hypot(x%d - x%d, y%d - y%d) - 1\n", i, i, i + 1, i, i + 1), count++;
    }
    if (i < POINTS - WIDE) {
      put(w, "    b%d: (x%d - x%d)^2 + (y%d - y%d)^2 - 1\n", i, i, i + WIDE, i, i + WIDE), count++;
    }
  }
  return count;
}

static char *generate(void) {
  writer w = {0};
  put(&w, "trammel: 1\nparameters: {m: 0.1, k: 1e3, c: 0.5}\nequations:\n  coordinates:\n");
  for (int i = 0; i < POINTS; i++) {
    put(&w, "    x%d: %d\n    y%d: {value: %d}\n", i, i % WIDE, i, -(i / WIDE));
  }
  put(&w, "  kinetic: |\n    0\n");
  for (int i = 0; i < POINTS; i++) put(&w, "    + 0.5*m*(x%d'^2 + y%d'^2)\n", i, i);
  put(&w, "  potential: |\n    0\n");
  for (int i = 0; i < POINTS - WIDE - 1; i++) {
    const int k = i + WIDE + 1;
    put(&w, "    + 0.5*k*(sqrt((x%d - x%d)^2 + (y%d - y%d)^2) - 1.4)^2\n", i, k, i, k);
  }
  put(&w, "  forces:\n");
  for (int i = 0; i < POINTS; i++) put(&w, "    x%d: -c*x%d'*abs(x%d')\n", i, i, i);
  put(&w, "  constraints:\n");
  const int count = rods(&w, 0);
  for (int i = count; i < NG; i++)
    put(&w, "    c%d: y%d - 0.1*sin(x%d)*time\n", i, i - count, i - count);
  return w.text;
}

/* Memory of the library: now and at most. */
typedef struct meter {
  size_t now, most;
} meter;

static void *take(void *self, size_t bytes) {
  meter *m = self;
  size_t *block = malloc(bytes + 16);
  if (block == NULL) return NULL;
  block[0] = bytes;
  m->now += bytes;
  if (m->now > m->most) m->most = m->now;
  return block + 2;
}

static void give_back(void *self, void *block) {
  if (block == NULL) return;
  size_t *head = (size_t *)block - 2;
  ((meter *)self)->now -= head[0];
  free(head);
}

static double seconds_since(clock_t begin) {
  return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* 4 entries in a row of a rod, 2 in the others; M is diagonal; damping too. A spring couples the
 * coordinates of two points: 4 x 4, rods the same in GY_Q. */
static void check_patterns(const trm_system *sys) {
  const int nrods = HIGH * (WIDE - 1) + WIDE * (HIGH - 1), rest = NG - nrods;
  const int springs = POINTS - WIDE - 1;
  assert_int_equal(sys->block[TRM_M].n, NV);
  assert_int_equal(sys->block[TRM_C].n, POINTS);
  assert_int_equal(sys->block[TRM_G].n, 4 * nrods + 2 * rest);
  assert_int_equal(sys->block[TRM_MU_Q].n, 0);
  print_message("entries: K %d, GY_Q %d, GB_Q %d\n", sys->block[TRM_K].n, sys->block[TRM_GY_Q].n,
                sys->block[TRM_GB_Q].n);
  assert_true(sys->block[TRM_K].n <= 16 * springs);
  assert_true(sys->block[TRM_GY_Q].n <= 16 * nrods + rest);
  assert_true(sys->block[TRM_GB_Q].n <= 4 * nrods + 2 * rest);
}

static void a_large_model_is_sparse_and_small(void **state) {
  (void)state;
  trm_error err;
  meter memory = {0};
  const trm_allocator allocator = {.self = &memory, .alloc = take, .release = give_back};
  trm_model *model = NULL;
  trm_system *system = NULL;
  char *text = generate();
  const clock_t begin = clock();
  CHECK_OK(trm_model_read_text(text, "net", NULL, 0, &allocator, &model, &err), err);
  const double read = seconds_since(begin);
  CHECK_OK(trm_model_create_system(model, &allocator, &system, &err), err);
  const double all = seconds_since(begin);
  print_message(
      "text %zu kB; read and checked in %.3f s, with the system %.3f s, %.1f MB at most\n",
      strlen(text) / 1024, read, all, (double)memory.most / 1e6);
  const trm_sizes *n = trm_system_sizes(system);
  assert_int_equal(n->nv, NV);
  assert_int_equal(n->ng, NG);
  check_patterns(system);
  /* 40 MB are used; what is quadratic in the 1000 coordinates would go far beyond */
  assert_true(memory.most < 200 * 1000 * 1000);
  trm_system_free(system);
  trm_model_free(model);
  assert_int_equal(memory.now, 0);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_large_model_is_sparse_and_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
