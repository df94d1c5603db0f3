/* simbody_chain.cpp - links of 1 m and 1 kg along x on pins about y, at rest. */
#include "simbody_chain.h"
#include <Simbody.h>
#include <ctime>

using namespace SimTK;

void simbody_chain(int links, double end_time, double accuracy, simbody_result *result) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(0, 0, -9.81));

  /* a pin turns about z of its frame: z is laid on y */
  const Rotation on_y(-Pi / 2, XAxis);
  const Body::Rigid link(MassProperties(1.0, Vec3(0), Inertia(1e-3, 1.0 / 12, 1.0 / 12)));
  MobilizedBody before = matter.Ground();
  for (int i = 0; i < links; i++) {
    const Vec3 far_end = i == 0 ? Vec3(0) : Vec3(0.5, 0, 0);
    before = MobilizedBody::Pin(before, Transform(on_y, far_end), link,
                                Transform(on_y, Vec3(-0.5, 0, 0)));
  }
  system.realizeTopology();
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(system, integrator);
  stepper.initialize(system.getDefaultState());

  const std::clock_t begin = std::clock();
  stepper.stepTo(end_time);
  result->seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  const Vec3 tip = before.findStationLocationInGround(integrator.getState(), Vec3(0.5, 0, 0));
  for (int i = 0; i < 3; i++) result->tip[i] = tip[i];
  result->steps = integrator.getNumStepsTaken();
}
