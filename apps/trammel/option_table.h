/* option_table.h - the table behind options.h, for parsing and help. */
#ifndef APP_OPTION_TABLE_H
#define APP_OPTION_TABLE_H
#include "options.h"
#include <stddef.h>

/* How the value of an option is read, and the type of its member. */
typedef enum app_value {
  APP_VALUE_NONE,     /* no value; bool                                    */
  APP_VALUE_NUMBER,   /* double                                            */
  APP_VALUE_INT,      /* int                                               */
  APP_VALUE_LONG,     /* long                                              */
  APP_VALUE_TEXT,     /* const char *                                      */
  APP_VALUE_STEPS,    /* list of steps for trm_options                     */
  APP_VALUE_PATTERNS, /* list of steps or patterns for converge            */
  APP_VALUE_TOLERANCES,  /* list of numbers for bench                      */
  APP_VALUE_INTEGRATORS, /* list of names for bench                        */
  APP_VALUE_SETTING,  /* PATH=VALUE, added to the settings                 */
  APP_VALUE_MEASURE,  /* [NAME=]REDUCTION(SIGNAL), added to the measures   */
  APP_VALUE_INPUT     /* NAME=VALUE[,RATE], added to the inputs            */
} app_value;

/* Bounds that are excluded. */
enum { APP_OPEN_LOW = 1, APP_OPEN_HIGH = 2 };

typedef struct app_option {
  const char *name;      /* "--end"                                        */
  const char *argument;  /* "T", NULL without value                        */
  app_value   value;
  unsigned    commands;  /* bits                                           */
  size_t      place;     /* offset in app_options                          */
  double      low, high; /* range of numbers                               */
  unsigned    open;      /* APP_OPEN_...                                   */
  const char *help;      /* lines separated by \n; see app_option_help     */
  const char *unit;      /* numbers may have one of its dimension; NULL: no */
} app_option;

extern const app_option app_option_table[APP_OPT_COUNT];

/* option_help.c: the whole help text of an option, with the methods that read it; false: none. */
bool app_option_help(app_option_id id, char *text, size_t size);

#endif
