/* joint_pose.c - the pose and motion of marker B relative to marker A from coordinates of their
 * joint.
 *
 * P has the axes of B in those of A, P_ij = a_i . b_j, and d leads from A to B, axes of A. With the
 * coordinates as joint_types.c defines them:
 *   a displacement along axis a is d_a                                                     (1)
 *   angle               P = R_z(phi - phi_0) P_0,  w = phi' z_A                            (2)
 *   angle1 .. angle3    P = R_x(phi_1) R_y(phi_2) R_z(phi_3),
 *                       w = phi_1' x + R_x (phi_2' y + R_y phi_3' z)                       (3)
 *   angle1, angle2 of arms of a cross, X = [z, -y, x]:
 *                       P = R_z(phi_1) X R_z(phi_2),  w = phi_1' z_A + phi_2' z_B          (4)
 * In a screw the displacement follows the angle: d_z changes by pitch (phi - phi_0)/2 pi    (5) */
#include "elements/joint/joint_pose.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Matrix of a rotation by an angle about axis 0 x, 1 y, 2 z. */
static void turn(int axis, double angle, double R[9]) {
  const int i = (axis + 1) % 3, k = (axis + 2) % 3;
  const double c = cos(angle), s = sin(angle);
  memset(R, 0, 9 * sizeof *R);
  R[4 * axis] = 1.0;
  R[4 * i] = R[4 * k] = c;
  R[3 * i + k] = -s;
  R[3 * k + i] = s;
}

static double given_or(double number, double otherwise) {
  return isnan(number) ? otherwise : number;
}

/* (2); the change of the angle */
static double set_hinge(double start, double rate, trmi_relative_pose *pose) {
  const double now = atan2(pose->P[3], pose->P[0]), change = given_or(start, now) - now;
  double R[9], P[9];
  turn(2, change, R);
  memcpy(P, pose->P, sizeof P);
  if (change != 0.0) m3_mm(R, P, pose->P);
  pose->w.z = given_or(rate, 0.0);
  return change;
}

/* (3) */
static void set_angles(const double *start, const double *rate, trmi_relative_pose *pose) {
  const double *P = pose->P;
  const double phi[3] = {given_or(start[0], atan2(-P[5], P[8])),
                         given_or(start[1], atan2(P[2], sqrt(P[5] * P[5] + P[8] * P[8]))),
                         given_or(start[2], atan2(-P[1], P[0]))};
  double X[9], Y[9], Z[9], XY[9];
  turn(0, phi[0], X);
  turn(1, phi[1], Y);
  turn(2, phi[2], Z);
  m3_mm(X, Y, XY);
  m3_mm(XY, Z, pose->P);
  pose->w = v3(given_or(rate[0], 0.0), 0, 0);
  pose->w = v3_add(pose->w, v3_scale(given_or(rate[1], 0.0), m3_column(X, 1)));
  pose->w = v3_add(pose->w, v3_scale(given_or(rate[2], 0.0), m3_column(XY, 2)));
}

/* (4) */
static void set_arms(const double *start, const double *rate, trmi_relative_pose *pose) {
  static const double X[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0};
  const double *P = pose->P;
  double first[9], second[9], product[9];
  turn(2, given_or(start[0], atan2(P[5], P[2])), first);
  turn(2, given_or(start[1], atan2(-P[7], P[6])), second);
  m3_mm(first, X, product);
  m3_mm(product, second, pose->P);
  pose->w = v3_add(v3(0, 0, given_or(rate[0], 0.0)),
                   v3_scale(given_or(rate[1], 0.0), m3_column(pose->P, 2)));
}

static bool is_slide(const trmi_coordinate *c) {
  return c->kind == TRMI_DISPLACEMENT;
}

/* Index of the first of several angles, or -1. */
static int first_angle(const trmi_joint_type *type) {
  return trmi_coordinate_named(type, "angle1");
}

bool trmi_joint_has_pose(const trmi_joint_type *type) {
  const int count = trmi_coordinate_count(type), first = first_angle(type);
  const bool has_three = trmi_coordinate_named(type, "angle3") >= 0;
  for (int k = 0; k < count; k++) {
    const trmi_coordinate *c = &type->coordinates[k];
    const bool is_angle = first >= 0 && k >= first;
    if (!is_slide(c) && !trmi_coordinate_is_hinge(c) && !is_angle) return false;
    if (is_angle && c->kind == TRMI_ELEVATION && !has_three) return false;
  }
  return count > 0;
}

static void set_slide(double *d, double start, double *d_rate, double rate) {
  *d = given_or(start, *d);
  *d_rate = given_or(rate, 0.0);
}

void trmi_joint_pose(const trmi_joint *j, const double *start, const double *rate,
                     trmi_relative_pose *pose) {
  const trmi_joint_type *type = j->type;
  const int count = trmi_coordinate_count(type), first = first_angle(type);
  double d[3], d_rate[3] = {0, 0, 0}, change = 0.0;
  v3_store(d, pose->d);
  pose->w = v3(0, 0, 0);
  bool has_slide = false;
  for (int k = 0; k < count; k++) {
    const trmi_coordinate *c = &type->coordinates[k];
    if (is_slide(c)) {
      set_slide(&d[c->a], start[k], &d_rate[c->a], rate[k]); /* (1) */
      has_slide = has_slide || !isnan(start[k]);
    } else if (trmi_coordinate_is_hinge(c)) {
      change = set_hinge(start[k], rate[k], pose);
    }
  }
  if (type->is_tied) { /* (5) */
    const double slope = trmi_part_number(j->def, "pitch") / (2.0 * pi);
    if (!has_slide) d[2] += slope * change;
    d_rate[2] = slope * pose->w.z;
  }
  if (first >= 0 && trmi_coordinate_named(type, "angle3") >= 0) {
    set_angles(start + first, rate + first, pose);
  } else if (first >= 0) {
    set_arms(start + first, rate + first, pose);
  }
  pose->d = v3_load(d);
  pose->d_rate = v3_load(d_rate);
}
