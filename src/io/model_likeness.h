/* model_likeness.h - could a text be part of a model? Messages quote words of the files that a
 * model includes; words of any other file must not be shown to everyone who runs the model. */
#ifndef TRMI_MODEL_LIKENESS_H
#define TRMI_MODEL_LIKENESS_H
#include <stdbool.h>
#include <stddef.h>

/* True if a line begins with a key of a model file and a colon. */
bool trmi_is_like_a_model(const char *text, size_t length);

#endif
