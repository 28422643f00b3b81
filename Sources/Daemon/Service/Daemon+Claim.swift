import Control

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
