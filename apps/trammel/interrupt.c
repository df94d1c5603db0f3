/* interrupt.c - a flag set by the signal and read between steps, and an alarm if it is not read. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "interrupt.h"
#include "report.h"
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Seconds from the signal until the flag is read, and from then on to finish files. */
enum { GRACE = 2, GRACE_FINISH = 10 };

static volatile sig_atomic_t is_asked = 0, is_polled = 0, is_answered = 0, has_json = 0;

/* The result is ignored: nothing can be done if it cannot be written. */
static void print(int descriptor, const char *text) {
  if (write(descriptor, text, strlen(text)) < 0) return;
}

const char *app_interrupt_reason(void) {
  return is_asked == SIGXCPU  ? ": the limit of CPU time is reached"
         : is_asked == SIGHUP ? ": the terminal was closed"
                              : "";
}

/* End here. A run file is complete at every moment. */
static void end_now(void) {
  print(STDERR_FILENO, "trammel: stopped on request");
  print(STDERR_FILENO, app_interrupt_reason());
  print(STDERR_FILENO, "\n");
  if (has_json != 0) {
    print(STDOUT_FILENO, "{\"status\": \"error\", \"code\": \"TRM_ERR_STOPPED\", \"message\": "
                         "\"stopped on request\", \"object\": \"\", \"time\": null, "
                         "\"step\": null}\n");
  }
  _exit(APP_EXIT_NUMERICAL);
}

static void handle(int number) {
  if (number == SIGXCPU && is_asked == SIGXCPU) return; /* comes again every second */
  /* the second signal, or before anybody asks and files exist */
  const bool is_over = is_asked != 0 || is_polled == 0;
  is_asked = number;
  if (is_over) end_now();
  alarm(GRACE);
}

static void handle_alarm(int number) {
  (void)number;
  end_now();
}

void app_interrupt_install(const app_options *options) {
  has_json = options->json;
  struct sigaction action = {.sa_handler = handle};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGXCPU, &action, NULL); /* the limit of CPU time: some seconds are left */
  struct sigaction before;
  /* with nohup the end of the terminal must not end the run */
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, NULL);
  }
  action.sa_handler = handle_alarm;
  sigaction(SIGALRM, &action, NULL);
}

void app_interrupt_keep_files(void) {
  is_polled = 1;
}

void app_interrupt_allow_limits(void) {
  signal(SIGXFSZ, SIG_IGN);
}

bool app_interrupt_asked(void *self) {
  (void)self;
  is_polled = 1;
  if (is_asked == 0) return false;
  if (is_answered == 0) alarm(GRACE_FINISH);
  is_answered = 1;
  return true;
}
