/** @file
 * Parts of a mechanism as plain structs: one for each kind of body, marker, shape, joint, motion,
 * force, beam, flexible body, contact, of typed equations, tables, inputs and outputs:
 * trm_body_def, trm_revolute_def, trm_coordinate_def .. Their members and meanings are given by the
 * lists of trammel/part_fields.h, trammel/shape_fields.h, trammel/beam_fields.h,
 * trammel/contact_fields.h, trammel/flexible_fields.h and trammel/equation_fields.h.
 *
 * A number that is NaN, a text that is NULL and a count of zero are not given. Lists that may have
 * several lengths end where NaN begins. */
#ifndef TRM_PARTS_H
#define TRM_PARTS_H
#include "trammel/beam_fields.h"
#include "trammel/contact_fields.h"
#include "trammel/equation_fields.h"
#include "trammel/flexible_fields.h"
#include "trammel/shape_fields.h"

/** Most texts of a list without a fixed number of them. */
#define TRM_TEXTS_MAX 64

/** A member of a struct, by its store. */
#define TRM_STORE_D1(member) double member;
#define TRM_STORE_D3(member) double member[3];
#define TRM_STORE_D4(member) double member[4];
#define TRM_STORE_D6(member) double member[6];
#define TRM_STORE_D36(member) double member[36];
#define TRM_STORE_D144(member) double member[144];
#define TRM_STORE_INT(member) int member;
#define TRM_STORE_T1(member) const char *member;
#define TRM_STORE_T2(member) const char *member[2];
#define TRM_STORE_T3(member) const char *member[3];
#define TRM_STORE_T64(member) const char *member[TRM_TEXTS_MAX];
#define TRM_STORE_LIST(member) trm_numbers member;
#define TRM_STORE_GROUP(member)
#define TRM_STORE_PARTS(member)
#define TRM_MEMBER(S, STORE, member, ...) TRM_STORE_##STORE(member)
#define TRM_DEFINE(name, LIST, type, meaning)                                                      \
  typedef struct trm_##name##_def {                                                                \
    TRM_FIELDS_##LIST(TRM_MEMBER, )                                                                \
  } trm_##name##_def;

/** All of them. */
TRM_KINDS_OF_BODIES(TRM_DEFINE)
TRM_KINDS_OF_MARKERS(TRM_DEFINE)
TRM_KINDS_OF_SHAPES(TRM_DEFINE)
TRM_KINDS_OF_JOINTS(TRM_DEFINE)
TRM_KINDS_OF_MOTIONS(TRM_DEFINE)
TRM_KINDS_OF_FORCES(TRM_DEFINE)
TRM_KINDS_OF_BEAMS(TRM_DEFINE)
TRM_KINDS_OF_FLEXIBLE(TRM_DEFINE)
TRM_KINDS_OF_INTERFACES(TRM_DEFINE)
TRM_KINDS_OF_MATERIALS(TRM_DEFINE)
TRM_KINDS_OF_BODY_LOADS(TRM_DEFINE)
TRM_KINDS_OF_CONTACTS(TRM_DEFINE)
TRM_KINDS_OF_GROUPS(TRM_DEFINE)
TRM_KINDS_OF_WORLDS(TRM_DEFINE)
TRM_KINDS_OF_ENERGIES(TRM_DEFINE)
TRM_KINDS_OF_COORDINATES(TRM_DEFINE)
TRM_KINDS_OF_STATES(TRM_DEFINE)
TRM_KINDS_OF_VARIABLES(TRM_DEFINE)
TRM_KINDS_OF_DISCRETE(TRM_DEFINE)
TRM_KINDS_OF_INPUTS(TRM_DEFINE)
TRM_KINDS_OF_MASSES(TRM_DEFINE)
TRM_KINDS_OF_COORDINATE_FORCES(TRM_DEFINE)
TRM_KINDS_OF_HOLONOMIC(TRM_DEFINE)
TRM_KINDS_OF_NONHOLONOMIC(TRM_DEFINE)
TRM_KINDS_OF_EVENTS(TRM_DEFINE)
TRM_KINDS_OF_ASSIGNMENTS(TRM_DEFINE)
TRM_KINDS_OF_OUTPUTS(TRM_DEFINE)
TRM_KINDS_OF_DRAWN(TRM_DEFINE)
TRM_KINDS_OF_TABLES(TRM_DEFINE)

#endif
