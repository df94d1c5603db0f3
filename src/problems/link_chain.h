/* link_chain.h - a serial chain of equal rigid bodies; what chain, double-pendulum
 * (quaternions) and heavy-top share. Equations: head of link_chain.c. */
#ifndef TRMI_LINK_CHAIN_H
#define TRMI_LINK_CHAIN_H
#include "math/vec.h"
#include "problems/problem.h"

/* Body i hangs by joint i from body i-1, the first one from the origin. */
typedef struct trmi_link_chain {
  trmi_arena arena;
  int nbody;
  int rows;                 /* of a joint: 3 spherical, 5 revolute about y         */
  int noutputs;             /* 3: position of the far end of the last body; or 0   */
  double mass;              /* of a body                                 [kg]     */
  trmi_vec3 J;              /* principal inertias about the centre       [kg m^2] */
  trmi_vec3 near_b;         /* joint to the body before, in body axes    [m]      */
  trmi_vec3 far_b;          /* joint to the body behind                  [m]      */
  trmi_vec3 gravity;        /*                                           [m/s^2]  */
  const char *body, *joint; /* names, "link" and "pin"                         */
  bool is_numbered;         /* "link1", "link2"                                */
} trmi_link_chain;

/* Functions for trm_system_ops; self is a trmi_link_chain. */
void trmi_link_chain_sizes(const void *self, trm_sizes *n);
int trmi_link_chain_rotation(const void *self, int i);
void trmi_link_chain_label(const void *self, trm_quantity list, int i, trm_label *label);
void trmi_link_chain_patterns(const void *self, trm_pattern *p);
trm_status trmi_link_chain_values(void *self, const trm_state *s, const trm_values *out,
                                  trm_error *err);
trm_status trmi_link_chain_blocks(void *self, const trm_state *s, const trm_block_request *request,
                             trm_error *err);

/* All of them, with a name and a function that places the bodies at the start. */
#define TRMI_LINK_CHAIN_OPS(called, place)                                                         \
  {                                                                                                \
    .name = (called), .sizes = trmi_link_chain_sizes, .rotation = trmi_link_chain_rotation,        \
    .label = trmi_link_chain_label, .patterns = trmi_link_chain_patterns, .start = (place),        \
    .values = trmi_link_chain_values, .has_power = trmi_problem_without_power,                     \
    .gives_rates = true, .blocks = trmi_link_chain_blocks, .shares_self = true,                    \
    .free = trmi_problem_free,                                                                     \
  }

/* Place body i at the start: orientation and rates are given, position and
 * velocity follow from the joints. Bodies in order, from 0. */
void trmi_link_chain_place(const trmi_link_chain *links, int i, const double p[4], trmi_vec3 w_b,
                      trm_state *s);

#endif
