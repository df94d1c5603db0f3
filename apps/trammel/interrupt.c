/* interrupt.c - a flag set by the signal and read between steps. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_asked = 0;

static void handle(int number) {
  (void)number;
  is_asked = 1;
}

void app_interrupt_install(void) {
  struct sigaction action = {.sa_handler = handle};
  action.sa_flags = (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);

  /* a limit on the size of files is an error of writing like a full disk */
  signal(SIGXFSZ, SIG_IGN);
}

bool app_interrupt_asked(void *self) {
  (void)self;
  return is_asked != 0;
}
