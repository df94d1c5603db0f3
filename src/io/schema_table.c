/* schema_table.c - the keys of model files, in the order of the reference page. */
#include "io/schema_words.h"
#include "trammel/parts.h"

#define EQUATIONS "equations."
#define SIMULATE "simulate."
#define REPEAT "repeat.*."

/* Words of TRM_FIELDS_WORLD and TRM_FIELDS_ENERGIES, whose keys are at the top of the file and
 * under `equations`. */
#define NUMBERS(size) .types = TRMI_IS_NUMBERS, .sizes = size
#define UNIT(text) .unit = text
#define INITIAL(number) .has_initial = true, .initial = number
#define LIVE .change = TRMI_LIVE
#define EXPRESSION .types = TRMI_IS_EXPRESSION
#define ROW(S, STORE, name, key, ...) {.path = key, .member = #name, __VA_ARGS__},
#define ROW_OF_EQUATIONS(S, STORE, name, key, ...) \
  {.path = EQUATIONS key, .member = #name, __VA_ARGS__},
/* A section of parts. */
#define SECTION(group) .types = NAMES, .parts = group

/* clang-format off */
static const trmi_field table[] = {
  {.path = "", .types = MAP, .meaning = "A model file."},
  {.path = "trammel", .types = COUNT, .is_required = true,
   .meaning = "Version of the format; the first key. This is version 1."},
  {.path = "name", .types = TEXT, .fallback = "name of the file",
   .meaning = "Name of the model in results."},
  {.path = "summary", .types = TEXT, .fallback = "first comment",
   .meaning = "One line that describes the model."},
  {.path = "include", .types = TEXT | TEXTS,
   .meaning = "Files whose keys are added to this one, relative to it. Values of this file "
              "replace theirs; a value that two included files give is an error."},
  {.path = "units", .types = MAP | TEXT, .fallback = "SI",
   .meaning = "Units of numbers without a unit: SI, or four units with a dash between, "
              "N-kg-ms-mm, lbf-lbm-in-s, mm-t-s-N; or one by one."},
  {.path = "units.length", .types = TEXT, .unit = "m", .fallback = "m",
   .meaning = "Unit of length."},
  {.path = "units.mass", .types = TEXT, .unit = "kg", .fallback = "kg", .meaning = "Unit of mass."},
  {.path = "units.time", .types = TEXT, .unit = "s", .fallback = "s", .meaning = "Unit of time."},
  {.path = "units.force", .types = TEXT, .unit = "N", .fallback = "mass length/time^2",
   .meaning = "Unit of force. It may be any: N with kg, mm and ms is allowed."},
  {.path = "parameters", .types = NAMES,
   .meaning = "Numbers by name, each an expression of others, in any order. They never change "
              "in a run; --set NAME=VALUE replaces one."},
  {.path = "parameters.*", .types = NUMBER, LIVE,
   .meaning = "Value of the parameter. A parameter on which the parts of the model depend is "
              "structural."},
  {.path = "tables", SECTION(TRMI_TABLES),
   .meaning = "Curves by points, used in expressions by AKISPL, CUBSPL and similar functions."},

  {.path = "equations", .types = MAP,
   .meaning = "Typed equations; a model has these, bodies or both."},
  TRM_FIELDS_ENERGIES(ROW_OF_EQUATIONS, )
  {.path = EQUATIONS "coordinates", SECTION(TRMI_COORDINATES),
   .meaning = "Unknowns of second order. x' and x'' are their rates in expressions."},
  {.path = EQUATIONS "mass", SECTION(TRMI_MASSES),
   .meaning = "Entries of the mass matrix, instead of kinetic: x: m on the diagonal, "
              "\"x, y\": m off the diagonal (and at y, x)."},
  {.path = EQUATIONS "forces", SECTION(TRMI_COORDINATE_FORCES),
   .meaning = "Generalized forces by coordinate; they add to those of the energies."},
  {.path = EQUATIONS "constraints", SECTION(TRMI_HOLONOMIC),
   .meaning = "Equations between coordinates (and the time) by name."},
  {.path = EQUATIONS "nonholonomic", SECTION(TRMI_NONHOLONOMIC),
   .meaning = "Equations linear in velocities by name: rolling, skates."},
  {.path = EQUATIONS "states", SECTION(TRMI_STATES), .meaning = "Unknowns of first order."},
  {.path = EQUATIONS "variables", SECTION(TRMI_VARIABLES),
   .meaning = "Names for expressions; they may depend on each other in loops."},
  {.path = EQUATIONS "discrete", SECTION(TRMI_DISCRETE),
   .meaning = "Values that change only at events."},
  {.path = EQUATIONS "events", SECTION(TRMI_EVENTS),
   .meaning = "Changes of values when an expression crosses zero, or at regular times."},

  {.path = "inputs", SECTION(TRMI_INPUTS),
   .meaning = "Values that are set from outside while the model runs: --input, trm_sim_input. "
              "Expressions of forces, states, variables, events and outputs know their names."},

  {.path = "outputs", SECTION(TRMI_OUTPUTS), .meaning = "Expressions shown with the results."},
  {.path = "show", SECTION(TRMI_DRAWN),
   .meaning = "Points and lines that the page draws, for equations that have no shapes."},
  {.path = "measures", .types = NAMES, .names = TRMI_NAME_TEXT,
   .meaning = "Numbers of a run by name: an output, a coordinate or any expression, reduced by "
              "max(load), min, rms, mean, final, at(load, 20 ms), or crossing(load, 3), the time "
              "at which it first reaches 3. They are exact on the dense output and shown in the "
              "summary and in JSON."},
  {.path = "measures.*", .types = TEXT, .meaning = "The reduction."},

  {.path = "simulate", .types = MAP,
   .meaning = "How to run the model. Options of the command line have the same names and win."},
  {.path = SIMULATE "start", .types = NUMBER, .unit = "s", .fallback = "0",
   .meaning = "Time of the start."},
  {.path = SIMULATE "end", .types = NUMBER, .unit = "s",
   .meaning = "End of the run; needed here or on the command line."},
  {.path = SIMULATE "tolerance", .types = NUMBER, .unit = "1", .fallback = "1e-5",
   BETWEEN(1e-15, 1), .meaning = "Local error of a step, relative to the scales of the model."},
  {.path = SIMULATE "step", .types = NUMBER | NUMBERS, .unit = "s", POSITIVE,
   .meaning = "Instead of a tolerance: a fixed step, or a list of up to 8 taken in turn."},
  {.path = SIMULATE "step_max", .types = NUMBER, .unit = "s", .fallback = "no limit", POSITIVE,
   .meaning = "Largest step under error control."},
  {.path = SIMULATE "step_min", .types = NUMBER, .unit = "s", .fallback = "1e-14 of the run",
   POSITIVE, .meaning = "Smallest step under error control."},
  {.path = SIMULATE "step_first", .types = NUMBER, .unit = "s", .fallback = "chosen", POSITIVE,
   .meaning = "First step under error control."},
  {.path = SIMULATE "integrator", .types = WORD,
   .choice_at = trmi_schema_method_at, .write_fallback = trmi_schema_usual_method,
   .write_meaning = trmi_schema_methods},
  {.path = SIMULATE "formulation", .types = WORD,
   .choice_at = trmi_schema_formulation_at, .write_fallback = trmi_schema_usual_formulations,
   .write_meaning = trmi_schema_formulations},
  {.path = SIMULATE "solver", .types = WORD, .choices = "auto|block|klu|dense", .fallback = "auto",
   .meaning = "Linear solver."},
  {.path = SIMULATE "alpha", .types = NUMBER, .unit = "1", .fallback = "-0.3",
   BETWEEN(-1.0 / 3.0, 0), .reads = TRM_READS_ALPHA,
   .meaning = "numerical damping, -1/3 (most) to 0 (none)."},
  {.path = SIMULATE "rho", .types = NUMBER, .unit = "1", .fallback = "0.5", BETWEEN(0, 1),
   .reads = TRM_READS_RHO, .meaning = "spectral radius at infinity."},
  {.path = SIMULATE "alpha_m", .types = NUMBER, .unit = "1", .low = -10, .high = 1,
   .open = TRMI_OPEN_HIGH, .meaning = "The four coefficients themselves, all or none."},
  {.path = SIMULATE "alpha_f", .types = NUMBER, .unit = "1", .low = -10, .high = 1,
   .open = TRMI_OPEN_HIGH, .meaning = "See alpha_m."},
  {.path = SIMULATE "beta", .types = NUMBER, .unit = "1", .low = 0, .high = 10,
   .open = TRMI_OPEN_LOW, .meaning = "See alpha_m."},
  {.path = SIMULATE "gamma", .types = NUMBER, .unit = "1", .low = 0, .high = 10,
   .open = TRMI_OPEN_LOW, .meaning = "See alpha_m."},
  {.path = SIMULATE "max_order", .types = COUNT, .fallback = "all; 5 or 2 with fixed steps",
   BETWEEN(1, 13), .reads = TRM_READS_MAX_ORDER,
   .meaning = "largest order; with fixed steps the order itself. ",
   .write_meaning = trmi_schema_orders},
  {.path = SIMULATE "error_in", .types = WORD, .choices = "positions|velocities",
   .fallback = "positions", .reads = TRM_READS_ERROR_IN,
   .meaning = "the local error is tested in positions and states, or in velocities as well."},
  {.path = SIMULATE "scaling", .types = WORD, .choices = "auto|a|b|c", .fallback = "auto",
   .reads = TRM_READS_SCALING,
   .meaning = "scaling of the Newton matrix: positions as unknowns (a), accelerations (b), or "
              "these with constraints over powers of the step (c, auto). Results differ by "
              "rounding."},
  {.path = SIMULATE "passes", .types = COUNT, .fallback = "as many as are needed", BETWEEN(2, 100),
   .reads = TRM_READS_PASSES, .meaning = "passes of a step."},
  {.path = SIMULATE "step_control", .types = WORD, .choices = "local|energy", .fallback = "local",
   .reads = TRM_READS_ENERGY,
   .meaning = "local error, or relative change of the total energy below the tolerance."},
  {.path = SIMULATE "energy_datum", .types = NUMBER, .unit = "J", .fallback = "0",
   .meaning = "Energy that counts as zero."},
  {.path = SIMULATE "energy_repetitions", .types = COUNT, .fallback = "3", BETWEEN(1, 1000),
   .meaning = "Largest number of repeats of a step; after that it is accepted."},
  {.path = SIMULATE "energy_wait", .types = COUNT, .fallback = "8", BETWEEN(1, 1000000),
   .meaning = "Steps in a row with little change before growth."},
  {.path = SIMULATE "energy_accept", .types = NUMBER, .unit = "1", .fallback = "1", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "Change that is accepted, over the tolerance."},
  {.path = SIMULATE "energy_reduce", .types = NUMBER, .unit = "1", .fallback = "0.95", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "The goal of a repetition."},
  {.path = SIMULATE "energy_grow", .types = NUMBER, .unit = "1", .fallback = "0.6", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "The bound below which a repetition stops."},
  {.path = SIMULATE "energy_from", .types = NUMBER, .unit = "s", .fallback = "always",
   .meaning = "Start of the control by energy; before it the local error controls."},
  {.path = SIMULATE "energy_to", .types = NUMBER, .unit = "s", .fallback = "always",
   .meaning = "End of the control by energy."},
  {.path = SIMULATE "max_iterations", .types = COUNT, .fallback = "10", BETWEEN(1, 1000),
   .meaning = "Newton iterations of one attempt."},
  {.path = SIMULATE "newton_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-4 to 1e-2 of the tolerance",
   .meaning = "Error left by Newton in scaled positions."},
  {.path = SIMULATE "constraint_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-9",
   .meaning = "Constraint violation left in a step, scaled."},
  {.path = SIMULATE "impact_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 0.1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-3",
   .meaning = "Error of the speed in a step of an impact on a stop, as part of the speed before."},
  {.path = SIMULATE "outputs", .types = COUNT, BETWEEN(1, COUNT_MAX),
   .meaning = "Number of equal intervals, with samples at their ends."},
  {.path = SIMULATE "output_step", .types = NUMBER, .unit = "s", POSITIVE,
   .meaning = "Or the time from sample to sample."},
  {.path = SIMULATE "checkpoint_steps", .types = COUNT, .fallback = "100", BETWEEN(1, COUNT_MAX),
   .meaning = "Accepted steps from checkpoint to checkpoint."},
  {.path = SIMULATE "max_steps", .types = COUNT, .fallback = "no limit", BETWEEN(1, COUNT_MAX),
   .meaning = "Largest number of attempted steps; then the run ends with an error."},

  TRM_FIELDS_WORLD(ROW, )
  {.path = "bodies", SECTION(TRMI_BODIES),
   .meaning = "Rigid bodies by name; `ground` is the body that does not move and may have markers "
              "and shapes here. Expressions know crank.x, crank.q0, crank.wx and the markers, "
              "crank.end.z."},
  {.path = "joints", SECTION(TRMI_JOINTS),
   .meaning = "Joints by name: between two bodies at a place, between two markers, or between "
              "joints. Expressions know their coordinates and reactions, pin.angle, pin.force.z."},
  {.path = "motions", SECTION(TRMI_MOTIONS),
   .meaning = "Prescribed motion of joints by name; drive.force is the force it needs."},
  {.path = "forces", SECTION(TRMI_FORCES),
   .meaning = "Forces and torques by name, also those of springs and bushings: on a body, or "
              "between two of them (on the second, back on the first). Expressions know "
              "strut.length, strut.rate and strut.force (positive: it pushes apart), "
              "mount.force.x, mount.A.torque.z (on the second body) and the deformations mount.x "
              "to mount.rz."},
  {.path = "beams", SECTION(TRMI_BEAMS),
   .meaning = "Flexible beams by name, with large displacements and rotations; a section has "
              "stiffness, or E, G, area, Iy, Iz and J. Nodes are bodies rod.1, rod.2 .. for "
              "joints, forces and expressions; rod.first and rod.last are the ends. Expressions "
              "know rod.element2.force.x and .moment.x, in axes of the section in the middle of "
              "an element."},
  {.path = "flexible", SECTION(TRMI_FLEXIBLE),
   .meaning = "Flexible bodies from meshes by name: a frame that moves by any amount, and small "
              "strains on it as a sum of modes. Interfaces are frames rod.big for joints, forces "
              "and expressions; expressions also know the modal coordinates, rod.mode3."},
  {.path = "contacts", SECTION(TRMI_CONTACTS),
   .meaning = "Contacts between shapes of two bodies by name. Expressions know bounce.force (the "
              "normal force), bounce.gap, bounce.slip, bounce.friction, bounce.sticks, "
              "bounce.force.x (on the second body), bounce.point.x and bounce.touching (points "
              "that touch)."},
  {.path = "groups", SECTION(TRMI_GROUPS),
   .meaning = "Groups of bodies or shapes by name, for contacts between many."},

  {.path = "repeat", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Blocks of parts that are copied, for chains and rows of equal parts. In names and "
              "texts of a block <i>, <i+1>, <2*i-n>, without blanks, is replaced by its number."},
  {.path = "repeat.*", .types = MAP, .meaning = "One block."},
  {.path = REPEAT "count", .types = COUNT, .unit = "1", .is_required = true, BETWEEN(0, 1e6),
   .meaning = "Number of copies."},
  {.path = REPEAT "index", .types = TEXT, .fallback = "i",
   .meaning = "Name of the index; it is used in <..> only, together with whole parameters."},
  {.path = REPEAT "from", .types = COUNT, .unit = "1", .fallback = "1", BETWEEN(-1e6, 1e6),
   .meaning = "Index of the first copy."},
  {.path = REPEAT "parameters", .types = PARTS,
   .meaning = "Parameters. They are copied first: all parts may use them."},
  {.path = REPEAT "bodies", .types = PARTS, .meaning = "Bodies, with keys as in bodies."},
  {.path = REPEAT "beams", .types = PARTS, .meaning = "Beams."},
  {.path = REPEAT "flexible", .types = PARTS, .meaning = "Flexible bodies."},
  {.path = REPEAT "joints", .types = PARTS, .meaning = "Joints."},
  {.path = REPEAT "motions", .types = PARTS, .meaning = "Motions."},
  {.path = REPEAT "forces", .types = PARTS, .meaning = "Forces."},
  {.path = REPEAT "contacts", .types = PARTS, .meaning = "Contacts."},
  {.path = REPEAT "tables", .types = PARTS, .meaning = "Tables."},
  {.path = REPEAT "equations", .types = PARTS,
   .meaning = "Coordinates, mass, forces, constraints, states, variables, discrete values and "
              "events, in sections as in equations."},
  {.path = REPEAT "inputs", .types = PARTS, .meaning = "Inputs."},
  {.path = REPEAT "outputs", .types = PARTS, .meaning = "Outputs."},
  {.path = REPEAT "show", .types = PARTS, .meaning = "Points and lines."},
  {.path = REPEAT "measures", .types = PARTS, .meaning = "Measures."},
  {.path = NULL},
};
/* clang-format on */

const trmi_field *trmi_schema_at(int i) {
  return table[i].path != NULL ? &table[i] : NULL;
}
