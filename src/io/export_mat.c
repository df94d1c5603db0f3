/* export_mat.c - a run as a MATLAB level 5 file (MAT-File Format, version 5).
 *
 * The file is a head of 128 bytes and elements; an element is a tag (type, bytes) and its bytes,
 * padded to a multiple of 8. Variables are elements of type MATRIX that hold further elements:
 * flags, dimensions, name, then by class
 *   double   the numbers, column after column
 *   text     the letters as 16-bit numbers
 *   cell     a matrix without a name for each entry
 *   struct   length of a field name, field names, a matrix without a name for each field
 * Sizes precede contents, so they are computed first. No variable may have 2^31
 * bytes or more. The byte order is that of the machine; readers convert it. */
#include "core/arena.h"
#include "io/export_file.h"
#include <stdint.h>
#include <string.h>

enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 };
enum { CLASS_CELL = 1, CLASS_STRUCT = 2, CLASS_CHAR = 4, CLASS_DOUBLE = 6 };
enum { FIELD_MAX = 64, BLOCK = 1 << 20 }; /* numbers held at a time */
static const uint64_t VARIABLE_MAX = 0x7fffffff;

typedef struct field_name {
  char text[FIELD_MAX]; /* the rest is zero */
} field_name;

/* ---- elements -------------------------------------------------------------------- */

static uint64_t padded(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static void put_tag(trmi_out *out, uint32_t type, uint64_t bytes) {
  const uint32_t tag[2] = {type, (uint32_t)bytes};
  trmi_out_bytes(out, tag, sizeof tag);
}

static void put_padding(trmi_out *out, uint64_t bytes) {
  static const char zeros[8] = {0};
  trmi_out_bytes(out, zeros, (size_t)(padded(bytes) - bytes));
}

static void put_element(trmi_out *out, uint32_t type, const void *data, uint64_t bytes) {
  put_tag(out, type, bytes);
  trmi_out_bytes(out, data, (size_t)bytes);
  put_padding(out, bytes);
}

/* Bytes of flags, dimensions and name. */
static uint64_t head_size(const char *name) {
  return 16 + 16 + 8 + padded(strlen(name));
}

static void put_head(trmi_out *out, uint32_t class, const char *name, long rows, long columns,
                     uint64_t content) {
  const uint32_t flags[2] = {class, 0};
  const int32_t dimensions[2] = {(int32_t)rows, (int32_t)columns};
  put_tag(out, MATRIX, head_size(name) + content);
  put_element(out, UINT32, flags, sizeof flags);
  put_element(out, INT32, dimensions, sizeof dimensions);
  put_element(out, INT8, name, strlen(name));
}

/* Bytes of a matrix element with its tag. */
static uint64_t matrix_size(const char *name, uint64_t content) {
  return 8 + head_size(name) + content;
}

/* ---- texts ----------------------------------------------------------------------- */

/* Letters beyond 16 bits and invalid ones become '?'. */
static size_t to_utf16(const char *text, uint16_t *out, size_t most) {
  size_t n = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c != 0 && n < most; n++) {
    const int extra = *c < 0x80 ? 0 : *c < 0xC2 ? -1 : *c < 0xE0 ? 1 : *c < 0xF0 ? 2 : -1;
    unsigned code = extra == 0 ? *c : extra == 1 ? *c & 31U : *c & 15U;
    bool is_good = extra >= 0;
    for (int i = 1; i <= extra && is_good; i++) {
      is_good = (c[i] & 0xC0) == 0x80;
      code = code << 6 | (c[i] & 63U);
    }
    out[n] = (uint16_t)(is_good ? code : '?');
    c += is_good ? extra + 1 : 1;
  }
  return n;
}

enum { TEXT_MAX = 512 };

static uint64_t text_size(const char *name, const char *text) {
  uint16_t letters[TEXT_MAX];
  return matrix_size(name, 8 + padded(2 * to_utf16(text, letters, TEXT_MAX)));
}

static void put_text(trmi_out *out, const char *name, const char *text) {
  uint16_t letters[TEXT_MAX];
  const size_t n = to_utf16(text, letters, TEXT_MAX);
  put_head(out, CLASS_CHAR, name, n > 0 ? 1 : 0, (long)n, 8 + padded(2 * n));
  put_element(out, UINT16, letters, 2 * n);
}

/* A column of texts; text_at gives entry i. */
typedef const char *(*text_at)(const void *list, int i);

static void put_texts(trmi_out *out, const char *name, const void *list, int count, text_at at) {
  uint64_t content = 0;
  for (int i = 0; i < count; i++) content += text_size("", at(list, i));
  put_head(out, CLASS_CELL, name, count, 1, content);
  for (int i = 0; i < count; i++) put_text(out, "", at(list, i));
}

static const char *signal_name(const void *run, int i) {
  return trm_run_signal(run, i + 1)->name;
}

static const char *signal_unit(const void *run, int i) {
  return trm_run_signal(run, i + 1)->unit;
}

static const char *field_at(const void *fields, int i) {
  return ((const field_name *)fields)[i].text;
}

/* ---- names of fields -------------------------------------------------------------- */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "d(crank.vx)" becomes d_crank_vx. */
static void plain_name(const char *name, char *field) {
  static const char *const keywords[] = {
    "break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function",
    "global", "if", "otherwise", "parfor", "persistent", "return", "spmd", "switch", "try",
    "while", "do", "until", "unwind_protect", "endif", "endfor", "endwhile", "endfunction"};
  int n = 0;
  if (!is_letter(name[0])) field[n++] = 'x';
  for (const char *c = name; *c != '\0' && n < FIELD_MAX - 2; c++) {
    const bool is_plain = is_letter(*c) || (*c >= '0' && *c <= '9');
    if (is_plain) {
      field[n++] = *c;
    } else if (n > 0 && field[n - 1] != '_' && c[1] != '\0') {
      field[n++] = '_';
    }
  }
  while (n > 1 && field[n - 1] == '_') n--;
  field[n] = '\0';
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (strcmp(field, keywords[i]) == 0) field[n] = '_', field[n + 1] = '\0';
  }
}

static bool is_taken(const field_name *fields, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(fields[i].text, name) == 0) return true;
  }
  return false;
}

/* All different: a second crank_x becomes crank_x_2. */
static void name_fields(trm_run *run, field_name *fields, int count) {
  for (int i = 0; i < count; i++) {
    char plain[FIELD_MAX];
    plain_name(signal_name(run, i), plain);
    snprintf(fields[i].text, FIELD_MAX, "%s", plain);
    for (int k = 2; is_taken(fields, i, fields[i].text); k++) {
      snprintf(fields[i].text, FIELD_MAX, "%.*s_%d", FIELD_MAX - 12, plain, k);
    }
  }
}

/* ---- numbers ---------------------------------------------------------------------- */

static uint64_t column_content(long rows) {
  return 8 + 8 * (uint64_t)rows;
}

/* Columns first .. first + count - 1 as matrices, read at once if they fit into the block. */
static trm_status put_columns(trm_run *run, trmi_out *out, const char *name, int first,
                              int count, double *block, trm_error *err) {
  const long rows = trm_run_info_of(run)->nsamples;
  const bool is_whole = rows * count <= BLOCK;
  if (is_whole) TRMI_TRY(err, trm_run_read_block(run, first, count, 0, rows, block, err));
  double piece[1024];
  for (int i = 0; i < count; i++) {
    put_head(out, CLASS_DOUBLE, name, rows, 1, column_content(rows));
    put_tag(out, DOUBLE, 8 * (uint64_t)rows);
    for (long row = 0; row < rows && out->reason == 0; row += 1024) {
      const long n = rows - row < 1024 ? rows - row : 1024;
      for (long k = 0; k < n && is_whole; k++) piece[k] = block[(row + k) * count + i];
      if (!is_whole) TRMI_TRY(err, trm_run_read_range(run, first + i, row, n, piece, err));
      trmi_out_bytes(out, piece, (size_t)n * sizeof *piece);
    }
  }
  return TRM_OK;
}

static trm_status put_signals(trm_run *run, trmi_out *out, const field_name *fields, int count,
                              double *block, trm_error *err) {
  const long rows = trm_run_info_of(run)->nsamples;
  const uint32_t length[2] = {4U << 16 | INT32, FIELD_MAX}; /* readers need the short form here */
  const uint64_t names = (uint64_t)count * FIELD_MAX;
  const uint64_t content = sizeof length + 8 + padded(names) +
                           (uint64_t)count * matrix_size("", column_content(rows));
  if (head_size("signals") + content > VARIABLE_MAX || rows > INT32_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%d signals of %ld samples are too much for a .mat file (2 GB); export .csv, "
                     "or read the run file itself (h5read)", count, rows);
  }
  put_head(out, CLASS_STRUCT, "signals", 1, 1, content);
  trmi_out_bytes(out, length, sizeof length);
  put_element(out, INT8, fields, names);
  const int most = rows < BLOCK ? (int)(BLOCK / rows) : 1; /* columns at a time */
  for (int i = 0; i < count; i += most) {
    const int n = count - i < most ? count - i : most;
    TRMI_TRY(err, put_columns(run, out, "", i + 1, n, block, err));
  }
  return TRM_OK;
}

/* ---- file ------------------------------------------------------------------------- */

static void put_file_head(trmi_out *out) {
  char head[128];
  memset(head, ' ', sizeof head);
  static const char words[] = "MATLAB 5.0 MAT-file, written by trammel";
  memcpy(head, words, sizeof words - 1);
  memset(head + 116, 0, 8);
  const uint16_t version = 0x0100, order = 'M' << 8 | 'I';
  memcpy(head + 124, &version, 2);
  memcpy(head + 126, &order, 2);
  trmi_out_bytes(out, head, sizeof head);
}

trm_status trmi_export_mat(trm_run *run, trmi_out *out, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const int count = info->nsignals - 1; /* without the time */
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  field_name *fields = TRMI_TAKE(&arena, field_name, count);
  const bool is_small = info->nsamples < BLOCK / info->nsignals;
  double *block = TRMI_TAKE(&arena, double, is_small ? info->nsamples * info->nsignals : BLOCK);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    name_fields(run, fields, count);
    put_file_head(out);
    put_text(out, "model", info->model);
    put_text(out, "integrator", info->integrator);
    status = put_columns(run, out, "t", 0, 1, block, err);
  }
  if (status == TRM_OK) {
    put_texts(out, "names", run, count, signal_name);
    put_texts(out, "fields", fields, count, field_at);
    put_texts(out, "units", run, count, signal_unit);
    status = put_signals(run, out, fields, count, block, err);
  }
  trmi_arena_clear(&arena);
  return status;
}
