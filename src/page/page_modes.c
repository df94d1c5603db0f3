/* page_modes.c - vibrations about the first sample of a run, for the page to animate.
 *
 * Chunk: the shape of each mode as 32-bit numbers, all real parts, then all imaginary parts, each
 * in the order of velocities. They are increments as trm_mode says: of bodies three displacements
 * in ground axes and three small rotations in body axes. */
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

/* Numbers of one list in the first sample: those of a group from `skip` on. */
typedef struct recorded_list {
  trm_signal_group group;
  int              skip, count;
  double         **to;
} recorded_list;

static trm_status read_list(trm_run *run, const recorded_list *list, trmi_arena *arena,
                            trm_error *err) {
  const int nsignals = trm_run_info_of(run)->nsignals;
  int first = 0;
  *list->to = TRMI_TAKE(arena, double, list->count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (list->count == 0) return TRM_OK;
  while (first < nsignals && (trm_run_signal(run, first)->group != list->group ||
                              trm_run_signal(run, first)->column != list->skip)) first++;
  const int last = first + list->count - 1;
  if (last >= nsignals || trm_run_signal(run, last)->group != list->group) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run does not hold all of its state");
  }
  return trm_run_read_block(run, first, list->count, 0, 1, *list->to, err);
}

static trm_status read_state(trm_run *run, const trm_system *system, trmi_arena *arena,
                             trm_state *s, trm_error *err) {
  const trm_sizes *n = trm_system_sizes(system);
  const int nq = trm_system_count(system, TRM_Q);
  const recorded_list lists[] = {
    {TRM_GROUP_COORDINATES, 0, nq, &s->q},       {TRM_GROUP_VELOCITIES, 0, n->nv, &s->v},
    {TRM_GROUP_ACCELERATIONS, 0, n->nv, &s->vd}, {TRM_GROUP_MULTIPLIERS, 0, n->ng, &s->lam},
    {TRM_GROUP_MULTIPLIERS, n->ng, n->na, &s->mu}, {TRM_GROUP_STATES, 0, n->nx, &s->x},
    {TRM_GROUP_STATE_RATES, 0, n->nx, &s->xd},   {TRM_GROUP_VARIABLES, 0, n->nw, &s->w},
    {TRM_GROUP_DISCRETE, 0, n->nz, &s->z},       {TRM_GROUP_INPUTS, 0, n->nu, &s->u},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    TRMI_TRY(err, read_list(run, &lists[i], arena, err));
  }
  s->ud = TRMI_TAKE(arena, double, n->nu);
  double *times = TRMI_TAKE(arena, double, trm_run_info_of(run)->nsamples);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trm_run_read_times(run, times, err));
  s->t = times[0];
  return TRM_OK;
}

/* ---- modes ---------------------------------------------------------------------------------- */

static void put_shape(float *to, const double *from, int count) {
  for (int i = 0; i < count; i++) to[i] = (float)from[i];
}

static trm_status put_modes(trmi_page *page, const trm_system *system, const trm_modes *modes,
                            trmi_arena *arena, json_t *out, trm_error *err) {
  const int count = trm_modes_count(modes), nv = trm_system_count(system, TRM_V);
  const double seconds = trm_system_units(system)->seconds;
  float *shapes = TRMI_TAKE(arena, float, (size_t)(2 * count * nv));
  json_t *list = json_array();
  double fastest = 0.0;
  int kept = 0;
  json_object_set_new(out, "list", list);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k < count; k++) fastest = fmax(fastest, trm_mode_at(modes, k).frequency);
  for (int k = 0; k < count; k++) {
    const trm_mode mode = trm_mode_at(modes, k);
    if (!(mode.im > 0.0 && mode.frequency > rigid * fastest)) continue;
    put_shape(shapes + (size_t)(2 * kept * nv), mode.shape_re, nv);
    put_shape(shapes + (size_t)((2 * kept + 1) * nv), mode.shape_im, nv);
    kept++;
    json_array_append_new(list, json_pack("{s:o, s:o}", "frequency",
                                          trmi_json_number(mode.frequency / seconds), "damping",
                                          trmi_json_number(mode.damping)));
  }
  json_object_set_new(out, "velocities", json_integer(nv));
  json_object_set_new(out, "note", trmi_json_text(trm_modes_note(modes)));
  json_object_set_new(out, "chunk", json_integer(page->nchunks));
  return trmi_page_chunk(page, shapes, (size_t)(2 * kept * nv) * sizeof *shapes, err);
}

static trm_status find_modes(trmi_page *page, trm_run *run, trm_sim *sim, trmi_arena *arena,
                             json_t *out, trm_error *err) {
  trm_system *system = trm_sim_system(sim);
  trm_modes_options find = trm_modes_options_default();
  trm_modes *modes = NULL;
  trm_state first = {0};
  find.count = MODES_MOST;
  TRMI_TRY(err, read_state(run, system, arena, &first, err));
  TRMI_TRY(err, trm_modes_find(system, &first, &find, &modes, err));
  const trm_status status = put_modes(page, system, modes, arena, out, err);
  trm_modes_free(modes);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_page_modes(trmi_page *page, const trmi_page_source *source, trm_system *system,
                           json_t *scene, trm_error *err) {
  const int nv = trm_system_count(system, TRM_V);
  if (source->run == NULL || nv == 0 || nv > VELOCITIES_MOST) return TRM_OK;
  trm_options options = trm_options_default();
  trm_sim *sim = NULL; /* never steps: it has the memory of the start */
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
