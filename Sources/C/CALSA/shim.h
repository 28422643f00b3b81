#include <alsa/asoundlib.h>

/// Takes alsa-lib's complaints and says nothing: the return code carries the reason, and a library that
/// prints to standard error would spoil the program's own messages.
static void calsa_be_silent(const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}

/// Silences alsa-lib's standard error. The corresponding C function, snd_lib_error_set_handler, takes a
/// variadic function, which Swift cannot write.
static inline void calsa_silence_errors(void) { snd_lib_error_set_handler(calsa_be_silent); }
