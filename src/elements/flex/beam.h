/* beam.h - geometrically exact beam element with 2, 3 or 4 nodes: internal force,
 * tangents, mass, loads, section forces. Pure functions on gathered nodes, no
 * allocation. Equations: heads of beam.c, beam_setup.c, beam_load.c, beam_stress.c; theory:
 * docs/theory/10-beam.md.
 *
 * Node i has q = (x_n, p): position and unit quaternion of the section at the node,
 * v = (xdot_n, w): w in body axes, that is in axes of the section; increments
 * (dx_n, dtheta) likewise. Forces are in axes of the ground, moments in body axes.
 * Vectors of an element have 6 numbers a node, matrices are (6 n) x (6 n), row major.
 *
 * Use: fill a trmi_beam_section, call trmi_beam_setup once per element with the nodes
 * of the reference configuration, then the other functions in any order. */
#ifndef TRMI_BEAM_H
#define TRMI_BEAM_H
#include "trammel/status.h"

enum { TRMI_BEAM_NODES = 4, TRMI_BEAM_POINTS = 3, TRMI_BEAM_SIZE = 6 * TRMI_BEAM_NODES };

/* Properties of a section, per length. Strains and stresses are (Gamma, kappa) and
 * (force, moment) in axes of the section. */
typedef struct trmi_beam_section {
  double D[36];   /* stress over strain, symmetric                     [N, N m, N m^2] */
  double J[9];    /* rotary inertia about the node line, symmetric     [kg m]          */
  double mass;    /*                                                   [kg/m]          */
  double damping; /* beta: stress = D (strain + beta d/dt strain)      [s]             */
} trmi_beam_section;

/* Shape functions at one point of the element, per arclength of the reference. */
typedef struct trmi_beam_shape {
  double N[TRMI_BEAM_NODES], dN[TRMI_BEAM_NODES];
  double ds; /* length that this integration point represents [m]  */
} trmi_beam_shape;

/* One element, written by trmi_beam_setup. */
typedef struct trmi_beam {
  const trmi_beam_section *section;            /* not owned                       */
  int n;                                       /* nodes, 2 to 4                   */
  double length;                               /* of the reference line [m]       */
  trmi_beam_shape point[TRMI_BEAM_POINTS];     /* n - 1 Gauss points           */
  double strain0[TRMI_BEAM_POINTS][6];         /* (Gamma, kappa) of the reference */
  double share[TRMI_BEAM_NODES];               /* integrals of N_i            [m] */
  /* Mass of translation between nodes i and j, the same in all directions [kg] */
  double mass[TRMI_BEAM_NODES][TRMI_BEAM_NODES];
} trmi_beam;

/* State of the nodes: pointers to the numbers of each node. */
typedef struct trmi_beam_state {
  const double *q[TRMI_BEAM_NODES]; /* (x_n, p), 7 numbers                              */
  const double *v[TRMI_BEAM_NODES]; /* (xdot_n, w), 6 numbers; v[0] NULL: all at rest   */
} trmi_beam_state;

/* Results of trmi_beam_internal; arrays that are NULL are omitted. */
typedef struct trmi_beam_out {
  double *f;          /* internal force, on the left of the equations of motion  [6 n]  */
  double *K;          /* df along the increments                            [6 n x 6 n] */
  double *C;          /* df over v                                          [6 n x 6 n] */
  double energy;      /* stored                                                     [J] */
  double dissipation; /* power lost by damping                                      [W] */
} trmi_beam_out;

/* Loads per length of the reference, constant along the element. */
typedef struct trmi_beam_loads {
  double dead_force[3];      /* axes of the ground  [N/m] */
  double follower_force[3];  /* axes of the section [N/m] */
  double dead_moment[3];     /* axes of the ground  [N]   */
  double follower_moment[3]; /* axes of the section [N]   */
} trmi_beam_loads;

/* Prepare an element with n nodes at q[0] .. q[n - 1], (x_n, p) each, stress-free there. `section`
 * is referenced, not copied. TRM_ERR_INPUT: n, nodes that coincide, or sections that turn by nearly
 * half a turn from node to node. */
TRM_CHECKED trm_status trmi_beam_setup(trmi_beam *beam, int n, const double *const q[],
                                       const trmi_beam_section *section, trm_error *err);

/* Internal force and its tangents. TRM_RETRY_DOMAIN: the sections turn by nearly half a
 * turn from node to node, the mesh is far too coarse for this pose; nothing is written
 * then. The same status and reason hold for the other functions below. */
TRM_CHECKED trm_status trmi_beam_internal(const trmi_beam *beam, const trmi_beam_state *at,
                                          trmi_beam_out *out);

/* Adds the force of the loads to Q (on the right of the equations of motion) and its
 * tangent along the increments to Q_q (may be NULL). */
TRM_CHECKED trm_status trmi_beam_load(const trmi_beam *beam, const trmi_beam_state *at,
                                      const trmi_beam_loads *loads, double *Q, double *Q_q);

/* Section force and moment, in axes of the section, at each of the n - 1 Gauss points;
 * trmi_beam_point_place gives their positions. */
TRM_CHECKED trm_status trmi_beam_stress(const trmi_beam *beam, const trmi_beam_state *at,
                                        double stress[][6]);

/* The same in the middle of a moving element; by_q and by_v (6 x 6 n, both or none): derivatives
 * along increments and over v. */
TRM_CHECKED trm_status trmi_beam_middle(const trmi_beam *beam, const trmi_beam_state *at,
                                        double stress[6], double *by_q, double *by_v);

/* Strains (Gamma, kappa) relative to the reference at each of the n - 1 Gauss points, e [6 (n -
 * 1)], and their derivatives along increments, by_q [6 (n - 1) x 6 n], which may be NULL. */
TRM_CHECKED trm_status trmi_beam_strains(const trmi_beam *beam, const trmi_beam_state *at,
                                         double *e, double *by_q);

/* xi of point g of an element with n nodes, 0 .. 1 over the nodes. */
double trmi_beam_point_place(int n, int g);

/* Position and unit quaternion of the section at xi, 0 .. 1 over the nodes. */
TRM_CHECKED trm_status trmi_beam_at(const trmi_beam *beam, const trmi_beam_state *at, double xi,
                                    double x_n[3], double p[4]);

#endif
