/* schema.h - every key of a model file: as JSON Schema, for editors and other programs, or as the
 * reference page for users. */
#ifndef TRM_SCHEMA_H
#define TRM_SCHEMA_H
#include "trammel/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Write the JSON Schema of model files.
 *  @param write  receives the text
 *  @param self   first argument of `write`
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_schema_json(trm_writer *write, void *self, trm_error *err);

/** Write the reference page of model files in Markdown, with functions and units. Parameters and
 *  result as of trm_schema_json. */
TRM_API TRM_CHECKED trm_status trm_schema_reference(trm_writer *write, void *self, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
