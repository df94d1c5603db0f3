/* file_loader.c - files and shared libraries that a model names: meshes and plug-ins. */
#define _GNU_SOURCE /* dladdr1; NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/file_loader.h"
#include "io/flexible_reduce.h"
#include "io/plain_file.h"
#include "mechanism/builder.h"
#include "trammel/model.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 256 * 1024 * 1024 };

static bool read_file(const char *path, trmi_buffer *buffer, char fault[TRMI_LOADER_FAULT]) {
  const char *reason;
  FILE *file = trmi_plain_file_open(path, &reason);
  if (file == NULL) {
    snprintf(fault, TRMI_LOADER_FAULT, "%s", reason);
    return false;
  }
  char block[65536];
  size_t got;
  while (buffer->used <= BYTES_MAX && (got = fread(block, 1, sizeof block, file)) > 0) {
    trmi_buffer_add(buffer, block, got);
  }
  const bool is_good = ferror(file) == 0 && buffer->used <= BYTES_MAX && !buffer->failed;
  fclose(file);
  if (!is_good) {
    snprintf(fault, TRMI_LOADER_FAULT, "it cannot be read, or has more than 256 MB");
  }
  return is_good;
}

static void *open_library(const char *path, char fault[TRMI_LOADER_FAULT]) {
  char here[400];
  /* without a slash the system would look in its own folders */
  snprintf(here, sizeof here, "./%.380s", path);
  if (strchr(path, '/') != NULL) snprintf(here, sizeof here, "%.390s", path);
  const char *reason;
  FILE *file = trmi_plain_file_open(here, &reason);
  if (file == NULL) {
    snprintf(fault, TRMI_LOADER_FAULT, "%s", reason);
    return NULL;
  }
  fclose(file);
  void *const library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *why = dlerror();
    snprintf(fault, TRMI_LOADER_FAULT, "%.200s", why != NULL ? why : path);
  }
  return library;
}

/* Is the symbol in this library, and not in one that it is linked with? */
static bool is_own(void *library, void *symbol) {
  Dl_info info;
  void *home = NULL;
  struct link_map *own = NULL;
  return symbol != NULL && dladdr1(symbol, &info, &home, RTLD_DL_LINKMAP) != 0 &&
         dlinfo(library, RTLD_DI_LINKMAP, &own) == 0 && home == own;
}

/* C has no conversion from what dlsym returns to a function. */
static trmi_loaded_function find_function(void *library, const char *name) {
  void *const symbol = dlsym(library, name);
  trmi_loaded_function function = NULL;
  if (is_own(library, symbol)) memcpy(&function, &symbol, sizeof function);
  return function;
}

static void close_library(void *library) {
  dlclose(library);
}

const trmi_loader trmi_file_loader = {
  .read_file = read_file, .reduce = trmi_flexible_reduce, .open_library = open_library,
  .find_function = find_function, .close_library = close_library,
};

static bool read_no_file(const char *path, trmi_buffer *buffer, char fault[TRMI_LOADER_FAULT]) {
  (void)path, (void)buffer;
  snprintf(fault, TRMI_LOADER_FAULT, "a model given as a text has no files");
  return false;
}

/* Meshes that the program makes need no file. */
static const trmi_flexible_body *reduce_made(const trmi_flexible_def *def, trmi_arena *arena,
                                             char fault[TRMI_FLEXIBLE_FAULT]) {
  if (def->mesh == NULL) return trmi_flexible_reduce(def, arena, fault);
  snprintf(fault, TRMI_FLEXIBLE_FAULT, "a model given as a text has no files");
  return NULL;
}

const trmi_loader trmi_text_loader = {
  .read_file = read_no_file, .reduce = reduce_made, .open_library = open_library,
  .find_function = find_function, .close_library = close_library,
};

void trm_mechanism_allow_files(trm_mechanism *mechanism) {
  if (mechanism == NULL) return;
  mechanism->def.loader = &trmi_file_loader;
}

trm_status trm_mechanism_use_reductions(trm_mechanism *mechanism, const trm_reductions *reductions,
                                        trm_error *err) {
  TRMI_NEED(err, mechanism, reductions);
  const char *folder = trmi_builder_copy_text(mechanism, reductions->cache);
  TRMI_TRY(err, trmi_arena_check(&mechanism->arena, err));
  mechanism->def.reductions = *reductions;
  mechanism->def.reductions.cache = folder;
  return TRM_OK;
}

void trm_mechanism_use_plugins(trm_mechanism *mechanism, trm_plugin_use use) {
  if (mechanism == NULL) return;
  if (mechanism->def.loader == NULL) mechanism->def.loader = &trmi_text_loader;
  mechanism->def.plugins = (trmi_plugin_use)use;
}
