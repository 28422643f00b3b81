#include <fftw3.h>

/* An array of unknown length, which Swift does not import. */
static inline const char *cfftw_version(void) { return fftwf_version; }
