/* jacobi.h - eigenvalues of small symmetric matrices. */
#ifndef TRMI_JACOBI_H
#define TRMI_JACOBI_H

/* S [n n] becomes diagonal, columns of V [n n] are its eigenvectors, in no order. Of a positive
 * matrix small eigenvalues are as exact as large ones, relative to themselves, as far as rows and
 * columns of different size are the cause of their difference. */
void trmi_diagonalize(double *S, double *V, int n);

#endif
