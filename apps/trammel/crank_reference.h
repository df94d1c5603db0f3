/* crank_reference.h - end values of the slider crank at 0.1 s, good to all digits of a
 * double: five cases of problem 19 of the IVP test set, [CRANK]. */
#ifndef APP_CRANK_REFERENCE_H
#define APP_CRANK_REFERENCE_H
#include <stdbool.h>

enum { APP_CRANK_NV = 7, APP_CRANK_NG = 3 };

typedef struct app_crank_reference {
  const char *pi; /* "exact", "3.1415927": value in the formulas  */
  bool is_nonlinear, is_damped, is_rigid; /* is_rigid: the start  */
  double q[APP_CRANK_NV], v[APP_CRANK_NV], vd[APP_CRANK_NV], lam[APP_CRANK_NG];
} app_crank_reference;

/* Fills in a case for starts that satisfy the constraints; false if it is not known. */
bool app_crank_reference_find(const char *pi, bool is_nonlinear, bool is_damped, bool is_rigid,
                              app_crank_reference *reference);

#endif
