/* equations_derive.c - derives all equations for integrators from energies, forces and constraints.
 *
 * With p_i = dT/dv_i Lagrange's equations d/dt p_i - dT/dq_i + dV/dq_i + G^T lam + A^T mu = f_i
 * become, because T is quadratic in v,
 *   M_ij = dp_i/dv_j                                                          (1)
 *   Q_i  = f_i + dT/dq_i - dV/dq_i - sum_j dp_i/dq_j v_j - dp_i/dt            (2)
 * Rows of constraints, with D the derivative along the motion, D y = sum_j dy/dq_j v_j + dy/dt:
 *   g_rate = D g,   g_bias = D g_rate,   a_rate as typed,   a_bias = D a_rate (3)
 * Every block is a gradient of one of these; M and G are computed once and used by all.
 * Derivatives by q are with respect to retract increments: for a quaternion p
 *   dy/dtheta_k = sum_i dy/dp_i (p o e_k)_i / 2                                (4)
 * Velocities of a rotation are w in body axes, not derivatives of coordinates: with p its three
 * momenta dT/dw the right side has an additional term
 *   - w x p                                                                    (5)
 * as in Euler's equations. */
#include "expr/vector.h"
#include "equations/equations_internal.h"
#include "equations/equations_quantities.h"
#include <stdio.h>

void trmi_add_entry(trmi_compiler *b, int group, int row, int col, trmi_node node) {
  trmi_entries *e = &b->entries;
  if (e->count >= b->graph.limit) b->graph.failed = b->graph.is_too_large = true;
  if (b->graph.failed) return;
  if (e->count == e->size) {
    const int size = e->size == 0 ? 256 : 2 * e->size;
    trmi_entry *list = TRMI_TAKE(&b->scratch, trmi_entry, size);
    if (list == NULL) return;
    for (int i = 0; i < e->count; i++) list[i] = e->list[i];
    e->list = list, e->size = size;
  }
  e->list[e->count++] = (trmi_entry){.node = node, .group = group, .row = row, .col = col};
}

static void add_block(trmi_compiler *b, trm_block block, int row, int col, trmi_node node) {
  if (node != 0) trmi_add_entry(b, TRMI_RESULT_BLOCKS + (int)block, row, col, node);
}

/* The block for the derivative of a row with respect to a list of symbols. */
typedef struct derivative {
  trmi_input list;
  trm_block  block;
  bool       is_negative;
} derivative;

static void add_column(trmi_compiler *b, int col, trmi_node value) {
  if (value == 0) return;
  if (b->ncolumns == b->columns_size) {
    const int size = b->columns_size == 0 ? 64 : 2 * b->columns_size;
    trmi_derivative *list = TRMI_TAKE(&b->scratch, trmi_derivative, size);
    if (list == NULL) return;
    for (int i = 0; i < b->ncolumns; i++) list[i] = b->columns[i];
    b->columns = list, b->columns_size = size;
  }
  b->columns[b->ncolumns++] = (trmi_derivative){.col = col, .value = value};
}

/* Three columns from the derivatives by the parts of a quaternion, (4). */
static void add_rotation(trmi_compiler *b, int col, trmi_node first, const trmi_node f[4]) {
  static const int part[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}; /* of p o e_k */
  static const double half[3][4] = {{-.5, .5, .5, -.5}, {-.5, -.5, .5, .5}, {-.5, .5, -.5, .5}};
  trmi_graph *g = &b->graph;
  for (int k = 0; k < 3; k++) {
    trmi_node sum = 0;
    for (int i = 0; i < 4; i++) {
      if (f[i] == 0) continue;
      const trmi_node p = trmi_mul(g, trmi_constant(g, half[k][i]), first + part[k][i]);
      sum = trmi_add(g, sum, trmi_mul(g, p, f[i]));
    }
    add_column(b, col + k, sum);
  }
}

/* The columns of a list by a number of another contributor. */
static void add_quantity(trmi_compiler *b, trmi_input list, trmi_partial partial) {
  trmi_quantity_column column;
  for (int c = 0; trmi_quantity_next(b, partial.symbol, &c, &column);) {
    if (column.by.list != list) continue;
    add_column(b, column.by.col, trmi_mul(&b->graph, partial.value, column.value));
  }
}

/* Columns in ascending order, each once. */
static void merge_columns(trmi_compiler *b) {
  int count = 0;
  for (int k = 1; k < b->ncolumns; k++) { /* almost sorted */
    const trmi_derivative moved = b->columns[k];
    int i = k;
    for (; i > 0 && b->columns[i - 1].col > moved.col; i--) b->columns[i] = b->columns[i - 1];
    b->columns[i] = moved;
  }
  for (int k = 0; k < b->ncolumns; k++) {
    const trmi_derivative c = b->columns[k];
    if (count > 0 && b->columns[count - 1].col == c.col) {
      trmi_node *sum = &b->columns[count - 1].value;
      *sum = trmi_add(&b->graph, *sum, c.value);
    } else {
      b->columns[count++] = c;
    }
  }
  b->ncolumns = count;
}

/* The columns of a list from the last gradient; `along`: without numbers of other contributors
 * whose rates are known. */
static void collect(trmi_compiler *b, trmi_input list, bool along) {
  bool is_mixed = false;
  trmi_node unused;
  b->ncolumns = 0;
  for (int k = 0; k < b->walk.npartials; k++) {
    const trmi_partial partial = b->walk.partials[k];
    if (trmi_input_of(b, partial.symbol) == TRMI_IN_LOAD) {
      if (along && trmi_quantity_has_rate(b, partial.symbol, &unused)) continue;
      is_mixed = true;
      add_quantity(b, list, partial);
      continue;
    }
    if (trmi_input_of(b, partial.symbol) != list) continue;
    const int i = trmi_index_of(b, partial.symbol);
    if (list != TRMI_IN_Q || b->place_of_q[i].part == 0) {
      add_column(b, list == TRMI_IN_Q ? b->place_of_q[i].v : i, partial.value);
      continue;
    }
    const trmi_node first = partial.symbol - (b->place_of_q[i].part - 1);
    trmi_node f[4] = {0};
    for (; k < b->walk.npartials && b->walk.partials[k].symbol < first + 4; k++) {
      f[b->walk.partials[k].symbol - first] = b->walk.partials[k].value;
    }
    k--;
    add_rotation(b, b->place_of_q[i].v, first, f);
  }
  if (is_mixed) merge_columns(b);
}

void trmi_columns_of(trmi_compiler *b, trmi_node y, trmi_input list) {
  trmi_gradient(&b->walk, y);
  collect(b, list, false);
}

/* Put the gradient of one row into blocks. */
static void add_row(trmi_compiler *b, trmi_node node, int row, const derivative *derivatives,
                    int count) {
  if (node == 0) return;
  trmi_gradient(&b->walk, node);
  for (int i = 0; i < count; i++) {
    collect(b, derivatives[i].list, false);
    for (int k = 0; k < b->ncolumns; k++) {
      const trmi_derivative c = b->columns[k];
      add_block(b, derivatives[i].block, row, c.col,
                derivatives[i].is_negative ? trmi_neg(&b->graph, c.value) : c.value);
    }
  }
}

/* The call itself contains the derivatives. */
#define ADD_ROW(b, node, row, ...)                                   \
  add_row((b), (node), (row), (const derivative[]){__VA_ARGS__},     \
          (int)(sizeof((const derivative[]){__VA_ARGS__}) / sizeof(derivative)))

trmi_node trmi_rate_of(trmi_compiler *b, trmi_node y, const trmi_input rates[TRMI_INPUT_LISTS]) {
  trmi_graph *g = &b->graph;
  trmi_node sum = 0;
  trmi_gradient(&b->walk, y);
  for (int k = 0; k < b->walk.npartials; k++) {
    const trmi_partial partial = b->walk.partials[k];
    trmi_node rate;
    if (!trmi_quantity_has_rate(b, partial.symbol, &rate)) continue;
    sum = trmi_add(g, sum, trmi_mul(g, partial.value, rate));
  }
  for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
    if (list != TRMI_IN_TIME && rates[list] == TRMI_IN_TIME) continue;
    collect(b, (trmi_input)list, true);
    for (int k = 0; k < b->ncolumns; k++) {
      const trmi_derivative c = b->columns[k];
      const trmi_node rate = list == TRMI_IN_TIME ? trmi_constant(g, 1.0)
                                                  : trmi_input_node(b, rates[list], c.col);
      sum = trmi_add(g, sum, trmi_mul(g, c.value, rate));
    }
  }
  return sum;
}

/* D y of (3); velocities of followers change by their bias even without acceleration. */
static trmi_node along_motion(trmi_compiler *b, trmi_node y) {
  static const trmi_input rates[TRMI_INPUT_LISTS] = {[TRMI_IN_Q] = TRMI_IN_V};
  const int nv = b->eq->n.nv;
  trmi_node sum = trmi_rate_of(b, y, rates);
  if (b->nv_all == nv) return sum;
  trmi_columns_of(b, y, TRMI_IN_V);
  for (int k = 0; k < b->ncolumns; k++) {
    const trmi_derivative c = b->columns[k];
    if (c.col < nv) continue;
    const trmi_node bias = trmi_input_node(b, TRMI_IN_BIAS, c.col - nv);
    sum = trmi_add(&b->graph, sum, trmi_mul(&b->graph, c.value, bias));
  }
  return sum;
}

/* rows[column] += sign * derivative of node */
static void add_gradient(trmi_compiler *b, trmi_node node, trmi_input list, double sign,
                         trmi_node *rows) {
  trmi_columns_of(b, node, list);
  for (int k = 0; k < b->ncolumns; k++) {
    const trmi_derivative c = b->columns[k];
    rows[c.col] = sign < 0.0 ? trmi_sub(&b->graph, rows[c.col], c.value)
                             : trmi_add(&b->graph, rows[c.col], c.value);
  }
}

/* (5) */
static void add_turning_momenta(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  for (int k = 0; k < b->eq->n.nrot; k++) {
    const int v = b->eq->rotation[k], w = trmi_input_node(b, TRMI_IN_V, v);
    const trmi_node *p = b->mass_row + v;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) continue;
    const trmi_nodes3 turned =
        n3_cross(g, (trmi_nodes3){w, w + 1, w + 2}, (trmi_nodes3){p[0], p[1], p[2]});
    for (int i = 0; i < 3; i++) b->right[v + i] = trmi_sub(g, b->right[v + i], n3_part(turned, i));
  }
}

/* Masses belong to bodies, not to their followers. */
static void refuse_followers(trmi_compiler *b) {
  bool has_mass = false;
  for (int i = b->eq->n.nv; i < b->nv_all; i++) has_mass = has_mass || b->mass_row[i] != 0;
  if (!has_mass) return;
  trmi_complain(b->complaints, trmi_text_place(trmi_part_text(&b->def->energies, "kinetic"), 0),
                "the kinetic energy has the velocity of a marker on a flexible body in it; use a "
                "body that is joined there");
}

/* p_i and Q, (2). */
static void derive_right(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  const int nv = b->nv_all;
  for (int i = 0; i < nv; i++) b->right[i] = b->force[i];
  add_gradient(b, b->kinetic, TRMI_IN_Q, 1.0, b->right);
  add_gradient(b, b->potential, TRMI_IN_Q, -1.0, b->right);
  add_gradient(b, b->kinetic, TRMI_IN_V, 1.0, b->mass_row);
  refuse_followers(b);
  for (int i = 0; i < nv; i++) {
    b->right[i] = trmi_sub(g, b->right[i], along_motion(b, b->mass_row[i]));
  }
  add_turning_momenta(b);
}

/* Does an entry of the mass matrix depend on a velocity? */
static bool depends_on_velocity(trmi_compiler *b, trmi_node node) {
  return (trmi_lists_of(b, node) & 1U << TRMI_IN_V) != 0;
}

/* The name of a velocity in expressions: "x'", "crank.wx". */
static void name_velocity(const trmi_compiler *b, int i, char name[48]) {
  const trmi_parts *typed = &b->def->parts[TRMI_COORDINATES];
  if (i < typed->count) snprintf(name, 48, "%.40s'", typed->list[i].key.name);
  else snprintf(name, 48, "%s", b->eq->labels[TRM_V][i].name);
}

/* Entry (i, j) of M is in both triangles and acts on motion and on M u. */
static void add_mass(trmi_compiler *b, int i, int j, trmi_node m, trmi_node *motion,
                     trmi_node *product) {
  trmi_graph *g = &b->graph;
  const int rows[2] = {i, j}, cols[2] = {j, i};
  for (int k = 0; k < (i == j ? 1 : 2); k++) {
    const int row = rows[k], col = cols[k];
    add_block(b, TRM_M, row, col, m);
    motion[row] = trmi_add(g, motion[row], trmi_mul(g, m, trmi_input_node(b, TRMI_IN_VD, col)));
    product[row] = trmi_add(g, product[row], trmi_mul(g, m, trmi_input_node(b, TRMI_IN_U, col)));
  }
}

/* M from the energies, (1): upper triangle, the lower one is the same. */
static void derive_mass(trmi_compiler *b, trmi_node *motion, trmi_node *product) {
  for (int i = 0; i < b->eq->n.nv; i++) {
    trmi_gradient(&b->walk, b->mass_row[i]);
    const int count = b->walk.npartials;
    trmi_partial *partials = TRMI_TAKE(&b->scratch, trmi_partial, count);
    if (partials == NULL) return;
    for (int k = 0; k < count; k++) partials[k] = b->walk.partials[k];
    for (int k = 0; k < count; k++) {
      const int j = trmi_index_of(b, partials[k].symbol);
      if (trmi_input_of(b, partials[k].symbol) != TRMI_IN_V || j < i) continue;
      if (depends_on_velocity(b, partials[k].value)) {
        const trmi_text *text = trmi_part_text(&b->def->energies, "kinetic");
        char row[48], col[48];
        name_velocity(b, i, row);
        name_velocity(b, j, col);
        trmi_complain(b->complaints, trmi_text_place(text, 0),
                      "the kinetic energy must be of second degree in the velocities, but its "
                      "second derivative by %s and %s still depends on a velocity", row, col);
        return;
      }
      add_mass(b, i, j, partials[k].value, motion, product);
    }
  }
}

/* Rows y = g or a with G^T lam in motion and G^T y in `product`; rates and biases. */
typedef struct row_kind {
  trmi_input multiplier, direction;
  trm_block  G, GY, rate_q, bias_q, bias_v;
  int        rate, bias; /* groups */
} row_kind;

static const row_kind holonomic = {TRMI_IN_LAM, TRMI_IN_Y, TRM_G, TRM_GY_Q, TRM_GV_Q, TRM_GB_Q,
                                   TRM_GB_V, TRMI_RESULT_G_RATE, TRMI_RESULT_G_BIAS};
static const row_kind rolling = {TRMI_IN_MU, TRMI_IN_YA, TRM_A, TRM_AY_Q, TRM_AV_Q, TRM_AB_Q,
                                 TRM_AB_V, TRMI_RESULT_A_RATE, TRMI_RESULT_A_BIAS};

/* One row: `level` is g with derivative list Q, or a_rate with list V. */
static void derive_row(trmi_compiler *b, const row_kind *kind, int k, trmi_node level,
                       trmi_input list, trmi_node *motion, trmi_node *product) {
  trmi_graph *g = &b->graph;
  const trmi_node lam = trmi_input_node(b, kind->multiplier, k);
  const trmi_node y = trmi_input_node(b, kind->direction, k);
  trmi_columns_of(b, level, list);
  for (int i = 0; i < b->ncolumns; i++) {
    const trmi_derivative c = b->columns[i];
    add_block(b, kind->G, k, c.col, c.value);
    motion[c.col] = trmi_add(g, motion[c.col], trmi_mul(g, c.value, lam));
    product[c.col] = trmi_add(g, product[c.col], trmi_mul(g, c.value, y));
  }
  const trmi_node rate = list == TRMI_IN_Q ? along_motion(b, level) : level;
  const trmi_node bias = along_motion(b, rate);
  trmi_add_entry(b, kind->rate, k, 0, rate);
  trmi_add_entry(b, kind->bias, k, 0, bias);
  ADD_ROW(b, rate, k, {TRMI_IN_Q, kind->rate_q, false});
  ADD_ROW(b, bias, k, {TRMI_IN_Q, kind->bias_q, false}, {TRMI_IN_V, kind->bias_v, false});
}

static void derive_states(trmi_compiler *b) {
  for (int i = 0; i < b->eq->nstates; i++) {
    trmi_add_entry(b, TRMI_RESULT_D, i, 0, b->d[i]);
    ADD_ROW(b, b->d[i], i, {TRMI_IN_XD, TRM_D_XD, false}, {TRMI_IN_X, TRM_D_X, false},
            {TRMI_IN_Q, TRM_D_Q, false}, {TRMI_IN_V, TRM_D_V, false}, {TRMI_IN_VD, TRM_D_VD, false},
            {TRMI_IN_LAM, TRM_D_LAM, false}, {TRMI_IN_W, TRM_D_W, false},
            {TRMI_IN_INPUT, TRM_D_U, false});
  }
  for (int i = 0; i < b->eq->n.nw; i++) {
    const trmi_node w = trmi_input_node(b, TRMI_IN_W, i);
    trmi_add_entry(b, TRMI_RESULT_W, i, 0, trmi_sub(&b->graph, w, b->w[i]));
    ADD_ROW(b, b->w[i], i, {TRMI_IN_Q, TRM_W_Q, false}, {TRMI_IN_V, TRM_W_V, false},
            {TRMI_IN_VD, TRM_W_VD, false}, {TRMI_IN_X, TRM_W_X, false},
            {TRMI_IN_XD, TRM_W_XD, false}, {TRMI_IN_LAM, TRM_W_LAM, false},
            {TRMI_IN_W, TRM_W_W, false}, {TRMI_IN_INPUT, TRM_W_U, false});
  }
}

/* sum += factor * d(node)/dt */
static void add_time_rate(trmi_compiler *b, trmi_node node, trmi_node factor, trmi_node *sum) {
  trmi_graph *g = &b->graph;
  trmi_gradient(&b->walk, node);
  for (int k = 0; k < b->walk.npartials; k++) {
    if (trmi_input_of(b, b->walk.partials[k].symbol) != TRMI_IN_TIME) continue;
    *sum = trmi_add(g, *sum, trmi_mul(g, factor, b->walk.partials[k].value));
  }
}

/* d/dt at constant velocities of the kinetic energy of masses typed as such: their equations M v' =
 * f contain no such terms. For an energy typed as `kinetic`, from which Lagrange's equations were
 * derived, minus its derivative with respect to time alone. */
static trmi_node derive_mass_power(trmi_compiler *b) {
  static const trmi_input rates[TRMI_INPUT_LISTS] = {[TRMI_IN_Q] = TRMI_IN_V};
  trmi_graph *g = &b->graph;
  trmi_node power = 0;
  if (b->kinetic != 0) add_time_rate(b, b->kinetic, trmi_constant(g, -1.0), &power);
  if (b->def->parts[TRMI_MASSES].count == 0) return power;
  const trmi_node typed = trmi_sub(g, b->kinetic_shown, b->kinetic);
  return trmi_add(g, power, trmi_rate_of(b, typed, rates));
}

/* Supplied power: that of motions lam.dg/dt - mu.A v, dampers, friction; f.v, dV/dt of the rest. */
static void derive_power(trmi_compiler *b, const trmi_node *rolling_force) {
  trmi_graph *g = &b->graph;
  trmi_node motions = 0, power = 0;
  for (int i = 0; i < b->nv_all; i++) {
    const trmi_node v = trmi_input_node(b, TRMI_IN_V, i);
    power = trmi_add(g, power, trmi_mul(g, b->force[i], v));
    motions = trmi_sub(g, motions, trmi_mul(g, rolling_force[i], v));
  }
  add_time_rate(b, b->potential, trmi_constant(g, 1.0), &power);
  for (int k = 0; k < b->eq->n.ng; k++) {
    add_time_rate(b, b->g[k], trmi_input_node(b, TRMI_IN_LAM, k), &motions);
  }
  power = trmi_add(g, trmi_add(g, power, motions), derive_mass_power(b));
  if (power != 0) b->eq->has_power = true;
  const trmi_node powers[TRM_POWERS] = {motions, b->damper_power, b->friction_power};
  trmi_add_entry(b, TRMI_RESULT_ENERGY, 2, 0, power);
  for (int k = 0; k < TRM_POWERS; k++) trmi_add_entry(b, TRMI_RESULT_POWERS, k, 0, powers[k]);
}

void trmi_equations_derive(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  const trm_sizes *n = &b->eq->n;
  trmi_node *inertia = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);  /* M v'       */
  trmi_node *joints = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);   /* G^T lam    */
  trmi_node *wheels = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);   /* A^T mu     */
  trmi_node *Mu = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);
  trmi_node *Gy = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);
  trmi_node *Ay = TRMI_TAKE(&b->scratch, trmi_node, b->nv_all);
  const int native_rows = b->extension == NULL ? 0 : b->extension->add.native_rows;
  if (b->scratch.failed) return;

  derive_right(b);
  if (b->def->parts[TRMI_MASSES].count == 0) derive_mass(b, inertia, Mu);
  for (int i = 0; i < b->nmass; i++) {
    add_mass(b, b->mass[i].row, b->mass[i].col, b->mass[i].node, inertia, Mu);
  }
  for (int k = native_rows; k < n->ng; k++) {
    trmi_add_entry(b, TRMI_RESULT_G, k, 0, b->g[k]);
    derive_row(b, &holonomic, k, b->g[k], TRMI_IN_Q, joints, Gy);
  }
  for (int k = 0; k < n->na; k++) derive_row(b, &rolling, k, b->a[k], TRMI_IN_V, wheels, Ay);
  for (int i = 0; i < b->nv_all; i++) {
    const trmi_node reaction = trmi_add(g, joints[i], wheels[i]);
    const trmi_node left = trmi_add(g, inertia[i], reaction);
    const trmi_node residual = trmi_sub(g, left, b->right[i]);
    if (residual != 0 || b->extension == NULL) {
      trmi_add_entry(b, TRMI_RESULT_MOTION, i, 0, residual);
    }
    if (i >= n->nv) trmi_add_entry(b, TRMI_RESULT_FOLLOWED, i, 0, b->right[i]);
    ADD_ROW(b, b->right[i], i, {TRMI_IN_Q, TRM_K, true}, {TRMI_IN_V, TRM_C, true},
            {TRMI_IN_X, TRM_Q_X, false}, {TRMI_IN_W, TRM_Q_W, false},
            {TRMI_IN_TIME, TRM_Q_T, false}, {TRMI_IN_INPUT, TRM_Q_U, false});
    ADD_ROW(b, Mu[i], i, {TRMI_IN_Q, TRM_MU_Q, false});
    ADD_ROW(b, Gy[i], i, {TRMI_IN_Q, TRM_GY_Q, false});
    ADD_ROW(b, Ay[i], i, {TRMI_IN_Q, TRM_AY_Q, false});
  }
  derive_states(b);
  trmi_add_entry(b, TRMI_RESULT_ENERGY, 0, 0, b->kinetic_shown);
  trmi_add_entry(b, TRMI_RESULT_ENERGY, 1, 0, b->potential);
  derive_power(b, wheels);
}
