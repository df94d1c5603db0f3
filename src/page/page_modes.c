/* page_modes.c - vibrations about the first sample of a run, for the page to animate.
 *
 * Chunk: the shape of each mode as 32-bit numbers, all real parts, then all imaginary parts, each
 * in the order of velocities, followed by the changes of all numbers of the group `loads`, points
 * of `show` among them. Those of velocities are increments as trm_mode says: of bodies three
 * displacements in ground axes and three small rotations in body axes. */
#include "page/page_internal.h"
#include "core/arena.h"
#include "trammel/analysis.h"
#include "trammel/sim.h"
#include <math.h>
#include <string.h>

/* Larger systems would take longer than the rest of the page. */
enum { VELOCITIES_MOST = 300, MODES_MOST = 20 };

/* Slower ones, as a part of the fastest found, are rigid motions with rounding. */
static const double rigid = 1e-7;

/* ---- the state ------------------------------------------------------------------------------ */

static trm_status read_first(trm_run *run, const trm_system *system, trmi_arena *arena,
                             trm_state *s, trm_error *err) {
  const struct {
    double     **list;
    trm_quantity count;
  } lists[] = {{&s->q, TRM_Q},   {&s->v, TRM_V}, {&s->vd, TRM_V}, {&s->lam, TRM_LAM},
               {&s->mu, TRM_MU}, {&s->x, TRM_X}, {&s->xd, TRM_X}, {&s->w, TRM_W},
               {&s->z, TRM_Z},   {&s->u, TRM_U}, {&s->ud, TRM_U}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i].list = TRMI_TAKE(arena, double, trm_system_count(system, lists[i].count));
  }
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return trm_run_read_state(run, system, 0, s, err);
}

/* ---- points of `show` ----------------------------------------------------------------------- */

/* Motion of recorded quantities, including points of `show`, by the shapes: by central differences,
 * whose error of `tilt` squared is invisible. */
typedef struct recorded_motion {
  trm_system      *system;
  const trm_state *about;
  double          *increment, *q, *ends[2]; /* [nv], [nq], [nrecorded] */
  int              nv, count;
} recorded_motion;

static const double tilt = 1e-4; /* of the largest number of a shape */

static trm_status take_motion(recorded_motion *m, trmi_arena *arena, trm_error *err) {
  m->nv = trm_system_count(m->system, TRM_V);
  m->count = trm_system_count(m->system, TRM_RECORDED);
  m->increment = TRMI_TAKE(arena, double, m->nv);
  m->q = TRMI_TAKE(arena, double, trm_system_count(m->system, TRM_Q));
  for (int i = 0; i < 2; i++) m->ends[i] = TRMI_TAKE(arena, double, m->count);
  return trmi_arena_check(arena, err);
}

static trm_status move_recorded(const recorded_motion *m, const double *shape, float *to,
                                trm_error *err) {
  double largest = 0.0;
  if (m->count == 0) return TRM_OK;
  for (int i = 0; i < m->nv; i++) largest = fmax(largest, fabs(shape[i]));
  const double eps = largest > 0.0 ? tilt / largest : 1.0;
  for (int end = 0; end < 2; end++) {
    trm_state moved = *m->about;
    const trm_values values = {.recorded = m->ends[end]};
    for (int i = 0; i < m->nv; i++) m->increment[i] = (end == 0 ? -eps : eps) * shape[i];
    trm_system_retract(m->system, m->about->q, m->increment, m->q);
    moved.q = m->q;
    TRMI_TRY(err, trm_system_values(m->system, &moved, &values, err));
  }
  for (int i = 0; i < m->count; i++) {
    to[i] = (float)((m->ends[1][i] - m->ends[0][i]) / (2.0 * eps));
  }
  return TRM_OK;
}

/* ---- modes ---------------------------------------------------------------------------------- */

static trm_status put_shape(const recorded_motion *m, const double *shape, float *to,
                            trm_error *err) {
  for (int i = 0; i < m->nv; i++) to[i] = (float)shape[i];
  return move_recorded(m, shape, to + m->nv, err);
}

static trm_status put_modes(trmi_page *page, const recorded_motion *m, const trm_modes *modes,
                            trmi_arena *arena, json_t *out, trm_error *err) {
  const int count = trm_modes_count(modes), length = m->nv + m->count;
  const double seconds = trm_system_units(m->system)->seconds;
  float *shapes = TRMI_TAKE(arena, float, (size_t)(2 * count * length));
  json_t *list = json_array();
  double fastest = 0.0;
  int kept = 0;
  json_object_set_new(out, "list", list);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k < count; k++) fastest = fmax(fastest, trm_mode_at(modes, k).frequency);
  for (int k = 0; k < count; k++) {
    const trm_mode mode = trm_mode_at(modes, k);
    if (!(mode.im > 0.0 && mode.frequency > rigid * fastest)) continue;
    TRMI_TRY(err, put_shape(m, mode.shape_re, shapes + (size_t)(2 * kept * length), err));
    TRMI_TRY(err, put_shape(m, mode.shape_im, shapes + (size_t)((2 * kept + 1) * length), err));
    kept++;
    json_array_append_new(list, json_pack("{s:o, s:o}", "frequency",
                                          trmi_json_number(mode.frequency / seconds), "damping",
                                          trmi_json_number(mode.damping)));
  }
  json_object_set_new(out, "velocities", json_integer(m->nv));
  json_object_set_new(out, "recorded", json_integer(m->count));
  json_object_set_new(out, "note", trmi_json_text(trm_modes_note(modes)));
  json_object_set_new(out, "chunk", json_integer(page->nchunks));
  return trmi_page_chunk(page, shapes, (size_t)(2 * kept * length) * sizeof *shapes, err);
}

static trm_status find_modes(trmi_page *page, trm_run *run, trm_sim *sim, trmi_arena *arena,
                             json_t *out, trm_error *err) {
  trm_modes_options find = trm_modes_options_default();
  trm_modes *modes = NULL;
  trm_state first = {0};
  recorded_motion motion = {.system = trm_sim_system(sim), .about = &first};
  find.count = MODES_MOST;
  TRMI_TRY(err, read_first(run, motion.system, arena, &first, err));
  TRMI_TRY(err, take_motion(&motion, arena, err));
  TRMI_TRY(err, trm_modes_find(motion.system, &first, &find, &modes, err));
  const trm_status status = put_modes(page, &motion, modes, arena, out, err);
  trm_modes_free(modes);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_page_modes(trmi_page *page, const trmi_page_source *source, trm_system *system,
                           json_t *scene, trm_error *err) {
  const int nv = trm_system_count(system, TRM_V);
  if (source->run == NULL || nv == 0 || nv > VELOCITIES_MOST) return TRM_OK;
  trm_options options = trm_options_default();
  trm_sim *sim = NULL; /* never stepped: used for the memory of the start */
  trm_error fault;
  trmi_arena arena;
  json_t *out = json_object();
  json_object_set_new(scene, "modes", out);
  trmi_arena_init(&arena, &page->html.allocator);
  options.start = trm_run_info_of(source->run)->start;
  options.end = options.start + 1.0;
  trm_status status = trm_sim_create(system, &options, &sim, &fault);
  if (status == TRM_OK) status = find_modes(page, source->run, sim, &arena, out, &fault);
  trm_sim_free(sim);
  trmi_arena_clear(&arena);
  if (status == TRM_ERR_MEMORY) {
    if (err != NULL) *err = fault;
    return status;
  }
  if (status != TRM_OK) json_object_set_new(out, "fault", trmi_json_text(fault.message));
  return TRM_OK;
}
