/* slider_crank_rod.c - see slider_crank_rod.h. */
#include "problems/slider_crank_rod.h"

enum { NE = TRMI_CRANK_ELASTIC };

static const double height = 0.008, width = 0.008;  /* [m]               */
static const double density = 7870.0, young = 2e11; /* [kg/m^3], [N/m^2] */

/* Matrices of the elastic rod, section 19.2.1 of [CRANK]. */
void trmi_crank_rod_fill(trmi_crank_rod *rod, double length, double pi, bool is_nonlinear,
                         bool is_damped) {
  const double volume = width * height * length, mass_2 = density * volume, pi3 = pi * pi * pi;
  const double axial = young * width * height / length;
  const double slender = (height / length) * (height / length);
  const double C1[NE] = {0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0}, C2[NE] = {2.0 / pi, 0.0, 0.0, 0.0};
  const double C12[NE] = {0.0, 0.0, 1.0 / 3.0, 1.0 / 6.0};
  const double C21[NE] = {1.0 / pi, -0.5 / pi, 0.0, 0.0};
  /* clang-format off */
  const double B[NE][NE] = {
    {0.0,                 0.0,       -16.0 / pi3, 8.0 / pi3 - 1.0 / pi},
    {0.0,                 0.0,        0.0,        0.5 / pi},
    {16.0 / pi3,          0.0,        0.0,        0.0},
    {1.0 / pi - 8.0 / pi3, -0.5 / pi, 0.0,        0.0}};
  const double Md[NE][NE] = {
    {0.5, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.0}, {0.0, 0.0, 8.0, 1.0}, {0.0, 0.0, 1.0, 2.0}};
  const double K[NE][NE] = {
    {pi3 * pi / 24.0 * slender, 0.0, 0.0, 0.0},
    {0.0, pi3 * pi * 2.0 / 3.0 * slender, 0.0, 0.0},
    {0.0, 0.0, 16.0 / 3.0, -8.0 / 3.0},
    {0.0, 0.0, -8.0 / 3.0, 7.0 / 3.0}};
  const double D[NE][NE] = { /* half a percent, [N s/m] */
    {5.0, 0.0, 0.0, 0.0},
    {0.0, 25.0, 0.0, 0.0},
    {0.0, 0.0, 0.5 * 230.8375455264791, -0.5 * 262.688487992052},
    {0.0, 0.0, -0.5 * 262.688487992052, 0.5 * 421.7421837156818}};
  /* clang-format on */
  for (int i = 0; i < NE; i++) {
    rod->C1[i] = mass_2 * C1[i];
    rod->C2[i] = mass_2 * C2[i];
    rod->C12[i] = mass_2 * length * C12[i];
    rod->C21[i] = mass_2 * length * C21[i];
    for (int j = 0; j < NE; j++) {
      rod->B[i][j] = mass_2 * B[i][j];
      rod->Md[i][j] = mass_2 * Md[i][j];
      rod->K[i][j] = axial * K[i][j];
      rod->D[i][j] = is_damped ? D[i][j] : 0.0;
    }
  }
  rod->kn = is_nonlinear ? 0.5 * pi * pi * axial / length : 0.0;
  rod->beta = 80.0 / (9.0 * pi * pi);
}
