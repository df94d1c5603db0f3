/* run_pack.h - chunks in the format of HDF5's filters shuffle, deflate and fletcher32, readable by
 * every reader. Packed here because libdeflate needs 0.4 of the time of HDF5's zlib. */
#ifndef TRMI_RUN_PACK_H
#define TRMI_RUN_PACK_H
#include <stddef.h>

typedef struct libdeflate_compressor trmi_packer;

/* NULL: no memory. */
trmi_packer *trmi_packer_create(void);
/* Accepts NULL. */
void trmi_packer_free(trmi_packer *packer);

/* Upper bound of the packed size of `bytes`. */
size_t trmi_pack_room(size_t bytes);

/* Shuffle one row of a chunk: byte b of entry i of `count` goes to to[b * stride + i]. */
void trmi_pack_shuffle(const unsigned char *row, size_t count, size_t entry, unsigned char *to,
                       size_t stride);

/* Deflate, and append the checksum. Returns the packed size. */
size_t trmi_pack(trmi_packer *packer, const unsigned char *shuffled, size_t bytes,
                 unsigned char *packed);

#endif
