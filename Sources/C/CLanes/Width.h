/// Width of the vectors that are used.
#ifndef AURICLE_CLANES_WIDTH_H
#define AURICLE_CLANES_WIDTH_H

/// 1 where vectors of 256 bits are.
int clanes_uses_wide(void);

#endif
