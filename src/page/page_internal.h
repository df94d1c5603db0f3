/* page_internal.h - the data of a page during its construction.
 *
 * A page holds a head, JSON with everything but long lists, and chunks: lists of numbers, packed
 * by deflate and written in base64. The head gives the chunk and position of each list. */
#ifndef TRMI_PAGE_INTERNAL_H
#define TRMI_PAGE_INTERNAL_H
#include "core/arena.h"
#include "core/buffer.h"
#include "trammel/flexible.h"
#include "trammel/model.h"
#include "trammel/page.h"
#include <jansson.h>

typedef struct trmi_page {
  trmi_buffer html;    /* elements of chunks, one after the other    */
  int         nchunks;
  double      resolution; /* of curves, as a part of the range of each */
} trmi_page;

/* The program of the page, in two parts with the data between them, and that of films; written by
 * tools/embed_page.cmake. All are "" in a library that was built without node. */
extern const char trmi_page_before[], trmi_page_after[], trmi_page_film[];

/* Pack bytes as the next chunk. */
trm_status trmi_page_chunk(trmi_page *page, const void *bytes, size_t count, trm_error *err);

/* page_signals.c: all samples of a run: members `samples`, `times` and `signals`. */
trm_status trmi_page_signals(trmi_page *page, trm_run *run, json_t *out, trm_error *err);

/* page_run.c: data of the run, events, messages, the history of steps. */
trm_status trmi_page_run(trmi_page *page, trm_run *run, json_t *out, trm_error *err);

/* Source of the model of a scene, and of the signals of its bodies. */
typedef struct trmi_page_source {
  const char *text;  /* of the model; NULL: none */
  const char *model; /* its name */
  const void *self;
  /* Number of the signal with a label in a group, "crank.x" of "coordinates"; -1: there is none. */
  int (*find)(const void *self, const char *group, const char *label);
  trm_run    *run; /* its samples; NULL: in progress */
  trm_reductions reductions; /* of meshes */
} trmi_page_source;

/* Number of the signal NAME.PART of a group, -1: there is none. */
int trmi_page_signal(const trmi_page_source *source, const char *group, const char *name,
                     const char *part);

/* page_scene.c: member `scene` of a model with parts; it may have none. */
trm_status trmi_page_scene(trmi_page *page, const trmi_page_source *source, json_t *out,
                           trm_error *err);

/* page_flexible.c: member `flexible` of a scene. */
trm_status trmi_page_flexible(trmi_page *page, const trmi_page_source *source,
                              const trm_system *system, json_t *scene, trm_error *err);

/* page_stress.c: the stress of a run by a few shapes, b = map a of the amplitudes a of modes. */
enum { TRMI_PAGE_RANK_MOST = 16 };
typedef struct trmi_page_stress {
  int     rank;
  float  *modes; /* [6 points][rank] */
  float  *displacement; /* [3 points][rank] */
  double *map;   /* [rank][modes] */
  double  error; /* of the von Mises stress, over the largest; at some instants */
  double  displacement_error; /* likewise, of a component of the displacement */
} trmi_page_stress;
trm_status trmi_page_stress_of(const trm_flexible_surface *surface, trm_run *run,
                               const trm_run_amplitudes *at, trmi_arena *arena,
                               trmi_page_stress *out, trm_error *err);

/* page_modes.c: member `modes` of a scene; what stands against them is a member of it. */
trm_status trmi_page_modes(trmi_page *page, const trmi_page_source *source, trm_system *system,
                           json_t *scene, trm_error *err);

/* page.c: the head as the last chunk. */
trm_status trmi_page_head(trmi_page *page, json_t *head, trm_error *err);

/* Values of JSON; numbers that are not finite become null, bytes that are not UTF-8 "?". */
json_t *trmi_json_number(double number);
json_t *trmi_json_numbers(const double *numbers, int count);
json_t *trmi_json_text(const char *text);
/* A member of an object; NULL is "". */
void trmi_json_put_text(json_t *out, const char *key, const char *text);

#endif
