/* doctor_internal.h - internals of the doctor, shared by its files. */
#ifndef TRMI_DOCTOR_INTERNAL_H
#define TRMI_DOCTOR_INTERNAL_H
#include "core/compiler.h"
#include "integ/driver.h"
#include "trammel/doctor.h"

enum { TRMI_WARNINGS_MAX = 12 };

typedef struct trmi_doctor {
  trm_doctor  out;   /* first member: the caller's pointer is that of the whole */
  trm_sim    *sim;
  const trm_state *state; /* the assembled start */
  trmi_arena  arena;
  trm_doctor_joint *joints;
  int        *joint_of; /* number of a row's joint, -1: not among them    [rows] */
  trm_doctor_set   *sets;
  const char *warnings[TRMI_WARNINGS_MAX];
} trmi_doctor;

/* Add a sentence; those beyond TRMI_WARNINGS_MAX are dropped. */
void trmi_doctor_warn(trmi_doctor *d, const char *fmt, ...) TRMI_PRINTF(2, 3);

/* doctor_sets.c: dependent sets of joints, and rows to release, from relations among rows of
 * joints. */
trm_status trmi_doctor_find_sets(trmi_doctor *d, const trmi_relations *relations,
                                 trm_doctor_set **sets, int *nsets, trm_error *err);

/* doctor_pose.c: is the start a singular pose? Hints then concern rows that remain dependent near
 * it. */
trm_status trmi_doctor_test_pose(trmi_doctor *d, trm_error *err);

/* doctor_scales.c: massless directions, doubtful units. */
trm_status trmi_doctor_weigh(trmi_doctor *d, trm_error *err);

/* doctor_bodies.c: mass properties, unconnected bodies. */
trm_status trmi_doctor_inspect(trmi_doctor *d, trm_error *err);

/* doctor_advice.c: frequencies, and the method with which a run begins. */
trm_status trmi_doctor_listen(trmi_doctor *d, trm_error *err);
trm_status trmi_doctor_recommend(trmi_doctor *d, trm_error *err);

#endif
