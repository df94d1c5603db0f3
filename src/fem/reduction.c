/* reduction.c - Craig-Bampton reduction of a mesh to free-free modes [CraigBampton1968].
 *
 * Fields V: six constraint modes of each interface (support.c), fixed-interface modes, static modes
 * of inertia loads (inertia_loads.c) and of each distributed load. Without interfaces the
 * constraint modes are rigid motions, loads are balanced by inertia, and "fixed" modes are free
 * vibrations.
 * Columns of constraint and fixed-interface modes are scaled; directions with an eigenvalue of
 * V^T M V below 1e-9 depend on others and are dropped. A dropped part of a load would be missing in
 * its stress. From the modes y of loads, the part in the span of the others W is therefore
 * subtracted field by field, so that smaller remainders count:
 *   y <- y - W W^T M y,  W^T M W = 1,  dropped below 1e-7 of y                            (1)
 * The eigenproblem of V^T K V and V^T M V has six rigid motions, which are dropped; the remaining
 * rigid part of the others is subtracted:
 *   phi <- phi - R (R^T M R)^-1 R^T M phi                                                 (2)
 * Modes are then in mean axes: int phi = 0, int s x phi = 0. Directions close to the limit lose
 * digits of normalization, which one Newton step for phi^T M phi = 1 restores:
 *   phi <- phi (3 - phi^T M phi)/2                                                        (3) */
#include "fem/reduction.h"
#include "fem/block_lanczos.h"
#include "fem/fields.h"
#include "fem/inertia_loads.h"
#include "fem/symmetry.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { RIGID_MOTIONS = 6 };

typedef struct work {
  const trmi_reduction_def *def;
  trmi_arena *arena;    /* results */
  trmi_arena  scratch;
  trmi_support *support;
  size_t  size;
  int     ninertia;     /* inertia loads */
  double  centre[3];    /* of mass */
  int     p;            /* fields */
  double *V;            /* [p][size] */
  double *R;            /* rigid motion about the centre of mass [6][size] */
  int     modes;        /* that are kept */
  double *mix;          /* of the fields of V [modes][p] */
  double *omega2;
} work;

/* ---- fields ---------------------------------------------------------------------------------- */

/* About the centre of mass. */
static trm_status make_rigid(work *w, trm_error *err) {
  const trmi_solid_mesh *mesh = w->def->mesh;
  double *mass = TRMI_TAKE(&w->scratch, double, w->size);
  w->R = TRMI_TAKE(&w->scratch, double, 6 * w->size);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  double total = 0.0, *centre = w->centre;
  trmi_rigid_fields(mesh, centre, w->R);
  trmi_fem_mass(w->def->fem, 1, w->R, mass); /* of a translation along x */
  for (int i = 0; i < trmi_solid_mesh_places(mesh); i++) {
    total += mass[3 * i];
    for (int k = 0; k < 3; k++) centre[k] += mass[3 * i] * mesh->x[3 * i + k];
  }
  for (int k = 0; k < 3; k++) centre[k] /= total;
  trmi_rigid_fields(mesh, centre, w->R);
  return TRM_OK;
}

static trmi_inertia_body inertia_body(const work *w) {
  trmi_inertia_body body = {.mesh = w->def->mesh, .fem = w->def->fem, .count = w->ninertia};
  memcpy(body.centre, w->centre, sizeof body.centre);
  return body;
}

/* Static displacements under inertia loads. */
static trm_status add_inertia_modes(work *w, double *fields, trm_error *err) {
  const trmi_inertia_body body = inertia_body(w);
  TRMI_TRY(err, trmi_inertia_loads_make(&body, &w->scratch, fields, err));
  TRMI_TRY(err, trmi_support_solve(w->support, w->ninertia, fields, err));
  return TRM_OK;
}

/* Static displacements under distributed loads. */
static trm_status add_load_modes(work *w, double *fields, trm_error *err) {
  for (int i = 0; i < w->def->nloads; i++) {
    memcpy(fields + (size_t)i * w->size, w->def->loads[i].force, w->size * sizeof *fields);
  }
  TRMI_TRY(err, trmi_support_solve(w->support, w->def->nloads, fields, err));
  return TRM_OK;
}

/* Modes that were found take the middle of the time. */
static void report_found(void *self, const char *step, double done) {
  const work *w = self;
  trmi_progress_report(&w->def->progress, step, 0.4 + 0.4 * done);
}

/* Fixed-interface modes into the fields, behind the constraint modes: their own memory is free
 * again before the others are made. */
static trm_status make_fixed(work *w, trmi_mesh_reduction *out, trmi_arena *found,
                             trm_error *err) {
  const trmi_reduction_def *def = w->def;
  trmi_fixed_modes fixed;
  const double limit = 4.0 * pi * pi * def->up_to * def->up_to;
  const trmi_fixed_modes_def wanted = {.support = w->support, .fem = def->fem, .limit = limit,
                                       .wanted = def->fixed,
                                       .progress = {.report = report_found, .self = w}};
  TRMI_TRY(err, trmi_block_lanczos(&wanted, found, &fixed, err));
  out->nfixed = fixed.count;
  out->is_pair_cut = fixed.is_cut;
  w->p = out->nconstraint + out->nfixed + out->nstatic;
  w->V = TRMI_TAKE(&w->scratch, double, (size_t)w->p * w->size);
  out->fixed = TRMI_TAKE(w->arena, double, fixed.count);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  TRMI_TRY(err, trmi_arena_check(w->arena, err));
  for (int i = 0; i < fixed.count; i++) out->fixed[i] = sqrt(fixed.omega2[i]) / (2.0 * pi);
  if (fixed.count == 0) return TRM_OK;
  memcpy(w->V + (size_t)out->nconstraint * w->size, fixed.fields,
         (size_t)fixed.count * w->size * sizeof *w->V);
  return TRM_OK;
}

static trm_status make_fields(work *w, trmi_mesh_reduction *out, trm_error *err) {
  const trmi_reduction_def *def = w->def;
  trmi_arena found;
  out->nconstraint = def->ninterfaces > 0 ? 6 * def->ninterfaces : RIGID_MOTIONS;
  out->nstatic = w->ninertia + def->nloads;
  trmi_arena_init(&found, &w->scratch.allocator);
  const trm_status status = make_fixed(w, out, &found, err);
  trmi_arena_clear(&found);
  TRMI_TRY(err, status);
  trmi_progress_report(&def->progress, "static modes", 0.8);
  TRMI_TRY(err, make_rigid(w, err));
  TRMI_TRY(err, trmi_support_constraint_modes(w->support, w->V, err));
  double *next = w->V + (size_t)(out->nconstraint + out->nfixed) * w->size;
  if (def->inertia) TRMI_TRY(err, add_inertia_modes(w, next, err));
  next += (size_t)w->ninertia * w->size;
  if (def->nloads > 0) TRMI_TRY(err, add_load_modes(w, next, err));
  return TRM_OK;
}

/* ---- the small eigenproblem ------------------------------------------------------------------ */

/* A = T^T A T, T [columns][p]; A [p p] becomes [columns columns]. */
static trm_status transform(work *w, int p, int columns, const double *T, double *A,
                            trm_error *err) {
  double *AT = TRMI_TAKE(&w->scratch, double, p * columns);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  trmi_fields_dot((size_t)p, p, A, columns, T, AT); /* A is symmetric */
  trmi_fields_dot((size_t)p, columns, T, columns, AT, A);
  for (int i = 0; i < columns; i++) {
    for (int k = 0; k < i; k++) {
      A[columns * i + k] = A[columns * k + i] = 0.5 * (A[columns * i + k] + A[columns * k + i]);
    }
  }
  return TRM_OK;
}

/* Columns T [columns][p] with T^T M T = 1, M destroyed. */
static trm_status independent(work *w, double *M, double *T, int *columns, trm_error *err) {
  const int p = w->p;
  double *scale = TRMI_TAKE(&w->scratch, double, p), *e = TRMI_TAKE(&w->scratch, double, p);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  for (int i = 0; i < p; i++) {
    scale[i] = M[(p + 1) * i] > 0.0 ? 1.0 / sqrt(M[(p + 1) * i]) : 0.0;
  }
  for (int i = 0; i < p * p; i++) M[i] *= scale[i % p] * scale[i / p];
  TRMI_TRY(err, trmi_fields_eigen(&w->scratch, p, M, e, err));
  *columns = 0;
  for (int k = 0; k < p; k++) {
    if (!(e[k] > 1e-9 * e[p - 1])) continue;
    for (int i = 0; i < p; i++) T[p * *columns + i] = scale[i] * M[p * k + i] / sqrt(e[k]);
    ++*columns;
  }
  return TRM_OK;
}

/* (1) for one field, three times: W is normal to 1e-7 only. @return its remaining length */
static double subtract_others(const work *w, int columns, const double *W, double *y, double *My) {
  double *c = My + w->size, square = 0.0, before = 0.0;
  for (int pass = 0; pass < 4; pass++) {
    trmi_fem_mass(w->def->fem, 1, y, My);
    trmi_fields_dot(w->size, 1, y, 1, My, &square);
    if (pass == 0) before = square;
    if (pass == 3 || !(square > 0.0)) break;
    trmi_fields_dot(w->size, columns, W, 1, My, c);
    trmi_fields_add(w->size, columns, W, 1, c, -1.0, y);
  }
  const double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
  for (size_t i = 0; i < w->size; i++) y[i] *= scale;
  return before > 0.0 ? sqrt(square / before) : 0.0;
}

/* Static modes behind the fixed-interface modes: of inertia loads those that are chosen, then of
 * distributed loads. @return their number in `count` */
static trm_status choose_static(work *w, trmi_mesh_reduction *out, int *count, trm_error *err) {
  const int before = out->nconstraint + out->nfixed, loads = w->def->nloads;
  double *y = w->V + (size_t)before * w->size;
  int kept = w->ninertia;
  if (kept > 0 && !w->def->is_exact) {
    trmi_inertia_body body = inertia_body(w);
    body.nfixed = out->nfixed;
    body.fixed = w->V + (size_t)out->nconstraint * w->size;
    TRMI_TRY(err, trmi_inertia_modes_choose(&body, &w->scratch, y, &kept, err));
    memmove(y + (size_t)kept * w->size, y + (size_t)w->ninertia * w->size,
            (size_t)loads * w->size * sizeof *y);
  }
  out->ndropped = w->ninertia - kept;
  *count = kept + loads;
  w->p = before + *count;
  return TRM_OK;
}

/* (1): fields become the independent ones of interfaces and vibrations, and the additions of
 * loads. */
static trm_status separate_loads(work *w, trmi_mesh_reduction *out, trm_error *err) {
  int loads = 0, columns = 0;
  TRMI_TRY(err, choose_static(w, out, &loads, err));
  double *y = w->V + (size_t)(w->p - loads) * w->size;
  if (loads == 0) return TRM_OK;
  w->p -= loads;
  double *MV = TRMI_TAKE(&w->scratch, double, (size_t)w->p * w->size);
  double *M = TRMI_TAKE(&w->scratch, double, w->p * w->p);
  double *T = TRMI_TAKE(&w->scratch, double, w->p * w->p);
  double *W = TRMI_TAKE(&w->scratch, double, (size_t)(w->p + loads) * w->size);
  double *My = TRMI_TAKE(&w->scratch, double, w->size + (size_t)(w->p + loads));
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  trmi_fem_mass(w->def->fem, w->p, w->V, MV);
  trmi_fields_dot(w->size, w->p, w->V, w->p, MV, M);
  TRMI_TRY(err, independent(w, M, T, &columns, err));
  out->ndropped += w->p - columns;
  trmi_fields_add(w->size, w->p, w->V, columns, T, 1.0, W);
  for (int i = 0; i < loads; i++, y += w->size) {
    double *own = W + (size_t)columns * w->size;
    memcpy(own, y, w->size * sizeof *y);
    const bool is_new = subtract_others(w, columns, W, own, My) > 1e-7;
    columns += is_new;
    out->ndropped += !is_new;
  }
  w->V = W, w->p = columns;
  return TRM_OK;
}

static trm_status solve_small(work *w, trmi_mesh_reduction *out, trm_error *err) {
  const int p = w->p;
  double *KV = TRMI_TAKE(&w->scratch, double, (size_t)p * w->size);
  double *K = TRMI_TAKE(&w->scratch, double, p * p), *M = TRMI_TAKE(&w->scratch, double, p * p);
  double *T = TRMI_TAKE(&w->scratch, double, p * p), *e = TRMI_TAKE(&w->scratch, double, p);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  trmi_fem_stiffness(w->def->fem, p, w->V, KV);
  trmi_fields_dot(w->size, p, w->V, p, KV, K);
  trmi_fem_mass(w->def->fem, p, w->V, KV);
  trmi_fields_dot(w->size, p, w->V, p, KV, M);
  int columns = 0;
  TRMI_TRY(err, independent(w, M, T, &columns, err));
  out->ndropped += p - columns;
  TRMI_TRY(err, transform(w, p, columns, T, K, err));
  TRMI_TRY(err, trmi_fields_eigen(&w->scratch, columns, K, e, err));
  if (columns <= 6 || !(e[6] > 0.0)) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "the mesh has more than six motions without "
                     "strain, or no mode is left: are parts of it loose?");
  }
  double rigid = 0.0;
  for (int k = 0; k < 6; k++) rigid = fmax(rigid, fabs(e[k]));
  out->rigid_ratio = sqrt(rigid / e[6]);
  if (!(out->rigid_ratio < 1e-2)) {
    return TRMI_FAIL(err, TRM_ERR_SINGULAR, NULL, "rigid motion of the mesh is not free of strain: "
                     "its frequency is %.1e of the first mode's; are parts of it loose?",
                     out->rigid_ratio);
  }
  w->modes = columns - 6;
  w->mix = TRMI_TAKE(&w->scratch, double, p * w->modes);
  w->omega2 = TRMI_TAKE(w->arena, double, w->modes);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  TRMI_TRY(err, trmi_arena_check(w->arena, err));
  memcpy(w->omega2, e + 6, (size_t)w->modes * sizeof *e);
  trmi_fields_add((size_t)p, columns, T, w->modes, K + 6 * columns, 1.0, w->mix);
  return TRM_OK;
}

/* (2) */
static trm_status subtract_rigid(work *w, double *phi, trm_error *err) {
  double *MR = TRMI_TAKE(&w->scratch, double, 6 * w->size), G[36];
  double *C = TRMI_TAKE(&w->scratch, double, 6 * w->modes);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  trmi_fem_mass(w->def->fem, 6, w->R, MR);
  trmi_fields_dot(w->size, 6, w->R, 6, MR, G);
  trmi_fields_dot(w->size, 6, MR, w->modes, phi, C);
  TRMI_TRY(err, trmi_fields_solve(&w->scratch, 6, G, w->modes, C, err));
  trmi_fields_add(w->size, 6, w->R, w->modes, C, -1.0, phi);
  return TRM_OK;
}

/* (3) */
static trm_status normalize(work *w, double *phi, trm_error *err) {
  const int n = w->modes;
  double *G = TRMI_TAKE(&w->scratch, double, n * n);
  double *old = TRMI_TAKE(&w->scratch, double, (size_t)n * w->size);
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  trmi_fem_mass(w->def->fem, n, phi, old);
  trmi_fields_dot(w->size, n, phi, n, old, G);
  for (int i = 0; i < n * n; i++) G[i] = 0.5 * ((i % (n + 1) == 0 ? 1.0 : 0.0) - G[i]);
  memcpy(old, phi, (size_t)n * w->size * sizeof *old);
  trmi_fields_add(w->size, n, old, n, G, 1.0, phi);
  return TRM_OK;
}

/* The sign of a mode is free: its largest displacement is positive. */
static void choose_signs(const work *w, double *phi) {
  for (int k = 0; k < w->modes; k++) {
    double *mode = phi + (size_t)k * w->size, most = 0.0;
    for (size_t i = 0; i < w->size; i++) {
      if (fabs(mode[i]) > fabs(most) * (1.0 + 1e-6)) most = mode[i];
    }
    for (size_t i = 0; i < w->size && most < 0.0; i++) mode[i] = -mode[i];
  }
}

/* Even or odd where the mesh is symmetric, in mean axes, normal. */
static trm_status finish_modes(work *w, trmi_mesh_reduction *out, trm_error *err) {
  const trmi_symmetric_modes modes = {.mesh = w->def->mesh, .fem = w->def->fem, .count = w->modes,
                                      .ninterfaces = w->def->ninterfaces,
                                      .interfaces = w->def->interfaces,
                                      .phi = out->phi, .arena = &w->scratch,
                                      .classes = TRMI_TAKE(&w->scratch, int, w->modes)};
  TRMI_TRY(err, trmi_arena_check(&w->scratch, err));
  if (w->def->nloads == 0) TRMI_TRY(err, trmi_symmetrize(&modes, &out->nplanes, err));
  TRMI_TRY(err, subtract_rigid(w, out->phi, err));
  TRMI_TRY(err, normalize(w, out->phi, err));
  if (out->nplanes == 0) return TRM_OK;
  TRMI_TRY(err, trmi_symmetric_modes_solve(&modes, w->omega2, err));
  return normalize(w, out->phi, err);
}

static trm_status reduce(work *w, trmi_mesh_reduction *out, trm_error *err) {
  const trmi_reduction_def *def = w->def;
  trmi_progress_report(&def->progress, "factorization", 0.1);
  TRMI_TRY(err, trmi_support_create(def->mesh, def->fem, def->ninterfaces, def->interfaces,
                                    &w->scratch, &w->support, err));
  trmi_progress_report(&def->progress, "fixed-interface modes", 0.4);
  TRMI_TRY(err, make_fields(w, out, err));
  trmi_support_free(w->support); /* its factor is larger than all that follows */
  w->support = NULL;
  trmi_progress_report(&def->progress, "modes of the free body", 0.85);
  TRMI_TRY(err, separate_loads(w, out, err));
  TRMI_TRY(err, solve_small(w, out, err));
  out->phi = TRMI_TAKE(w->arena, double, (size_t)w->modes * w->size);
  TRMI_TRY(err, trmi_arena_check(w->arena, err));
  trmi_fields_add(w->size, w->p, w->V, w->modes, w->mix, 1.0, out->phi);
  TRMI_TRY(err, finish_modes(w, out, err));
  choose_signs(w, out->phi);
  TRMI_TRY(err, trmi_modal_arrays_make(def, w->modes, out->phi, w->arena, &out->arrays, err));
  out->arrays.omega2 = w->omega2;
  TRMI_TRY(err, trmi_modal_loads_make(def, out->phi, w->arena, &out->arrays, err));
  TRMI_TRY(err, trmi_modal_stiffening_make(def, out->phi, w->arena, &out->arrays, err));
  return TRM_OK;
}

trm_status trmi_reduce(const trmi_reduction_def *def, trmi_arena *arena, trmi_mesh_reduction *out,
                       trm_error *err) {
  work w = {.def = def, .arena = arena, .size = 3 * (size_t)def->mesh->nnodes};
  *out = (trmi_mesh_reduction){.nfixed = 0};
  if (def->inertia) {
    w.ninertia = def->ninterfaces > 0 ? TRMI_INERTIA_LOADS : TRMI_INERTIA_LOADS_FREE;
  }
  trmi_arena_init(&w.scratch, &arena->allocator);
  const trm_status status = reduce(&w, out, err);
  trmi_support_free(w.support);
  trmi_arena_clear(&w.scratch);
  return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
}
