/* simbody_chain.h - the chain of links by Simbody, as a peer. */
#ifndef SIMBODY_CHAIN_H
#define SIMBODY_CHAIN_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct simbody_result {
  double seconds;  /* CPU time of the integration, without set-up */
  double tip[3];   /* [m] */
  int    steps;
} simbody_result;

/* Pin joints about y, recursive algorithm, Runge-Kutta-Merson at an accuracy. */
void simbody_chain(int links, double end_time, double accuracy, simbody_result *result);

#ifdef __cplusplus
}
#endif
#endif
