/* no_plugin.c - a shared library that is no plug-in. */
int trm_test_nothing(void);

int trm_test_nothing(void) {
  return 0;
}
