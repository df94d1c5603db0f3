/* rows.h - constraint rows between marker A on one body and marker B on another; joints are
 * lists of them (elements/joint/joint_types.c). Equations: head of rows.c.
 *
 * A link is one joint with local input and output only. Entries of blocks are written in the order
 * in which trmi_link_pattern declares them. Poses are always given: the ground has R = I and zeros,
 * a point mass R = I, w = 0. */
#ifndef TRMI_ROWS_H
#define TRMI_ROWS_H
#include "elements/body/pose.h"
#include "trammel/system.h"

/* With d = P_B - P_A, all in ground axes; a, b are axes of the markers. */
typedef enum trmi_row_kind {
  TRMI_ROW_POINT,   /* three rows: d                          same point             */
  TRMI_ROW_DOT,     /* a . b                                  perpendicular axes     */
  TRMI_ROW_TWIST,   /* 2 q_3, rows_twist.c                    constant velocity      */
  TRMI_ROW_ALONG,   /* a . d - offset                         point in a plane of A  */
  TRMI_ROW_DISTANCE /* (d . d - L^2)/(2 L)                    distance L             */
} trmi_row_kind;

/* One entry of a joint's list: axes by number, 0 x, 1 y, 2 z. */
typedef struct trmi_row {
  trmi_row_kind kind;
  int           a, b;
} trmi_row;

enum { TRMI_LINK_ROWS_MAX = 6 };

/* Spherical and revolute joints are so frequent that they have specialized code with a compile-time
 * list: a point, and a point with the axes x and y of A perpendicular to z of B. The general code
 * handles any list. */
typedef enum trmi_link_shape { TRMI_LINK_ANY, TRMI_LINK_POINT, TRMI_LINK_HINGE } trmi_link_shape;

typedef struct trmi_link {
  const trmi_row *rows; /* list of the joint's type                             */
  int       nrows;      /* entries of the list; a POINT means three rows        */
  trmi_link_shape shape; /* trmi_rows_shape of the list, or ANY                 */
  trmi_carrier_kind A, B;
  trmi_vec3 s_a, s_b;   /* points of the markers, body axes                     */
  double    E_a[9], E_b[9]; /* marker axes, body axes: axis k is row k          */
  double    offset, length; /* of ALONG and DISTANCE rows                       */
  double    m_a[4], m_b[4]; /* quaternions of the markers, of TWIST rows        */
} trmi_link;

/* Number of scalar rows of a list. */
int trmi_rows_size(const trmi_row *rows, int nrows);
trmi_link_shape trmi_rows_shape(const trmi_row *rows, int nrows);

/* Position of the link's numbers in the lists of the system: first multiplier, first velocity of
 * each body (any number for the ground). */
typedef struct trmi_link_place {
  int row, v_A, v_B;
} trmi_link_place;

/* Declare the entries of one of the blocks G, GV_Q, GB_Q, GB_V, GY_Q; others have none.
 * @return their number; p may be NULL to count only, then also `at` */
int trmi_link_pattern(const trmi_link *link, trm_pattern *p, trm_block block,
                      const trmi_link_place *at);

/* Rows and columns of the entries of such a block, in their order, into lists with room for them.
 * @return their number */
int trmi_link_entries(const trmi_link *link, trm_block block, const trmi_link_place *at, int *row,
                      int *col);

/* Rows at one instant, in lists of the system; NULL lists are omitted, rows of others are
 * overwritten. With multipliers lam, NULL: without, G^T lam is added to the motion of each body. */
typedef struct trmi_link_values {
  double       *g, *g_rate, *g_bias;
  const double *lam;
  double       *motion_A, *motion_B;
} trmi_link_values;

void trmi_link_evaluate(const trmi_link *link, const trmi_link_place *at, const trmi_pose *A,
                        const trmi_pose *B, const trmi_link_values *out);

/* Only the motion, with the first numbers of the link; NULL for the ground. */
void trmi_link_force(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                     const double *lam, double *motion_A, double *motion_B);

/* Force and torque of the rows on B at its marker, ground axes: those of -G^T lam; NULL:
 * omitted. */
void trmi_link_reaction(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                        const double *lam, trmi_vec3 *force, trmi_vec3 *torque);

/* Destination of the entries of blocks; NULL: not requested. */
typedef struct trmi_link_blocks {
  double       *G, *GV_Q, *GB_Q, *GB_V, *GY_Q;
  const double *y; /* vector of GY_Q [size] */
  bool          is_strong; /* entries between modes need not be written */
} trmi_link_blocks;

void trmi_link_fill(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                    const trmi_link_blocks *out);

/* --- branch.c --- */

/* How the rows of a list constrain the axes of the markers: not, z along z, or all three. */
typedef enum trmi_held { TRMI_HOLDS_NONE, TRMI_HOLDS_Z, TRMI_HOLDS_ALL } trmi_held;
trmi_held trmi_rows_hold(const trmi_row *rows, int nrows);

/* Are the markers in the second solution of the rows, half a turn away from the intended one? p_A
 * and p_B are quaternions of the bodies, NULL: identity. */
bool trmi_link_is_flipped(const trmi_link *link, trmi_held held, const double *p_A,
                          const double *p_B);

#endif
