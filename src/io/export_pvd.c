/* export_pvd.c - a run for ParaView: points and lines of bodies at every sample.
 *
 * A point is an object with adjacent signals NAME.x NAME.y and, if it moves in space, NAME.z, among
 * the coordinates or the outputs. Its arrays: `body`, its number; if bodies have them, `quaternion`
 * (NAME.q0 .. NAME.q3, scalar first), `velocity` (NAME.vx ..) and `angular_velocity` (NAME.wx ..,
 * body axes). Every point is a vertex; lines join successive bodies in the list of coordinates. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "core/arena.h"
#include "io/export_vtu.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK = 1 << 19, POSITION = 0, QUATERNION = 3, VELOCITY = 7, RATE = 10, VALUES = 13 };

/* One point; signal[k] gives value k, or is -1 for zero. */
typedef struct body {
  char name[TRM_COLUMN_MAX];
  bool is_coordinate;
  int  signal[VALUES];
} body;

typedef struct scene {
  trm_run *run;
  body     *bodies; /* [nbodies] */
  int       nbodies;
  bool      has_quaternion, has_velocity, has_rate;
  trmi_stress_scene *stress; /* of flexible bodies; NULL: none */
  double   *block;  /* all signals of some samples [rows][nsignals] */
  long      rows;   /* that fit */
} scene;

/* ---- bodies ------------------------------------------------------------------------ */

/* Is the label of signal i prefix + ending, and is it in the group? */
static bool is_called(const scene *s, int i, trm_signal_group group, const char *prefix,
                      const char *ending) {
  if (i < 0 || i >= trm_run_info_of(s->run)->nsignals) return false;
  const trm_signal *signal = trm_run_signal(s->run, i);
  const size_t length = strlen(prefix);
  return signal->group == group && strncmp(signal->label, prefix, length) == 0 &&
         strcmp(signal->label + length, ending) == 0;
}

/* Neighbouring signals prefix + each of `endings`, from `from` on; -1 if there are none. */
static int find_run_of(const scene *s, trm_signal_group group, int from, const char *prefix,
                       const char *const *endings, int count) {
  for (int i = from; i < trm_run_info_of(s->run)->nsignals; i++) {
    int found = 0;
    while (found < count && is_called(s, i + found, group, prefix, endings[found])) found++;
    if (found == count) return i;
  }
  return -1;
}

static void fill(body *b, int first, int count, int from) {
  for (int k = 0; k < count; k++) b->signal[first + k] = from >= 0 ? from + k : -1;
}

/* Signal i begins a point: its prefix is the part before the x. */
static bool begins_point(const scene *s, int i, char prefix[TRM_COLUMN_MAX]) {
  const trm_signal *signal = trm_run_signal(s->run, i);
  const size_t length = strlen(signal->label);
  const bool is_group = signal->group == TRM_GROUP_COORDINATES ||
                        signal->group == TRM_GROUP_OUTPUTS;
  if (!is_group || length == 0 || signal->label[length - 1] != 'x') return false;
  if (length > 1 && signal->label[length - 2] != '.') return false;
  snprintf(prefix, TRM_COLUMN_MAX, "%.*s", (int)length - 1, signal->label);
  return is_called(s, i + 1, signal->group, prefix, "y");
}

static void add_body(scene *s, int i, const char *prefix, int *searched) {
  static const char *const quaternion[] = {"q0", "q1", "q2", "q3"};
  static const char *const velocity[] = {"vx", "vy", "vz"}, *const rate[] = {"wx", "wy", "wz"};
  const trm_signal_group group = trm_run_signal(s->run, i)->group;
  body *b = &s->bodies[s->nbodies++];
  const size_t length = strlen(prefix);
  snprintf(b->name, sizeof b->name, "%.*s", (int)(length > 0 ? length - 1 : 0), prefix);
  b->is_coordinate = group == TRM_GROUP_COORDINATES;
  const bool is_spatial = is_called(s, i + 2, group, prefix, "z");
  fill(b, POSITION, 3, i);
  if (!is_spatial) b->signal[POSITION + 2] = -1;
  fill(b, QUATERNION, VALUES - QUATERNION, -1);
  if (!b->is_coordinate || !is_spatial || length == 0) return;

  int at = is_called(s, i + 3, group, prefix, "q0")
               ? find_run_of(s, group, i + 3, prefix, quaternion, 4) : -1;
  fill(b, QUATERNION, 4, at == i + 3 ? at : -1);
  /* bodies have the same order in all lists: continue from the last match */
  at = find_run_of(s, TRM_GROUP_VELOCITIES, *searched, prefix, velocity, 3);
  fill(b, VELOCITY, 3, at);
  if (at >= 0) *searched = at;
  at = at >= 0 && is_called(s, at + 3, TRM_GROUP_VELOCITIES, prefix, "wx")
           ? find_run_of(s, TRM_GROUP_VELOCITIES, at + 3, prefix, rate, 3) : -1;
  fill(b, RATE, 3, at);
  s->has_quaternion = s->has_quaternion || b->signal[QUATERNION] >= 0;
  s->has_velocity = s->has_velocity || b->signal[VELOCITY] >= 0;
  s->has_rate = s->has_rate || b->signal[RATE] >= 0;
}

static trm_status find_bodies(scene *s, trmi_arena *arena, trm_error *err) {
  const int n = trm_run_info_of(s->run)->nsignals;
  s->bodies = TRMI_TAKE(arena, body, n / 2 + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  int searched = 0;
  for (int i = 0; i < n; i++) {
    char prefix[TRM_COLUMN_MAX];
    if (begins_point(s, i, prefix)) add_body(s, i, prefix, &searched);
  }
  if (s->nbodies > 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "the run has no points: none of its coordinates or outputs is called NAME.x, "
                   "followed by NAME.y");
}

/* ---- one frame ---------------------------------------------------------------------- */

static double value_of(const scene *s, int b, int value, long row) {
  const int signal = s->bodies[b].signal[value];
  return signal >= 0 ? s->block[row * trm_run_info_of(s->run)->nsignals + signal] : 0.0;
}

static void put_values(const scene *s, trmi_out *out, const char *name, int first, int count,
                       long row) {
  trmi_vtu_array(out, "Float64", name, count);
  for (int b = 0; b < s->nbodies; b++) {
    const bool is_unturned = first == QUATERNION && s->bodies[b].signal[QUATERNION] < 0;
    for (int k = 0; k < count; k++) {
      const double value = is_unturned && k == 0 ? 1.0 : value_of(s, b, first + k, row);
      trmi_out_print(out, "%.17g%c", value, k + 1 < count ? ' ' : '\n');
    }
  }
  trmi_out_print(out, "</DataArray>\n");
}

/* Is there a line from body b - 1 to body b? */
static bool is_joined(const scene *s, int b) {
  return b > 0 && s->bodies[b].is_coordinate && s->bodies[b - 1].is_coordinate;
}

static void put_cells(const scene *s, trmi_out *out, int nlines) {
  trmi_out_print(out, "<Cells>\n");
  trmi_vtu_array(out, "Int32", "connectivity", 1);
  for (int b = 0; b < s->nbodies; b++) trmi_out_print(out, "%d\n", b);
  for (int b = 0; b < s->nbodies; b++) {
    if (is_joined(s, b)) trmi_out_print(out, "%d %d\n", b - 1, b);
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "Int32", "offsets", 1);
  for (int b = 0; b < s->nbodies; b++) trmi_out_print(out, "%d\n", b + 1);
  for (int i = 0; i < nlines; i++) trmi_out_print(out, "%d\n", s->nbodies + 2 * (i + 1));
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "UInt8", "types", 1); /* 1: vertex, 3: line */
  for (int b = 0; b < s->nbodies + nlines; b++) {
    trmi_out_print(out, "%d\n", b < s->nbodies ? 1 : 3);
  }
  trmi_out_print(out, "</DataArray>\n</Cells>\n");
}

static void put_frame(const scene *s, trmi_out *out, long row) {
  int nlines = 0;
  for (int b = 0; b < s->nbodies; b++) nlines += is_joined(s, b);
  trmi_vtu_begin(out, s->nbodies, s->nbodies + nlines);
  trmi_out_print(out, "<PointData>\n");
  trmi_vtu_array(out, "Int32", "body", 1);
  for (int b = 0; b < s->nbodies; b++) trmi_out_print(out, "%d\n", b);
  trmi_out_print(out, "</DataArray>\n");
  if (s->has_quaternion) put_values(s, out, "quaternion", QUATERNION, 4, row);
  if (s->has_velocity) put_values(s, out, "velocity", VELOCITY, 3, row);
  if (s->has_rate) put_values(s, out, "angular_velocity", RATE, 3, row);
  trmi_out_print(out, "</PointData>\n<Points>\n");
  put_values(s, out, "Points", POSITION, 3, row);
  trmi_out_print(out, "</Points>\n");
  put_cells(s, out, nlines);
  trmi_vtu_end(out);
}

/* ---- all frames ---------------------------------------------------------------------- */

static trm_status make_folder(trmi_pvd_place *p, const char *path, trm_error *err) {
  const size_t length = strlen(path) - strlen(".pvd");
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  if (length >= sizeof p->folder - 40 || base == path + length) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.200s' gives no name for the folder of frames",
                     path);
  }
  memcpy(p->folder, path, length);
  p->folder[length] = '\0';
  p->base = p->folder + (base - path);
  if (mkdir(p->folder, 0777) == 0 || errno == EEXIST) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot make the folder '%.200s': %s", p->folder,
                   strerror(errno));
}

static trm_status write_frame(const scene *s, const trmi_pvd_place *p, trmi_out *list, long frame,
                              long row, trm_error *err) {
  char path[TRMI_PVD_PATH];
  const double *values = s->block + row * trm_run_info_of(s->run)->nsignals;
  snprintf(path, sizeof path, "%s/%.200s_%06ld.vtu", p->folder, p->base, frame);
  trmi_out out;
  TRMI_TRY(err, trmi_out_open(&out, path, err));
  put_frame(s, &out, row);
  TRMI_TRY(err, trmi_out_close(&out, TRM_OK, err));
  trmi_pvd_add(list, p, values[0], 0, path);
  if (s->stress != NULL) TRMI_TRY(err, trmi_stress_frame(s->stress, p, list, frame, values, err));
  return TRM_OK;
}

/* Sample of a frame: all, or evenly chosen ones with the first and the last. */
static long sample_of(long frame, long frames, long samples) {
  if (frames >= samples || frames < 2) return frame;
  return (long)floor((double)frame * (double)(samples - 1) / (double)(frames - 1) + 0.5);
}

static trm_status write_frames(scene *s, const trmi_pvd_place *p, trmi_out *list, long frames,
                               trm_error *err) {
  const long samples = trm_run_info_of(s->run)->nsamples;
  const long count = frames < samples ? frames : samples;
  long first = 0, end = 0; /* samples in the block */
  for (long frame = 0; frame < count; frame++) {
    const long sample = sample_of(frame, count, samples);
    if (sample >= end) {
      first = sample;
      end = first + s->rows < samples ? first + s->rows : samples;
      TRMI_TRY(err, trm_run_read_block(s->run, 0, trm_run_info_of(s->run)->nsignals, first,
                                        end - first, s->block, err));
    }
    TRMI_TRY(err, write_frame(s, p, list, frame, sample - first, err));
  }
  return TRM_OK;
}

static trm_status write_scene(scene *s, trmi_arena *arena, trmi_out *out, long frames,
                              trm_error *err) {
  TRMI_TRY(err, find_bodies(s, arena, err));
  const long columns = trm_run_info_of(s->run)->nsignals;
  const long samples = trm_run_info_of(s->run)->nsamples;
  s->rows = columns < BLOCK ? BLOCK / columns : 1;
  if (s->rows > samples) s->rows = samples;
  s->block = TRMI_TAKE(arena, double, columns * s->rows);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  trmi_pvd_place p = {.base = ""};
  TRMI_TRY(err, make_folder(&p, out->path, err));
  trmi_out_print(out, "<?xml version=\"1.0\"?>\n<!-- points:");
  for (int b = 0; b < s->nbodies; b++) {
    trmi_out_print(out, " %d=", b);
    for (const char *c = s->bodies[b].name; *c != '\0'; c++) {
      trmi_out_print(out, "%c", *c >= ' ' && *c <= '~' && *c != '-' ? *c : '_');
    }
  }
  trmi_out_print(out, " -->\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  TRMI_TRY(err, write_frames(s, &p, out, frames, err));
  if (s->stress != NULL) TRMI_TRY(err, trmi_stress_maxima(s->stress, s->run, &p, err));
  trmi_out_print(out, "</Collection>\n</VTKFile>\n");
  return TRM_OK;
}

trm_status trmi_export_pvd(trm_run *run, const trm_system *system, trmi_out *out, long frames,
                           trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  scene s = {.run = run};
  trm_status status = TRM_OK;
  if (system != NULL) status = trmi_stress_scene_make(run, system, &arena, &s.stress, err);
  if (status == TRM_OK) status = write_scene(&s, &arena, out, frames, err);
  trmi_arena_clear(&arena);
  return status;
}
