#pragma once

/// Prepares libjack for several clients in one process, where ALSA's plugin has loaded it. Does nothing otherwise.
///
/// jack2 frees clients that are in use, in two cases, and who uses them then uses freed memory (1.9.21):
///
/// - at the next opening, all that the process still has once their server has ended (common/JackLibGlobals.h: "Jack server was closed
///   but clients are still allocated");
/// - when a client is closed whose own thread is just ending because its server failed it (common/JackClient.cpp, Error()).
///
/// So the programs have functions of libjack's names, which the plugin finds first: one call at a time; a client whose server has ended
/// is asked for nothing; and each is freed once its thread has ended, those of an ended server before another is opened.
///
/// It also keeps the library from writing to standard error.
void cjack_prepare(void);
