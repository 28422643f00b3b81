import Control

extension Daemon {
  /// Says that a cache was damaged. The sound has gone on without it.
  func lookAtWisdom() {
    guard aid.takeDamagedWisdom(), let wisdomPath else { return }
    write(
      LogLine(
        .warning,
        "\(wisdomPath): found damaged plans of FFTW; they are measured again and kept anew."))
  }
}
