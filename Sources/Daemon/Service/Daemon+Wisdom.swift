import HearingDSP

extension Daemon {
  /// Keeps what FFTW has measured for a chain, once it sounds: sound does not wait for the disk.
  func lookAtWisdom() {
    guard let wisdomPath else { return }
    let opens = aid.opens
    guard aid.reading.counters.blocks > 0, memory.withLock({ $0.wisdomOpens != opens }) else { return }
    memory.withLock { $0.wisdomOpens = opens }
    disk.submit { FFTPlanning.keepWisdom(at: wisdomPath) }
  }
}
