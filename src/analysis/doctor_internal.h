/* doctor_internal.h - inside of the doctor, shared by its files. */
#ifndef TRMI_DOCTOR_INTERNAL_H
#define TRMI_DOCTOR_INTERNAL_H
#include "core/compiler.h"
#include "integ/driver.h"
#include "trammel/doctor.h"

enum { TRMI_WARNINGS_MAX = 12 };

typedef struct trmi_doctor {
  trm_doctor  out;   /* first: what the caller sees is the whole */
  trm_sim    *sim;
  const trm_state *state; /* the assembled start */
  trmi_arena  arena;
  trm_doctor_joint *joints;
  int        *joint_of; /* number of a row's joint, -1: not among them    [rows] */
  trm_doctor_set   *sets;
  const char *warnings[TRMI_WARNINGS_MAX];
} trmi_doctor;

/* One more sentence; those beyond TRMI_WARNINGS_MAX are dropped. */
void trmi_doctor_warn(trmi_doctor *d, const char *fmt, ...) TRMI_PRINTF(2, 3);

/* doctor_sets.c: dependent sets of joints, and what to relax, from relations among rows that
 * have a joint. */
trm_status trmi_doctor_find_sets(trmi_doctor *d, const trmi_relations *relations,
                                 trm_doctor_set **sets, int *nsets, trm_error *err);

/* doctor_pose.c: is the start a singular pose? Hints are then about rows that stay dependent next
 * to it. */
trm_status trmi_doctor_test_pose(trmi_doctor *d, trm_error *err);

/* doctor_scales.c: directions without mass, units that look wrong. */
trm_status trmi_doctor_weigh(trmi_doctor *d, trm_error *err);

/* doctor_bodies.c: mass properties, bodies that hang on nothing. */
trm_status trmi_doctor_inspect(trmi_doctor *d, trm_error *err);

/* doctor_advice.c: frequencies, and which method a run begins with. */
trm_status trmi_doctor_listen(trmi_doctor *d, trm_error *err);
trm_status trmi_doctor_recommend(trmi_doctor *d, trm_error *err);

#endif
