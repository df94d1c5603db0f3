/* SHA-256: examples of FIPS 180-4 and of NIST's tests, bytes added in parts of any size. */
#include "check.h"
#include "core/sha256.h"
#include <string.h>

static void hex_of(const unsigned char sum[TRMI_SHA256_BYTES], char text[65]) {
  for (int i = 0; i < TRMI_SHA256_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", sum[i]);
}

static void examples_of_the_standard(void **state) {
  (void)state;
  static const struct {
    const char *text, *sum;
  } list[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    unsigned char sum[TRMI_SHA256_BYTES];
    char text[65];
    trmi_sha256 hash;
    trmi_sha256_init(&hash);
    trmi_sha256_add(&hash, list[i].text, strlen(list[i].text));
    trmi_sha256_end(&hash, sum);
    hex_of(sum, text);
    assert_string_equal(text, list[i].sum);
  }
}

/* A million letters a, in parts whose sizes pass the ends of blocks. */
static void parts_do_not_matter(void **state) {
  (void)state;
  char letters[200], text[65];
  memset(letters, 'a', sizeof letters);
  for (size_t part = 1; part <= sizeof letters; part += part < 5 ? 1 : 39) {
    unsigned char sum[TRMI_SHA256_BYTES];
    trmi_sha256 hash;
    trmi_sha256_init(&hash);
    for (size_t left = 1000000; left > 0;) {
      const size_t count = left < part ? left : part;
      trmi_sha256_add(&hash, letters, count);
      left -= count;
    }
    trmi_sha256_end(&hash, sum);
    hex_of(sum, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_of_the_standard),
    cmocka_unit_test(parts_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
