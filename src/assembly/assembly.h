/* assembly.h - a mechanism as a system: a list of contributors and the numbering they share.
 *
 * Life cycle: trmi_assembly_create -> claims of unknowns, rows and outputs, contributors ->
 * trmi_assembly_seal, which gives a definition for trm_system_create. The system then owns the
 * assembly. Before that trmi_assembly_free frees it, with all contributors. */
#ifndef TRMI_ASSEMBLY_H
#define TRMI_ASSEMBLY_H
#include "assembly/contributor.h"
#include "core/arena.h"
#include "core/parallel.h"

/* One contributor in the list. */
typedef struct trmi_contributor {
  const trmi_contributor_ops *ops;
  void        *self;
  trmi_watched first, count;        /* counts and first numbers of what it watches */
  int          epoch;               /* last seen                               */
  int          read_epoch;          /* when patterns were read                 */
  int          nblocks;             /* blocks in which it has entries          */
  trm_block    blocks[TRM_BLOCKS];
  int          entries[TRM_BLOCKS]; /* first of its entries in blocks [k]           */
  int          counts[TRM_BLOCKS];  /* number of its entries there             */
} trmi_contributor;

/* Rows of one list of trm_values that are zero before contributors add to them. */
typedef struct trmi_cleared {
  size_t    member; /* offset in trm_values */
  trmi_span span;
  size_t    bytes;
} trmi_cleared;

typedef struct trmi_assembly {
  trmi_arena        arena;    /* contains everything, including this struct, except */
  trmi_arena        elements; /* contributors, which can be rebuilt            */
  trm_system_ops    ops;
  trm_sizes         n;
  int               nq;
  trm_unit_names    units;
  double            gravity[3];
  bool              has_power;   /* elements may supply power                  */
  trm_label        *labels[TRM_LISTS];     /* of all claimed numbers            */
  int               labels_size[TRM_LISTS];
  int              *rotation;             /* first rate of each         [nrot] */
  int               rotation_size;
  trmi_contributor *list;        /* in the order of their ranks                */
  int               count, size;
  bool              has_carriers;
  bool              is_watching; /* elements watch something, not only expressions */
  trmi_cleared     *cleared;     /* rows that nobody owns                      */
  int               ncleared;
  int              *epoch;       /* changes whenever that of a contributor changes */
  trm_block_request *request;    /* scratch of blocks                          */
  int               sealed[TRM_BLOCKS]; /* entries when it was sealed           */
  trmi_parallel     parallel;    /* of the simulation, for contributors         */
  void             *keeper;      /* of a model with settable values; freed with the assembly */
  void            (*free_keeper)(void *keeper);
} trmi_assembly;

/* Create an empty assembly, named after the model; NULL: out of memory. */
trmi_assembly *trmi_assembly_create(const trm_allocator *allocator, const char *name);
void trmi_assembly_free(trmi_assembly *a);

/* Claim the next `count` numbers of a list, with their labels (copied). Lists: TRM_Q, TRM_V,
 * TRM_LAM, TRM_MU, TRM_X, TRM_W, TRM_Z, TRM_U, TRM_OUTPUT, TRM_SHOWN, TRM_STIFF, TRM_RECORDED. A
 * coordinate has one number of TRM_Q and one of TRM_V; a rotation has four and three, and is
 * declared by trmi_assembly_rotation with its first rate.
 * @return the first of them; -1: out of memory */
int trmi_assembly_claim(trmi_assembly *a, trm_quantity list, const trm_label *labels, int count);
void trmi_assembly_rotation(trmi_assembly *a, int v);

/* `self` is in an arena of the assembly, or `free` releases it; it is also freed if this call runs
 * out of memory, which the arena records. */
void trmi_assembly_add(trmi_assembly *a, const trmi_contributor_ops *ops, void *self);

/* After all contributors were added: count what is watched, find rows without an owner, remove
 * functions that no contributor has. On failure the assembly still belongs to the caller. */
trm_status trmi_assembly_seal(trmi_assembly *a, trm_system_def *out, trm_error *err);

/* Between simulations: free all contributors except expressions and rewind their memory. After they
 * have been rebuilt in the same order with the same numbers of unknowns and rows: is the assembly
 * the same, with as many entries in every block? */
void trmi_assembly_strip(trmi_assembly *a);
bool trmi_assembly_refit(trmi_assembly *a);
/* Number of the contributor of that name in the list, -1: there is none. */
int trmi_assembly_find(const trmi_assembly *a, const char *name);
/* Bring all carriers to a state. */
void trmi_assembly_move(trmi_assembly *a, const trm_state *s);

/* assembly_instance.c: an assembly without contributors for one simulation of a sealed one, which
 * must outlive it; NULL: out of memory. Contributors are added in the order of the origin, then
 * `join` assigns their positions. */
trmi_assembly *trmi_assembly_instance(const trmi_assembly *origin,
                                      const trm_instance_options *options);
trm_status trmi_assembly_join(trmi_assembly *a, const trmi_assembly *origin, trm_error *err);

/* Values of all contributors except expressions. Rows are overwritten. */
trm_status trmi_assembly_element_values(trmi_assembly *a, const trm_state *s,
                                        const trm_values *out, trm_error *err);

#endif
