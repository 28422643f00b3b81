#pragma once

/// Prepares libjack for several clients in one process, where ALSA's plugin has loaded it. Does nothing otherwise.
///
/// jack2 frees the clients that a process still has once their server has ended and another client is opened (1.9.21,
/// common/JackLibGlobals.h: "Jack server was closed but clients are still allocated"); a call for one of them then uses freed memory.
/// So the programs have functions of libjack's names, which the plugin finds first: one call at a time, and a client whose server has
/// ended is never touched again. The library frees it at the next opening.
///
/// It also keeps the library from writing to standard error.
void cjack_prepare(void);
