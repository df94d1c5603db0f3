/* lookup3.h - the checksum of HDF5's own structures, also used for ours. */
#ifndef TRMI_LOOKUP3_H
#define TRMI_LOOKUP3_H
#include <stddef.h>
#include <stdint.h>

/* 32 bits that change with every byte; `seed` joins several blocks. */
uint32_t trmi_lookup3(const void *data, size_t size, uint32_t seed);

#endif
