import Base

extension ServiceState {
  /// The way to the daemon's end.
  struct Ending: Sendable {
    /// Exit status of the process.
    let status: ExitStatus
    /// When it is not waited for any longer, monotonic s.
    var due: Double
    /// True once the sound has ended or is not waited for.
    var isClosing = false
    var isSoundOver = false
    var isBookClosed = false
    /// A second interruption ends at once.
    var isInterrupted = false
    var isHurried = false
    var hasEnded = false
  }

  /// Longest that the end waits for the audio thread, s: half of what a person takes for "at once".
  private static let longestFade = 0.9
  /// Longest that the end waits for the disk, s. What is not written by then is as it was before.
  private static let longestClosing = 0.5

  /// Begins the end: the sound fades out first.
  mutating func beginEnd(_ status: ExitStatus) {
    guard ending == nil else { return }
    ending = Ending(status: status, due: now.monotonic + Self.longestFade)
    emit(.notify(.stopping))
    emit(.declareEnd)
  }

  /// Nobody can stop or mute this daemon, and another would start beside it on the same earphones.
  mutating func endUnreachable() {
    guard ending == nil else { return }
    log(.error, "ending: the control socket or its lock file was taken away")
    silence()
    // An end that nobody asked for: one after which starting again helps.
    beginEnd(.temporary)
  }

  /// Ends sound, then the book, so that whoever starts another daemon at once finds it free, then the
  /// daemon.
  mutating func proceedToEnd() {
    guard var next = ending, !next.hasEnded else { return }
    defer { ending = next }
    if next.isHurried {
      next.hasEnded = true
      emit(.forgetKept)
      return emit(.end(.interrupted, isOrderly: false))
    }
    let isDue = now.monotonic >= next.due
    if !next.isClosing {
      guard !sound.hasThread || isDue else { return }
      next.isClosing = true
      next.isSoundOver = !sound.hasThread
      next.due = now.monotonic + Self.longestClosing
      work(.closing, { _ in { $0.store.close() } }) { state, _ in state.ending?.isBookClosed = true }
      beginWork()
      // Those since the last line, which would otherwise never be logged.
      if let line = mishaps.rest(audio.reading.counters, last: audio.reading.lastFault) { log(line) }
    } else if next.isBookClosed || isDue {
      next.hasEnded = true
      answerPending(isEnd: true)
      playback = nil
      // One that is to be started again goes on as it was.
      if next.status != .temporary { emit(.forgetKept) }
      emit(.end(next.status, isOrderly: next.isSoundOver && next.isBookClosed))
    }
  }
}
