import Base
import Control
import HearingDSP

extension Daemon {
  /// Time after which a disk that does not answer is reported, s: longer than a healthy one takes, an SD card that
  /// moves its blocks about among them. Own choice.
  private static let longestAnswer = 5.0
  /// Longest that the end waits for the disk, s. What is not written by then is as it was before.
  private static let longestClosing = 0.5

  /// The disk's fault, a whole sentence; nil while it answers.
  var diskTrouble: String? {
    let delay = disk.delay
    guard delay >= Self.longestAnswer else { return nil }
    return
      "The disk has not answered for \(Int(delay)) s: sound goes on as it is, but prescriptions, configuration and "
      + "what is turned are neither read nor kept until it does."
  }

  /// Carries out what waits for the disk, for a call that waits for its answer.
  ///
  /// - Parameter patience: Longest wait, s; nil: ``diskPatience``.
  /// - Throws: ``Failure`` (``ExitStatus/temporary``) when the disk does not answer in time.
  func onDisk<Value: Sendable>(
    within patience: Double? = nil, _ work: @escaping @Sendable () -> Value
  ) throws(Failure) -> Value {
    let patience = max(patience ?? 0, diskPatience)
    switch disk.result(within: patience, work) {
    case .done(let value): return value
    case .dropped:
      throw Failure(
        "disk", found: "that it does not answer",
        expected: "an answer within \(NumberText.fixed(patience, 1)) s",
        remedy: "Nothing was changed; try again when it does.", exit: .temporary)
    case .underWay:
      throw Failure(
        "disk", found: "that it does not answer",
        expected: "an answer within \(NumberText.fixed(patience, 1)) s",
        remedy: "What was asked is done when it does; look with: auricle status.", exit: .temporary)
    }
  }

  /// Keeps what is turned, where the disk answers at once; otherwise when it does.
  func keepTurned() { disk.wait(atMost: 0.3) { self.dial.save() } }

  /// Says in the log when the disk begins or ceases to answer late.
  ///
  /// - Parameter wasLate: Whether it was late at the last look.
  func lookAtDisk(wasLate: inout Bool) {
    let trouble = diskTrouble
    guard wasLate != (trouble != nil) else { return }
    wasLate = trouble != nil
    write(trouble.map { LogLine(.error, $0) } ?? LogLine(.notice, "the disk answers again"))
  }

  /// Gives the book back, so that another process can open it once this one's socket is gone.
  ///
  /// - Returns: Whether the disk answered in time.
  func closeBook() -> Bool {
    let isClosed = disk.wait(atMost: Self.longestClosing) { self.desk.close() }
    disk.stopWaiting()
    return isClosed
  }
}

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

extension Daemon {
  /// ALSA's device that takes everything and plays nothing.
  private static let silentDevice = "null"

  /// Takes the playback device of the configuration in force for this daemon alone.
  ///
  /// - Throws: ``ConfigurationFailures`` when another daemon has it.
  func claimPlayback() throws(ConfigurationFailures) {
    let claim = try claim(for: memory.withLock { $0.configuration })
    playback.withLock { $0 = claim }
  }

  /// Lets go of it.
  func releasePlayback() { playback.withLock { $0 = nil } }

  /// The claim that a configuration needs: the one in hand, or a new one.
  func claim(for loaded: LoadedConfiguration) throws(ConfigurationFailures) -> PlaybackClaim? {
    // Without a name the first free card is taken, which is one that nobody shares.
    guard let claimFolder, let device = loaded.configuration.device.playback, device != Self.silentDevice
    else { return nil }
    if let claim = playback.withLock({ $0 }), claim.device == device { return claim }
    do throws(Failure) {
      return try PlaybackClaim(device, in: claimFolder)
    } catch {
      if error.exitStatus == .temporary { throw ConfigurationFailures(failures: [error]) }
      // Sound matters more than a folder for locks.
      write(LogLine(.warning, "other daemons on the same device are not noticed: \(error.logMessage)"))
      return nil
    }
  }
}
