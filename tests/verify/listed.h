/* listed.h - figures of the alpha-method that several tests compare with. */
#ifndef TRM_TEST_LISTED_H
#define TRM_TEST_LISTED_H

/* unit-pendulum, N = 320 steps to t = 2: errors at the end of the forms of the alpha paper. The
 * multiplier belongs to g = x^2 + y^2 - 1, ours to half of it, so ours counts half. */
static const struct {
  double rho, q, v, lam;
} listed[] = {{1.0, 1.21e-5, 2.68e-5, 2.98e-5},
              {0.75, 1.33e-5, 2.98e-5, 3.34e-5},
              {0.5, 1.84e-5, 4.31e-5, 4.92e-5},
              {0.0, 6.75e-5, 1.72e-4, 2.04e-4}};
enum { LISTED = sizeof listed / sizeof *listed };

#endif
