/* reduction_cache.c - files of reduced meshes.
 *
 *   "trammel reduction 1\n" | key [32] | bytes of the content [8] | content | SHA-256 of it [32]
 *
 * The name of a file is its key in hexadecimal digits. Numbers are as in memory: the key depends on
 * the machine through the hash of the code. Any change in a file changes its SHA-256, so its
 * content can be trusted like our own code. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/reduction_cache.h"
#include "core/buffer.h"
#include "io/plain_file.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "trammel reduction 1\n";
enum { MAGIC = sizeof magic - 1, HEAD = MAGIC + TRMI_SHA256_BYTES + 8, TAIL = TRMI_SHA256_BYTES };

/* ---- key ------------------------------------------------------------------------------------- */

#define ADD(hash, value) trmi_sha256_add((hash), &(value), sizeof(value))

/* Including its end, so that two texts never count as one; NULL differs from "". */
static void add_text(trmi_sha256 *hash, const char *text) {
  const unsigned char is_given = text != NULL;
  ADD(hash, is_given);
  if (is_given) trmi_sha256_add(hash, text, strlen(text) + 1);
}

static void add_material(trmi_sha256 *hash, const trmi_solid_material *m) {
  add_text(hash, m->name);
  ADD(hash, m->E);
  ADD(hash, m->nu);
  ADD(hash, m->density);
  ADD(hash, m->expansion);
}

static void add_nodes(trmi_sha256 *hash, const trmi_node_selection *s) {
  const int choice = (int)s->choice;
  add_text(hash, s->set);
  ADD(hash, choice);
  ADD(hash, s->from);
  ADD(hash, s->to);
  ADD(hash, s->radius);
  ADD(hash, s->tolerance);
  ADD(hash, s->nnumbers);
  trmi_sha256_add(hash, s->numbers, (size_t)s->nnumbers * sizeof *s->numbers);
}

static void add_load(trmi_sha256 *hash, const trmi_flexible_load *load) {
  const int kind = load->is_heat + 2 * load->has_gradient;
  add_text(hash, load->name);
  add_text(hash, load->elements);
  ADD(hash, kind);
  ADD(hash, load->gradient);
  ADD(hash, load->at);
  add_nodes(hash, &load->nodes);
}

static void add_interface(trmi_sha256 *hash, const trmi_flexible_interface *i) {
  const int kind = i->is_rigid + 2 * i->has_at;
  add_text(hash, i->name);
  ADD(hash, kind);
  ADD(hash, i->at);
  add_nodes(hash, &i->nodes);
}

/* The extension of a file determines its reader. */
static void add_mesh(trmi_sha256 *hash, const trmi_flexible_def *def, const void *mesh,
                     size_t bytes) {
  const char *ending = def->mesh != NULL ? strrchr(def->mesh, '.') : NULL;
  const int shape = (int)def->grid.shape, type = (int)def->grid.type;
  const uint64_t count = bytes;
  add_text(hash, ending);
  ADD(hash, count);
  if (bytes > 0) {
    trmi_sha256_add(hash, mesh, bytes);
    return;
  }
  ADD(hash, shape);
  ADD(hash, type);
  ADD(hash, def->grid.size);
  ADD(hash, def->grid.tube);
  ADD(hash, def->grid.cells);
}

/* All members of the definition except the name of the body and the path of its mesh. */
static void make_key(const trmi_flexible_def *def, const void *mesh, size_t bytes,
                     unsigned char key[TRMI_SHA256_BYTES]) {
  const int flags = def->has_inertia_modes + 2 * def->has_inner_stress +
                    4 * (int)def->stiffening + 16 * def->has_exact_inertia;
  const double units[] = {def->scale, def->file_E, def->file_density, def->si_density,
                          def->inertia};
  trmi_sha256 hash;
  trmi_sha256_init(&hash);
  add_text(&hash, trmi_reduction_code);
  add_mesh(&hash, def, mesh, bytes);
  ADD(&hash, units);
  add_material(&hash, &def->material);
  ADD(&hash, def->nmaterials);
  for (int i = 0; i < def->nmaterials; i++) add_material(&hash, &def->materials[i]);
  ADD(&hash, def->ninterfaces);
  for (int i = 0; i < def->ninterfaces; i++) add_interface(&hash, &def->interfaces[i]);
  ADD(&hash, def->nloads);
  for (int i = 0; i < def->nloads; i++) add_load(&hash, &def->loads[i]);
  ADD(&hash, def->fixed);
  ADD(&hash, def->up_to);
  ADD(&hash, flags);
  trmi_sha256_end(&hash, key);
}

void trmi_cache_find(trmi_cache_entry *entry, const char *folder, const trmi_flexible_def *def,
                     const void *mesh, size_t bytes) {
  char name[2 * TRMI_SHA256_BYTES + 1];
  *entry = (trmi_cache_entry){.path = ""};
  make_key(def, mesh, bytes, entry->key);
  for (int i = 0; i < TRMI_SHA256_BYTES; i++) snprintf(name + 2 * i, 3, "%02x", entry->key[i]);
  const int length = snprintf(entry->path, sizeof entry->path, "%s/%s.modal", folder, name);
  if (length < 0 || (size_t)length >= sizeof entry->path) entry->path[0] = '\0';
}

/* ---- content --------------------------------------------------------------------------------- */

/* One function lists the members of a body, for both directions. */
typedef struct passage {
  trmi_buffer *out;   /* NULL: reading                */
  const char  *in;
  size_t       left;  /* bytes to be read             */
  trmi_arena  *arena; /* of what is read              */
  bool         failed;
} passage;

static void pass(passage *p, void *place, size_t bytes) {
  if (p->out != NULL) {
    trmi_buffer_add(p->out, place, bytes);
  } else if (p->failed || bytes > p->left) {
    p->failed = true;
  } else if (bytes > 0) {
    memcpy(place, p->in, bytes);
    p->in += bytes, p->left -= bytes;
  }
}

/* @return the written list, or the one read */
static void *pass_list(passage *p, const void *list, size_t count, size_t size) {
  void *place = (void *)list;
  if (p->out == NULL) {
    if (p->failed || (size > 0 && count > p->left / size)) {
      p->failed = true;
      return NULL;
    }
    place = trmi_arena_take(p->arena, count, size);
    if (place == NULL) p->failed = true;
  }
  pass(p, place, count * size);
  return place;
}

#define PASS(p, member) pass((p), &(member), sizeof(member))
#define PASS_LIST(p, member, count) \
  ((member) = pass_list((p), (member), (size_t)(count), sizeof *(member)))

static const char *pass_text(passage *p, const char *text) {
  size_t count = p->out != NULL ? strlen(text) + 1 : 0;
  PASS(p, count);
  PASS_LIST(p, text, count);
  if (!p->failed && (count == 0 || text[count - 1] != '\0')) p->failed = true;
  return text;
}

/* A list that may be missing. */
static const double *pass_some(passage *p, const double *list, size_t count) {
  bool is_there = list != NULL;
  PASS(p, is_there);
  if (is_there && !p->failed) PASS_LIST(p, list, count);
  return list;
}

static void pass_interfaces(passage *p, trmi_modal_arrays *a) {
  PASS(p, a->ninterfaces);
  if (p->out == NULL && !p->failed) {
    a->interfaces = TRMI_TAKE(p->arena, trmi_modal_interface, a->ninterfaces);
    if (a->interfaces == NULL) p->failed = true;
  }
  for (int i = 0; i < a->ninterfaces && !p->failed; i++) {
    trmi_modal_interface *one = &a->interfaces[i];
    one->name = pass_text(p, one->name);
    PASS(p, one->at);
    PASS_LIST(p, one->F, 3 * a->n);
    PASS_LIST(p, one->S, 3 * a->n);
    one->H = pass_some(p, one->H, 6 * (size_t)a->n * (size_t)a->n);
  }
}

static void pass_loads(passage *p, trmi_modal_arrays *a) {
  PASS(p, a->nloads);
  if (p->out == NULL && !p->failed) {
    a->loads = TRMI_TAKE(p->arena, trmi_modal_load, a->nloads);
    if (a->loads == NULL) p->failed = true;
  }
  for (int i = 0; i < a->nloads && !p->failed; i++) {
    trmi_modal_load *one = &a->loads[i];
    one->name = pass_text(p, one->name);
    PASS(p, one->is_heat);
    PASS(p, one->force);
    PASS(p, one->moment);
    PASS_LIST(p, one->f, a->n);
    PASS_LIST(p, one->X, 3 * a->n);
  }
}

static void pass_arrays(passage *p, trmi_modal_arrays *a) {
  const size_t n = (size_t)a->n;
  PASS(p, a->mass);
  PASS(p, a->mc);
  PASS(p, a->Sigma);
  PASS_LIST(p, a->omega2, n);
  PASS_LIST(p, a->D, 3 * n);
  PASS_LIST(p, a->L, 9 * n);
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) PASS_LIST(p, a->N[k], n * n);
  a->Kg = pass_some(p, a->Kg, 6 * n * n);
  PASS_LIST(p, a->size, n);
  pass_interfaces(p, a);
  pass_loads(p, a);
}

static void pass_stress(passage *p, trmi_stress_modes *s, size_t n) {
  PASS(p, s->npoints);
  PASS(p, s->ntriangles);
  PASS(p, s->columns);
  const size_t points = (size_t)s->npoints;
  PASS_LIST(p, s->number, points);
  PASS_LIST(p, s->x, 3 * points);
  PASS_LIST(p, s->corners, 3 * (size_t)s->ntriangles);
  PASS_LIST(p, s->phi, 3 * points * n);
  PASS_LIST(p, s->sigma, 6 * points * (size_t)s->columns);
  PASS_LIST(p, s->is_excluded, points);
  PASS(p, s->ncells);
  PASS(p, s->ncell_points);
  PASS_LIST(p, s->cell_type, s->ncells);
  PASS_LIST(p, s->cell_points, s->ncell_points);
}

static void pass_body(passage *p, trmi_flexible_body *b) {
  PASS(p, b->arrays.n);
  PASS(p, b->nnodes);
  PASS(p, b->nelements);
  PASS(p, b->last_number);
  PASS(p, b->nfixed);
  PASS(p, b->nconstraint);
  PASS(p, b->nstatic);
  PASS(p, b->ndropped);
  PASS(p, b->rigid_ratio);
  pass_arrays(p, &b->arrays);
  PASS_LIST(p, b->fixed, b->nfixed);
  PASS_LIST(p, b->place, 3 * (size_t)b->arrays.n);
  PASS_LIST(p, b->at_node, b->arrays.n);
  PASS_LIST(p, b->tied, b->arrays.ninterfaces);
  PASS_LIST(p, b->is_rigid, b->arrays.ninterfaces);
  b->notes = pass_text(p, b->notes);
  pass_stress(p, &b->stress, (size_t)b->arrays.n);
}

static void hash_bytes(const void *bytes, size_t count, unsigned char out[TRMI_SHA256_BYTES]) {
  trmi_sha256 hash;
  trmi_sha256_init(&hash);
  trmi_sha256_add(&hash, bytes, count);
  trmi_sha256_end(&hash, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* All bytes of a file; NULL: it does not exist or cannot be read, or no memory. */
static char *read_all(const char *path, trmi_arena *scratch, size_t *count, const char **reason) {
  struct stat facts;
  FILE *file = trmi_plain_file_open(path, reason);
  if (file == NULL) return NULL;
  char *bytes = NULL;
  if (fstat(fileno(file), &facts) == 0) {
    *count = (size_t)facts.st_size;
    bytes = TRMI_TAKE(scratch, char, *count);
    if (bytes != NULL && fread(bytes, 1, *count, file) != *count) bytes = NULL;
  }
  *reason = "it cannot be read";
  fclose(file);
  return bytes;
}

/* Does the file have the key, complete and unchanged? */
static bool is_whole(const trmi_cache_entry *entry, const char *bytes, size_t count) {
  unsigned char sum[TRMI_SHA256_BYTES];
  uint64_t length;
  if (count < HEAD + TAIL || memcmp(bytes, magic, MAGIC) != 0 ||
      memcmp(bytes + MAGIC, entry->key, sizeof entry->key) != 0) {
    return false;
  }
  memcpy(&length, bytes + MAGIC + sizeof entry->key, sizeof length);
  if (length != count - HEAD - TAIL) return false;
  hash_bytes(bytes + HEAD, (size_t)length, sum);
  return memcmp(sum, bytes + count - TAIL, sizeof sum) == 0;
}

static void note(trmi_cache_entry *entry, const char *before, const char *reason,
                 const char *after) {
  snprintf(entry->note, sizeof entry->note, "%s '%.300s': %s; %s", before, entry->path, reason,
           after);
}

const char *trmi_cache_kept(const trmi_cache_entry *entry, trmi_arena *arena) {
  const size_t size = strlen(entry->path) + 1;
  char *copy = TRMI_TAKE(arena, char, size);
  if (copy != NULL) memcpy(copy, entry->path, size);
  return copy;
}

trmi_flexible_body *trmi_cache_read(trmi_cache_entry *entry, trmi_arena *arena) {
  trmi_arena scratch;
  size_t count = 0;
  const char *reason = "";
  entry->note[0] = '\0';
  if (entry->path[0] == '\0' || access(entry->path, F_OK) != 0) return NULL;
  trmi_arena_init(&scratch, &arena->allocator);
  trmi_flexible_body *body = TRMI_TAKE(arena, trmi_flexible_body, 1);
  const char *bytes = read_all(entry->path, &scratch, &count, &reason);
  if (scratch.failed) arena->failed = true;
  bool is_good = bytes != NULL && body != NULL && is_whole(entry, bytes, count);
  if (is_good) {
    passage p = {.in = bytes + HEAD, .left = count - HEAD - TAIL, .arena = arena};
    pass_body(&p, body);
    body->kept = trmi_cache_kept(entry, arena);
    is_good = !p.failed && p.left == 0 && body->kept != NULL;
  }
  if (!is_good && !arena->failed) {
    note(entry, "the cached reduction", bytes != NULL ? "it is damaged" : reason,
         "the mesh is reduced anew");
  }
  trmi_arena_clear(&scratch);
  return is_good ? body : NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Create the folder of a path and its parents. Errors are detected when the file is opened. */
static void make_folders(const char *path) {
  char folder[TRMI_CACHE_PATH];
  for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    (void)mkdir(folder, 0700);
  }
}

static bool write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = write(descriptor, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done, count -= (size_t)done;
  }
  return true;
}

/* @return 0 or errno. Every writer has its own draft: two threads may store the same result. */
static int write_file(const char *path, const trmi_buffer *content) {
  char draft[TRMI_CACHE_PATH + 16];
  snprintf(draft, sizeof draft, "%s.XXXXXX", path);
  make_folders(path);
  const int descriptor = mkstemp(draft);
  if (descriptor < 0) return errno;
  errno = 0;
  bool is_good = write_all(descriptor, content->data, content->used);
  int reason = is_good ? 0 : errno;
  if (close(descriptor) != 0 && is_good) is_good = false, reason = errno;
  if (is_good && rename(draft, path) != 0) is_good = false, reason = errno;
  if (!is_good) unlink(draft);
  return is_good ? 0 : reason != 0 ? reason : EIO;
}

bool trmi_cache_write(trmi_cache_entry *entry, const trmi_flexible_body *body,
                      const trm_allocator *allocator) {
  trmi_buffer content;
  trmi_flexible_body copy = *body; /* its lists are not changed */
  unsigned char sum[TRMI_SHA256_BYTES];
  uint64_t length = 0;
  entry->note[0] = '\0';
  int reason = entry->path[0] == '\0' ? ENAMETOOLONG : 0;
  trmi_buffer_init(&content, allocator);
  trmi_buffer_add(&content, magic, MAGIC);
  trmi_buffer_add(&content, entry->key, sizeof entry->key);
  trmi_buffer_add(&content, &length, sizeof length);
  passage p = {.out = &content};
  pass_body(&p, &copy);
  if (!content.failed) {
    length = content.used - HEAD;
    memcpy(content.data + HEAD - sizeof length, &length, sizeof length);
    hash_bytes(content.data + HEAD, (size_t)length, sum);
    trmi_buffer_add(&content, sum, sizeof sum);
  }
  if (reason == 0) reason = content.failed ? ENOMEM : write_file(entry->path, &content);
  trmi_buffer_free(&content);
  if (reason == 0) return true;
  note(entry, "the reduction is not kept in the cache as", strerror(reason),
       "the next run reduces the mesh again");
  return false;
}
