/* test_graph.c - nodes are shared and folded, gradients are exact, the tape computes what was
 * asked for. Expressions are made at random; their values come from trmi_apply. */
#include "kit.h"
#include "expr/tape.h"
#include <string.h>

enum { SYMBOLS = 4, NODES = 60 };

typedef struct garden {
  trmi_graph graph;
  trmi_walk  walk;
  trmi_node  symbols[SYMBOLS], nodes[NODES];
  trmi_arena arena;
  unsigned   seed;
} garden;

static unsigned draw(garden *g, unsigned below) {
  g->seed = g->seed * 1664525U + 1013904223U;
  return (g->seed >> 8) % below;
}

static trmi_node any_node(garden *g, int made) {
  return g->nodes[draw(g, (unsigned)made)];
}

/* Functions that are smooth and finite wherever the others lead. */
static trmi_node make(garden *g, int made) {
  trmi_graph *graph = &g->graph;
  const trmi_node a = any_node(g, made), b = any_node(g, made);
  const trmi_node one = trmi_constant(graph, 1.0), square = trmi_mul(graph, a, a);
  static const trmi_op smooth[] = {TRMI_OP_SIN, TRMI_OP_COS, TRMI_OP_TANH, TRMI_OP_ATAN,
                                   TRMI_OP_ASINH};
  const trmi_node bounded = trmi_function(graph, TRMI_OP_SIN, a);
  switch (draw(g, 14)) {
  case 0: return trmi_add(graph, a, b);
  case 1: return trmi_sub(graph, a, b);
  case 2: return trmi_mul(graph, bounded, b);
  case 3: return trmi_div(graph, b, trmi_add(graph, one, square));
  case 4: return trmi_neg(graph, a);
  case 5: return trmi_function(graph, TRMI_OP_SQRT, trmi_add(graph, one, square));
  case 6: return trmi_function(graph, TRMI_OP_EXP, bounded);
  case 7: return trmi_function(graph, TRMI_OP_LOG, trmi_add(graph, one, square));
  case 8: return trmi_function(graph, TRMI_OP_ASIN, trmi_mul(graph, trmi_constant(graph, 0.5),
                                                              bounded));
  case 9: return trmi_atan2(graph, a, trmi_add(graph, one, trmi_mul(graph, b, b)));
  case 10: return trmi_pow(graph, trmi_add(graph, one, square), trmi_constant(graph, 0.7));
  case 11: return trmi_function(graph, TRMI_OP_COSH, bounded);
  case 12: return trmi_mul(graph, trmi_constant(graph, 1.5), a);
  default: return trmi_function(graph, smooth[draw(g, 5)], a);
  }
}

static void plant(garden *g, unsigned seed) {
  *g = (garden){.seed = seed};
  trmi_graph_init(&g->graph, NULL, 0);
  trmi_walk_init(&g->walk, &g->graph);
  trmi_arena_init(&g->arena, &(trm_allocator){0});
  for (int i = 0; i < SYMBOLS; i++) g->nodes[i] = g->symbols[i] = trmi_symbol(&g->graph, i);
  for (int i = SYMBOLS; i < NODES; i++) g->nodes[i] = make(g, i);
}

static void clear(garden *g) {
  trmi_walk_free(&g->walk);
  trmi_graph_free(&g->graph);
  trmi_arena_clear(&g->arena);
}

/* All nodes of the graph at a point, one by one. */
static void evaluate(const trmi_graph *graph, const double *x, double *out) {
  for (int n = 0; n < graph->count; n++) {
    const trmi_vertex *v = &graph->nodes[n];
    out[n] = v->op == TRMI_OP_SYMBOL ? x[v->tag]
                                     : trmi_apply(graph, v, out[v->a], out[v->b], out[v->c]);
  }
}

static double value_at(const trmi_graph *graph, trmi_node n, const double *x) {
  static double all[1 << 20];
  assert_true(graph->count <= 1 << 20);
  evaluate(graph, x, all);
  return all[n];
}

static const double point[SYMBOLS] = {0.3, -0.7, 1.1, 0.45};

static void gradients_match_differences(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 200; seed++) {
    garden g;
    plant(&g, seed);
    const trmi_node n = g.nodes[NODES - 1];
    for (int i = 0; i < SYMBOLS; i++) {
      trmi_gradient(&g.walk, n);
      trmi_node partial = 0;
      for (int k = 0; k < g.walk.npartials; k++) {
        if (g.walk.partials[k].symbol == g.symbols[i]) partial = g.walk.partials[k].value;
      }
      double plus[SYMBOLS], minus[SYMBOLS];
      memcpy(plus, point, sizeof plus), memcpy(minus, point, sizeof minus);
      const double eps = 1e-5;
      plus[i] += eps, minus[i] -= eps;
      const double slope =
          (value_at(&g.graph, n, plus) - value_at(&g.graph, n, minus)) / (2.0 * eps);
      /* truncation eps^2/6 and rounding 1e-16/eps of values and third derivatives that reach
       * some thousand in chains of sixty functions */
      CHECK_NEAR(value_at(&g.graph, partial, point), slope, 1e-6 * (1.0 + fabs(slope)),
                 "seed %u, symbol %d", seed, i);
    }
    clear(&g);
  }
}

static void second_derivatives_are_symmetric(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 50; seed++) {
    garden g;
    plant(&g, seed);
    trmi_node first[SYMBOLS] = {0}, second[SYMBOLS][SYMBOLS] = {{0}};
    trmi_gradient(&g.walk, g.nodes[NODES - 1]);
    for (int k = 0; k < g.walk.npartials; k++) {
      first[g.graph.nodes[g.walk.partials[k].symbol].tag] = g.walk.partials[k].value;
    }
    for (int i = 0; i < SYMBOLS; i++) {
      trmi_gradient(&g.walk, first[i]);
      for (int k = 0; k < g.walk.npartials; k++) {
        second[i][g.graph.nodes[g.walk.partials[k].symbol].tag] = g.walk.partials[k].value;
      }
    }
    for (int i = 0; i < SYMBOLS; i++) {
      for (int j = 0; j < i; j++) {
        const double a = value_at(&g.graph, second[i][j], point);
        /* both are exact: only rounding of long sums is left */
        CHECK_NEAR(a, value_at(&g.graph, second[j][i], point), 1e-10 * (1.0 + fabs(a)),
                   "seed %u, %d %d", seed, i, j);
      }
    }
    clear(&g);
  }
}

static void equal_expressions_are_one_node(void **state) {
  (void)state;
  garden g;
  plant(&g, 1);
  trmi_graph *graph = &g.graph;
  const trmi_node x = g.symbols[0], y = g.symbols[1], two = trmi_constant(graph, 2.0);
  assert_int_equal(trmi_add(graph, x, y), trmi_add(graph, y, x));
  assert_int_equal(trmi_mul(graph, x, y), trmi_mul(graph, y, x));
  assert_int_equal(trmi_add(graph, x, x), trmi_mul(graph, two, x));
  assert_int_equal(trmi_sub(graph, x, x), 0);
  assert_int_equal(trmi_sub(graph, x, trmi_neg(graph, y)), trmi_add(graph, x, y));
  assert_int_equal(trmi_mul(graph, trmi_neg(graph, x), trmi_neg(graph, y)),
                   trmi_mul(graph, x, y));
  assert_int_equal(trmi_mul(graph, trmi_mul(graph, two, x), y),
                   trmi_mul(graph, two, trmi_mul(graph, x, y)));
  assert_int_equal(trmi_sub(graph, trmi_mul(graph, two, x), x), x);
  assert_int_equal(trmi_neg(graph, trmi_sub(graph, x, y)), trmi_sub(graph, y, x));
  assert_int_equal(trmi_pow(graph, x, two), trmi_mul(graph, x, x));
  assert_int_equal(trmi_div(graph, x, two), trmi_mul(graph, trmi_constant(graph, 0.5), x));
  assert_int_equal(trmi_constant(graph, -0.0), 0);
  assert_true(trmi_is_constant(graph, trmi_function(graph, TRMI_OP_SIN, two)));
  /* what is not finite stays an operation, to fail with its place */
  assert_false(trmi_is_constant(graph, trmi_div(graph, two, 0)));
  clear(&g);
}

static void any_choice_of_groups_gives_its_results(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 40; seed++) {
    garden g;
    plant(&g, seed);
    enum { GROUPS = 20 };
    trmi_root roots[GROUPS];
    int slots[GROUPS];
    double expected[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      roots[i] = (trmi_root){g.nodes[NODES - 1 - 2 * i], (i * 7) % 64};
      expected[i] = value_at(&g.graph, roots[i].node, point);
    }
    trmi_tape tape;
    trm_error err;
    CHECK_OK(trmi_tape_build(&tape, &g.graph, roots, GROUPS, slots, &g.arena, &err), err);
    for (int trial = 0; trial < 30; trial++) {
      uint64_t groups = 0;
      double x[SYMBOLS];
      memcpy(x, point, sizeof x);
      x[0] += trial % 3 == 0; /* make everything old, then come back */
      trmi_tape_set(&tape, 0, SYMBOLS, x);
      trmi_tape_run(&tape, trial % 2 == 0 ? 0 : UINT64_MAX);
      trmi_tape_set(&tape, 0, SYMBOLS, point);
      for (int i = 0; i < GROUPS; i++) groups |= (uint64_t)draw(&g, 2) << roots[i].group;
      trmi_tape_run(&tape, groups);
      for (int i = 0; i < GROUPS; i++) {
        if ((groups >> roots[i].group & 1) == 0) continue;
        /* the same operations on the same numbers: the same bits */
        assert_true(tape.value[slots[i]] == expected[i]);
      }
    }
    clear(&g);
  }
}

static void not_finite_results_are_put_down_to_their_place(void **state) {
  (void)state;
  garden g;
  plant(&g, 1);
  trmi_graph *graph = &g.graph;
  trmi_graph_at(graph, (trmi_place){.line = 7, .column = 5});
  const trmi_node root = trmi_function(graph, TRMI_OP_SQRT, g.symbols[1]);
  trmi_graph_at(graph, (trmi_place){.line = 8, .column = 1});
  const trmi_node sum = trmi_add(graph, trmi_function(graph, TRMI_OP_EXP, root), g.symbols[0]);
  trmi_tape tape;
  trm_error err;
  int slot;
  CHECK_OK(trmi_tape_build(&tape, graph, &(trmi_root){sum, 0}, 1, &slot, &g.arena, &err), err);
  trmi_tape_set(&tape, 0, SYMBOLS, point);
  trmi_tape_run(&tape, 1);
  char text[80];
  trmi_place place;
  assert_true(trmi_tape_blame(&tape, slot, text, sizeof text, &place));
  assert_string_equal(text, "the root of -0.7 is taken");
  assert_int_equal(place.line, 7);
  assert_int_equal(place.column, 5);
  clear(&g);
}

static void a_graph_beyond_its_limit_says_so(void **state) {
  (void)state;
  trmi_graph graph;
  trmi_graph_init(&graph, NULL, 10);
  trmi_node n = trmi_symbol(&graph, 0);
  for (int i = 0; i < 20; i++) n = trmi_function(&graph, TRMI_OP_SIN, n);
  assert_int_equal(n, 0);
  trm_error err;
  assert_int_equal(trmi_graph_check(&graph, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "10 operations"));
  trmi_graph_free(&graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(gradients_match_differences),
    cmocka_unit_test(second_derivatives_are_symmetric),
    cmocka_unit_test(equal_expressions_are_one_node),
    cmocka_unit_test(any_choice_of_groups_gives_its_results),
    cmocka_unit_test(not_finite_results_are_put_down_to_their_place),
    cmocka_unit_test(a_graph_beyond_its_limit_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
