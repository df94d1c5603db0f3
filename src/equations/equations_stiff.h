/* equations_stiff.h - stiff forces of a model, for the integrator `smooth`. */
#ifndef TRMI_EQUATIONS_STIFF_H
#define TRMI_EQUATIONS_STIFF_H
#include "equations/equations_internal.h"

/* Deformations of a stiff force f = -B (K eta + C eta'): K and C are square, row by row. */
typedef struct trmi_stiff_def trmi_stiff_def;
struct trmi_stiff_def {
  int              count;
  const trmi_node *eta;    /* [count]       */
  const trmi_node *K, *C;  /* [count count] */
  const trm_label *labels; /* [count]       */
  trmi_stiff_def  *next;
};

/* Add a stiff force; its arrays live as long as the compiler. */
void trmi_add_stiff(trmi_compiler *b, const trmi_stiff_def *stiff);
/* Add the results of all of them. */
void trmi_compile_stiff(trmi_compiler *b);

#endif
