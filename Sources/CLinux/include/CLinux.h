/// What Swift's Glibc module leaves out because it is built without _GNU_SOURCE, and the few instructions
/// that need C.
#ifndef AURICLE_CLINUX_H
#define AURICLE_CLINUX_H
#endif
