/* run_pack.h - chunks as HDF5's filters shuffle, deflate and fletcher32 leave them, so that every
 * reader unpacks them. Made here because libdeflate takes 0.4 of the time of HDF5's zlib. */
#ifndef TRMI_RUN_PACK_H
#define TRMI_RUN_PACK_H
#include <stddef.h>

typedef struct libdeflate_compressor trmi_packer;

/* NULL: no memory. */
trmi_packer *trmi_packer_create(void);
/* Accepts NULL. */
void trmi_packer_free(trmi_packer *packer);

/* Room that `bytes` may need when packed. */
size_t trmi_pack_room(size_t bytes);

/* Shuffle one row of a chunk: byte b of entry i of `count` goes to to[b * stride + i]. */
void trmi_pack_shuffle(const unsigned char *row, size_t count, size_t entry, unsigned char *to,
                       size_t stride);

/* The rest: deflate, and the checksum behind it. Returns how many bytes it has become. */
size_t trmi_pack(trmi_packer *packer, const unsigned char *shuffled, size_t bytes,
                 unsigned char *packed);

#endif
