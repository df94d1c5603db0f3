/* Arena: its blocks are cleared, aligned and disjoint; failure is recorded; everything goes
 * back. */
#include "check.h"
#include "core/arena.h"
#include <string.h>

/* An allocator that hands out dirty memory at an odd multiple of 16, counts what
 * lives, and fails from request `fail_at` on. */
typedef struct counted {
  int requests, live, fail_at;
} counted;

static void *counted_alloc(void *self, size_t bytes) {
  counted *c = self;
  if (++c->requests >= c->fail_at) return NULL;
  unsigned char *block = malloc(bytes + 16);
  assert_non_null(block);
  memset(block, 0xab, bytes + 16);
  c->live++;
  return block + 16;
}

static void counted_release(void *self, void *block) {
  if (block == NULL) return;
  ((counted *)self)->live--;
  free((unsigned char *)block - 16);
}

static trm_allocator allocator_of(counted *c) {
  return (trm_allocator){.self = c, .alloc = counted_alloc, .release = counted_release};
}

static void memory_is_cleared_aligned_and_apart(void **unused) {
  (void)unused;
  enum { BLOCKS = 400 };
  counted c = {.fail_at = 1000};
  const trm_allocator allocator = allocator_of(&c);
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  unsigned char *block[BLOCKS];
  /* sizes 0 .. 798 and now and then one above a chunk */
  size_t size[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    size[i] = i % 50 == 49 ? 40000 : 2 * (size_t)i;
    block[i] = trmi_arena_take(&arena, size[i] / 2, 2);
    assert_non_null(block[i]);
    assert_int_equal((uintptr_t)block[i] % 64, 0);
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(block[i][k], 0);
    memset(block[i], i % 251 + 1, size[i]);
  }
  for (int i = 0; i < BLOCKS; i++) {
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(block[i][k], i % 251 + 1);
  }
  trmi_arena_clear(&arena);
  assert_int_equal(c.live, 0);
}

static void blocks_of_no_bytes_have_addresses_of_their_own(void **unused) {
  (void)unused;
  const trm_allocator allocator = {0};
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  const double *a = TRMI_TAKE(&arena, double, 0), *b = TRMI_TAKE(&arena, double, 0);
  assert_non_null(a);
  assert_ptr_not_equal(a, b);
  trmi_arena_clear(&arena);
}

static void failure_is_remembered_until_clear(void **unused) {
  (void)unused;
  counted c = {.fail_at = 2};
  const trm_allocator allocator = allocator_of(&c);
  trmi_arena arena;
  trm_error err;
  trmi_arena_init(&arena, &allocator);
  assert_non_null(trmi_arena_take(&arena, 1, 100));
  CHECK_STATUS(trmi_arena_check(&arena, &err), TRM_OK);
  assert_null(trmi_arena_take(&arena, 1, 100000)); /* a second chunk is refused */
  assert_null(trmi_arena_take(&arena, 1, 1));      /* although the first has room */
  CHECK_STATUS(trmi_arena_check(&arena, &err), TRM_ERR_MEMORY);
  assert_non_null(strstr(err.message, "memory"));
  trmi_arena_clear(&arena);
  assert_int_equal(c.live, 0);
  c.fail_at = 1000;
  assert_non_null(trmi_arena_take(&arena, 1, 100));
  CHECK_STATUS(trmi_arena_check(&arena, &err), TRM_OK);
  trmi_arena_clear(&arena);
  assert_int_equal(c.live, 0);
}

static void sizes_that_overflow_fail_without_a_request(void **unused) {
  (void)unused;
  const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 16 + 1};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    counted c = {.fail_at = 1000};
    const trm_allocator allocator = allocator_of(&c);
    trmi_arena arena;
    trmi_arena_init(&arena, &allocator);
    assert_null(trmi_arena_take(&arena, counts[i], 8));
    assert_true(arena.failed);
    assert_int_equal(c.requests, 0);
    trmi_arena_clear(&arena);
  }
}

static void many_small_blocks_share_few_requests(void **unused) {
  (void)unused;
  counted c = {.fail_at = 1000};
  const trm_allocator allocator = allocator_of(&c);
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  for (int i = 0; i < 1000; i++) assert_non_null(trmi_arena_take(&arena, 1, 64));
  /* 64000 bytes in chunks of 16384 */
  assert_int_equal(c.requests, 4);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_cleared_aligned_and_apart),
      cmocka_unit_test(blocks_of_no_bytes_have_addresses_of_their_own),
      cmocka_unit_test(failure_is_remembered_until_clear),
      cmocka_unit_test(sizes_that_overflow_fail_without_a_request),
      cmocka_unit_test(many_small_blocks_share_few_requests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
