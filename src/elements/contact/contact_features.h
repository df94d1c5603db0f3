/* contact_features.h - corners and edges of surfaces of triangles that touch other shapes, found
 * one by one, since there are too many to have a place for each. Head of contact_features.c. */
#ifndef TRMI_CONTACT_FEATURES_H
#define TRMI_CONTACT_FEATURES_H
#include "elements/contact/contact_shape.h"

typedef enum trmi_feature_kind {
  TRMI_FEATURE_ALL,    /* all points of a pair without surfaces       */
  TRMI_FEATURE_FOOT_0, /* corner i of shape 0, patch k of shape 1; of a hollow arc: edge k */
  TRMI_FEATURE_FOOT_1, /* corner i of shape 1, patch k of shape 0; the same                */
  TRMI_FEATURE_EDGES   /* edge i of shape 0, edge k of shape 1        */
} trmi_feature_kind;

typedef struct trmi_contact_feature {
  int which, i, k; /* which: trmi_feature_kind */
} trmi_contact_feature;

/* Is one shape a surface, so that features are found one by one? */
bool trmi_features_are_single(const trmi_contact_shape *const pair[2]);

/* May they touch at all? `are_sharp`: no, because edges of both have no radius. */
bool trmi_features_fit(const trmi_contact_shape *const pair[2], bool *are_sharp);

/* Number of corners of both shapes, and of pairs of their edges or as many. */
double trmi_features_count(const trmi_contact_shape *const pair[2]);

/* Points of a feature. @return their number, at most TRMI_PAIR_POINTS */
int trmi_feature_points(const trmi_contact_shape *const pair[2], const int bodies[2],
                        trmi_contact_feature f, trmi_touch_point points[TRMI_PAIR_POINTS]);

/* All features of a pair with gaps below `within`. */
typedef struct trmi_feature_search {
  const trmi_contact_shape *pair[2];
  int                       bodies[2];
  const trmi_pose          *poses;
  double                    within;
  bool                    (*note)(void *self, trmi_contact_feature f);
  void                     *self;
} trmi_feature_search;

/* @return false: `note` did */
bool trmi_features_near(const trmi_feature_search *s);

#endif
