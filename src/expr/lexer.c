/* lexer.c - letters, numbers and positions. Texts must be UTF-8; others are reported. */
#include "expr/lexer.h"
#include "trammel/nearest.h"
#include "expr/functions.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* digits of a number; primes of a name; letters of a word in a sentence */
enum { DIGITS_MAX = 800, PRIMES_MAX = 99, CLIP_MAX = 60, WORD_MAX = 64 };

/* ---- places ---- */

static bool is_inside_letter(const trmi_text *t, size_t offset) {
  return offset < t->length && ((unsigned char)t->text[offset] & 0xc0) == 0x80;
}

static trmi_cursor cursor_at_anchor(const trmi_text *t, int anchor) {
  if (t->nanchors == 0) return (trmi_cursor){.anchor = -1, .place = {.line = 1, .column = 1}};
  return (trmi_cursor){
      .offset = t->anchors[anchor].offset, .anchor = anchor, .place = t->anchors[anchor].place};
}

/* Advance by one byte. A line without an anchor of its own begins in column 1. */
static void step_on(const trmi_text *t, trmi_cursor *c) {
  const bool was_line_end = t->text[c->offset] == '\n';
  c->offset++;
  if (was_line_end) {
    c->place.line++;
    c->place.column = 1;
  } else if (!is_inside_letter(t, c->offset)) {
    c->place.column++;
  }
  while (c->anchor + 1 < t->nanchors && t->anchors[c->anchor + 1].offset <= c->offset) {
    c->anchor++;
    c->place = t->anchors[c->anchor].place;
  }
}

trmi_place trmi_text_place(const trmi_text *text, size_t offset) {
  int low = 0, high = text->nanchors; /* the last anchor up to offset is in low .. high - 1 */
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (text->anchors[middle].offset <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  trmi_cursor c = cursor_at_anchor(text, low);
  while (c.offset < offset && c.offset < text->length) step_on(text, &c);
  return c.place;
}

/* ---- letters ---- */

/* Bytes of the letter at offset and its code; 0 bytes if this is not UTF-8. */
static size_t decode(const trmi_text *t, size_t offset, unsigned *code) {
  const unsigned char *s = (const unsigned char *)t->text + offset;
  const size_t left = t->length - offset;
  const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  if (n == 0 || n > left || s[0] > 0xf4) return 0;
  unsigned value = n == 1 ? s[0] : s[0] & (0x7fU >> n);
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    value = value << 6 | (s[i] & 0x3fU);
  }
  const bool is_long = (n == 3 && value < 0x800) || (n == 4 && value < 0x10000);
  if (is_long || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
  *code = value;
  return n;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Letters of names beyond ASCII: alphabets, not punctuation, arrows or signs of maths. */
static bool is_foreign_letter(unsigned code) {
  if (code == 0xd7 || code == 0xf7) return false;
  return code == 0xb5 || (code >= 0xc0 && code < 0x2000) || (code >= 0x2c00 && code < 0x3000) ||
         (code >= 0x3040 && code < 0xd800);
}

/* Bytes of a letter of a name at offset, 0 if there is none. */
static size_t letter_at(const trmi_text *t, size_t offset, bool is_first) {
  if (offset >= t->length) return 0;
  const char c = t->text[offset];
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return 1;
  if (!is_first && is_digit(c)) return 1;
  unsigned code;
  if ((unsigned char)c < 0x80) return 0;
  const size_t n = decode(t, offset, &code);
  return n > 0 && is_foreign_letter(code) ? n : 0;
}

/* Bytes of a word (without dots) at offset. */
static size_t word_at(const trmi_text *t, size_t offset, bool is_name) {
  size_t end = offset, n;
  while ((n = letter_at(t, end, is_name && end == offset)) > 0) end += n;
  return end - offset;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int trmi_clip(const char *text, size_t length) {
  size_t n = length < CLIP_MAX ? length : CLIP_MAX;
  while (n > 0 && n < length && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  return (int)n;
}

/* ---- faults ---- */

void trmi_lexer_stop(trmi_lexer *lexer) {
  lexer->failed = true;
  lexer->token.kind = TRMI_TOKEN_END;
}

void trmi_lexer_fault(trmi_lexer *lexer, trmi_place place, const char *fmt, ...) {
  if (!lexer->failed) {
    char sentence[TRMI_SENTENCE_MAX];
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    if (n >= 0) trmi_complain(lexer->parser->complaints, place, "%s", sentence);
  }
  trmi_lexer_stop(lexer);
}

bool trmi_scope_knows(const trmi_scope *scope, const char *name, size_t length) {
  if (scope->known == NULL) return false;
  const char *known;
  for (int i = 0; (known = scope->known(scope->self, i)) != NULL; i++) {
    if (strlen(known) == length && memcmp(known, name, length) == 0) return true;
  }
  return false;
}

/* Similar-looking signs, and what to write instead. */
static const struct {
  unsigned    code;
  const char *instead;
} LOOKALIKES[] = {
    {0x2212, "'-'"},  {0x2013, "'-'"},   {0x2014, "'-'"},  {0xd7, "'*'"},    {0xb7, "'*'"},
    {0x22c5, "'*'"},  {0xf7, "'/'"},     {0x2215, "'/'"},  {0x2019, "\"'\""}, {0x2018, "\"'\""},
    {0x201c, "'\"'"}, {0x201d, "'\"'"}, {0x201e, "'\"'"}, {0xab, "'\"'"},  {0xbb, "'\"'"},
    {0x2032, "\"'\""}, {0x2264, "'<='"}, {0x2265, "'>='"}, {0x2260, "'!='"}, {0xb2, "'^2'"},
    {0xb3, "'^3'"},   {0x221a, "sqrt()"}, {0xa0, "a blank"}, {0xb0, "deg"},
};

const char *trmi_odd_quotes(const char *text) {
  const trmi_text first = {.text = text, .length = strlen(text)};
  unsigned code = 0;
  if (first.length == 0 || decode(&first, 0, &code) == 0) return "";
  const bool is_quote = (code >= 0x2018 && code <= 0x201f) || code == 0xab || code == 0xbb;
  return is_quote ? ": typographic quotes are letters here, write \" or '" : "";
}

static void fault_of_letter(trmi_lexer *lx, trmi_place place, size_t offset) {
  const unsigned char byte = (unsigned char)lx->text->text[offset];
  unsigned code = 0;
  const size_t n = decode(lx->text, offset, &code);
  if (n == 0) {
    trmi_lexer_fault(lx, place, "the byte 0x%02x is not text: expressions are UTF-8", byte);
    return;
  }
  if (code < 0x20 || code == 0x7f) {
    trmi_lexer_fault(lx, place, "a control character (code %u) is not allowed here", code);
    return;
  }
  for (size_t i = 0; i < sizeof LOOKALIKES / sizeof LOOKALIKES[0]; i++) {
    if (LOOKALIKES[i].code != code) continue;
    trmi_lexer_fault(lx, place, "'%.*s' (U+%04X) is not read here; write %s", (int)n,
                     lx->text->text + offset, code, LOOKALIKES[i].instead);
    return;
  }
  trmi_lexer_fault(lx, place, "'%.*s' has no meaning in an expression%s", (int)n,
                   lx->text->text + offset,
                   code == '?'   ? "; a choice is written as if(x > 0, a, b)"
                   : code == '"' ? "; rates have single primes, x' and x''"
                   : code == '&' ? "; write and"
                   : code == '|' ? "; write or"
                                 : "");
}

/* ---- numbers ---- */

static void move_to(trmi_lexer *lx, size_t offset) {
  while (lx->cursor.offset < offset) step_on(lx->text, &lx->cursor);
}

static void skip_blanks(trmi_lexer *lx) {
  const trmi_text *t = lx->text;
  while (lx->cursor.offset < t->length && is_blank(t->text[lx->cursor.offset])) {
    step_on(t, &lx->cursor);
  }
}

static size_t count_digits(const trmi_text *t, size_t offset) {
  size_t end = offset;
  while (end < t->length && is_digit(t->text[end])) end++;
  return end - offset;
}

/* The exponent after a number, "e-3"; returns its length. */
static size_t read_exponent(const trmi_text *t, size_t offset, long *exponent) {
  *exponent = 0;
  if (offset >= t->length || (t->text[offset] != 'e' && t->text[offset] != 'E')) return 0;
  size_t at = offset + 1;
  const bool is_negative = at < t->length && t->text[at] == '-';
  if (at < t->length && (t->text[at] == '-' || t->text[at] == '+')) at++;
  const size_t n = count_digits(t, at);
  if (n == 0) return 0;
  for (size_t i = 0; i < n && *exponent < 100000; i++) {
    *exponent = *exponent * 10 + (t->text[at + i] - '0');
  }
  if (is_negative) *exponent = -*exponent;
  return at + n - offset;
}

/* Up to 15 digits and powers of ten up to 22 are exact numbers, so their product or quotient is
 * rounded once, like the result of strtod. False: more digits. */
static bool convert_short(const char *digits, size_t n, long exponent, double *value) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double number = 0.0;
  if (n > 15 || exponent < -22 || exponent > 22) return false;
  for (size_t i = 0; i < n; i++) number = 10.0 * number + (digits[i] - '0');
  *value = exponent < 0 ? number / tens[-exponent] : number * tens[exponent];
  return true;
}

/* Digits without the point and one exponent: what strtod reads in every country. */
static double convert(const trmi_text *t, size_t offset, size_t whole, size_t part, long exponent) {
  char digits[DIGITS_MAX + 32];
  size_t n = 0;
  double value;
  for (size_t i = 0; i < whole; i++) digits[n++] = t->text[offset + i];
  for (size_t i = 0; i < part; i++) digits[n++] = t->text[offset + whole + 1 + i];
  if (convert_short(digits, n, exponent - (long)part, &value)) return value;
  snprintf(digits + n, sizeof digits - n, "e%ld", exponent - (long)part);
  return strtod(digits, NULL);
}

static bool has_other_digit_than_zero(const char *text, size_t length) {
  for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
    if (text[i] >= '1' && text[i] <= '9') return true;
  }
  return false;
}

static void read_digits(trmi_lexer *lx) {
  const trmi_text *t = lx->text;
  const size_t offset = lx->cursor.offset;
  const size_t whole = count_digits(t, offset);
  size_t at = offset + whole, part = 0;
  if (at < t->length && t->text[at] == '.') {
    part = count_digits(t, at + 1);
    at += 1 + part;
  }
  long exponent;
  at += read_exponent(t, at, &exponent);
  trmi_token *token = &lx->token;
  token->length = at - offset;
  if (whole + part > DIGITS_MAX) {
    trmi_lexer_fault(lx, token->place, "this number has more than %d digits", DIGITS_MAX);
    return;
  }
  token->value = convert(t, offset, whole, part, exponent);
  const bool is_lost = token->value == 0.0 && has_other_digit_than_zero(token->text, token->length);
  if (!isfinite(token->value) || is_lost) {
    trmi_lexer_fault(lx, token->place, "%.*s is too %s for a number",
                     trmi_clip(token->text, token->length), token->text,
                     is_lost ? "small" : "large");
    return;
  }
  move_to(lx, at);
}

/* Division by whole numbers rounds once: 35 mm is 0.035 m, to the last digit. */
static double in_units(double value, double factor) {
  const double inverse = 1.0 / factor;
  return factor < 1.0 && inverse == round(inverse) && inverse < 1e15 ? value / inverse
                                                                     : value * factor;
}

/* After `*` a unit that is also a name of the model is ambiguous. */
static void note_doubt(trmi_lexer *lx, const char *unit, size_t length) {
  for (size_t i = 1; i + 1 < length; i++) {
    if (unit[i] != '*' || unit[i - 1] == '*' || unit[i + 1] == '*') continue;
    size_t n = 0;
    while (i + 1 + n < length && strchr("*/^", unit[i + 1 + n]) == NULL) n++;
    if (!trmi_scope_knows(lx->parser->scope, unit + i + 1, n)) continue;
    lx->token.doubt = unit + i + 1;
    lx->token.doubt_length = n;
    return;
  }
}

static bool is_logic_word(const char *word, size_t length, trmi_token_kind *kind);

/* The unit after a number, if there is one. */
static void read_unit(trmi_lexer *lx) {
  const trmi_text *t = lx->text;
  skip_blanks(lx);
  const size_t at = lx->cursor.offset;
  const size_t word = word_at(t, at, true);
  trmi_token_kind kind;
  if (word == 0 || is_logic_word(t->text + at, word, &kind)) return;
  double factor;
  const size_t used = trmi_unit_read(t->text + at, t->length - at, lx->parser->units,
                                     &lx->token.dimension, &factor);
  if (used == 0) {
    trmi_lexer_fault_unit(lx, t->text + at, word);
    return;
  }
  lx->token.value = in_units(lx->token.value, factor);
  if (!isfinite(lx->token.value)) {
    trmi_lexer_fault(lx, lx->token.place, "this is too large in the units of the model");
    return;
  }
  note_doubt(lx, t->text + at, used);
  move_to(lx, at + used);
  skip_blanks(lx);
  const char *rest = t->text + lx->cursor.offset;
  const size_t left = t->length - lx->cursor.offset;
  if ((left > 0 && rest[0] == '^') || (left > 1 && rest[0] == '*' && rest[1] == '*')) {
    trmi_lexer_fault(lx, lx->cursor.place,
                     "the exponent of a unit is a number as -2 or 1.5 right behind it; for a "
                     "power of the quantity write parentheses: (2 m)^x");
  }
}

/* ---- names and signs ---- */

static bool is_same_word(const char *word, size_t length, const char *known) {
  if (strlen(known) != length) return false;
  for (size_t i = 0; i < length; i++) {
    const char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
    if (c != known[i]) return false;
  }
  return true;
}

static bool is_logic_word(const char *word, size_t length, trmi_token_kind *kind) {
  static const struct {
    const char     *word;
    trmi_token_kind kind;
  } words[] = {{"and", TRMI_TOKEN_AND}, {"or", TRMI_TOKEN_OR}, {"not", TRMI_TOKEN_NOT}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (!is_same_word(word, length, words[i].word)) continue;
    *kind = words[i].kind;
    return true;
  }
  return false;
}

/* Words joined by dots, then primes. After a dot a word may begin with a digit: rod.3.x */
static void read_name(trmi_lexer *lx) {
  const trmi_text *t = lx->text;
  trmi_token *token = &lx->token;
  size_t end = lx->cursor.offset + word_at(t, lx->cursor.offset, true);
  while (end < t->length && t->text[end] == '.' && letter_at(t, end + 1, false) > 0) {
    end += 1 + word_at(t, end + 1, false);
  }
  token->kind = TRMI_TOKEN_NAME;
  token->length = end - lx->cursor.offset;
  is_logic_word(token->text, token->length, &token->kind);
  if (token->kind == TRMI_TOKEN_NAME) {
    while (end < t->length && t->text[end] == '\'') {
      if (token->primes < PRIMES_MAX) token->primes++;
      end++;
    }
  }
  move_to(lx, end);
}

/* Longer signs first. */
static const struct {
  const char     *sign;
  trmi_token_kind kind;
} SIGNS[] = {
    {"**", TRMI_TOKEN_POWER},         {"<=", TRMI_TOKEN_LESS_EQUAL},
    {">=", TRMI_TOKEN_GREATER_EQUAL}, {"==", TRMI_TOKEN_EQUAL},
    {"!=", TRMI_TOKEN_NOT_EQUAL},     {"&&", TRMI_TOKEN_AND},
    {"||", TRMI_TOKEN_OR},            {"(", TRMI_TOKEN_OPEN},
    {")", TRMI_TOKEN_CLOSE},          {",", TRMI_TOKEN_COMMA},
    {"+", TRMI_TOKEN_PLUS},           {"-", TRMI_TOKEN_MINUS},
    {"*", TRMI_TOKEN_TIMES},          {"/", TRMI_TOKEN_OVER},
    {"^", TRMI_TOKEN_POWER},          {"<", TRMI_TOKEN_LESS},
    {">", TRMI_TOKEN_GREATER},        {"!", TRMI_TOKEN_NOT},
    {":", TRMI_TOKEN_COLON},
};

static void read_sign(trmi_lexer *lx) {
  const char *rest = lx->token.text;
  const size_t left = lx->text->length - lx->cursor.offset;
  for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
    const size_t n = strlen(SIGNS[i].sign);
    if (n > left || memcmp(rest, SIGNS[i].sign, n) != 0) continue;
    lx->token.kind = SIGNS[i].kind;
    lx->token.length = n;
    move_to(lx, lx->cursor.offset + n);
    return;
  }
  const trmi_place place = lx->token.place;
  switch (rest[0]) {
  case '=': trmi_lexer_fault(lx, place, "'=' compares nothing; write '==' or '<='"); break;
  case '\'': trmi_lexer_fault(lx, place, "a prime may only follow a name, as in x'"); break;
  case ';': trmi_lexer_fault(lx, place, "arguments are separated by ',', not by ';'"); break;
  case '[':
  case '{': trmi_lexer_fault(lx, place, "'%c' has no meaning here; write '('", rest[0]); break;
  case ']':
  case '}': trmi_lexer_fault(lx, place, "'%c' has no meaning here; write ')'", rest[0]); break;
  case '%': trmi_lexer_fault(lx, place, "'%%' has no meaning here; write 0.05 for 5 %%"); break;
  default: fault_of_letter(lx, place, lx->cursor.offset); break;
  }
}

void trmi_lexer_next(trmi_lexer *lexer) {
  if (lexer->failed) return;
  const trmi_text *t = lexer->text;
  skip_blanks(lexer);
  const size_t at = lexer->cursor.offset;
  lexer->token = (trmi_token){.place = lexer->cursor.place, .text = t->text + at};
  if (at >= t->length) return;
  const char c = t->text[at];
  const bool is_number =
      is_digit(c) || (c == '.' && at + 1 < t->length && is_digit(t->text[at + 1]));
  if (is_number) {
    lexer->token.kind = TRMI_TOKEN_NUMBER;
    read_digits(lexer);
    if (!lexer->failed) read_unit(lexer);
  } else if (letter_at(t, at, true) > 0) {
    read_name(lexer);
  } else {
    read_sign(lexer);
  }
}

void trmi_lexer_start(trmi_lexer *lexer, const trmi_parser *parser, const trmi_text *text) {
  *lexer = (trmi_lexer){.parser = parser, .text = text, .cursor = cursor_at_anchor(text, 0)};
  lexer->cursor.offset = 0;
  trmi_lexer_next(lexer);
}
