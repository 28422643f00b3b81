import Base
import Control
import Engine
import Service

extension SetupRun {
  /// Periods that are tried in turn where the sound breaks off, frames: 6 ms and 23 ms at 44.1 kHz, the second the configuration's longest
  /// (own choices).
  private static let longerPeriods = [256, 1024]

  /// Plays on the devices of the configuration, at most at the level that was confirmed. Where the sound breaks off in every attempt, it
  /// begins again with a longer period, which the aid has from then on.
  mutating func play(_ sounds: [TestSound]) throws -> (last: TestSound?, isWhole: Bool) {
    while true {
      do throws(SoundFault) {
        return try bench.play(sounds, try loaded(), until: interview.hasAnswer)
      } catch {
        if error.isBrokenOff, try lengthenPeriod() { continue }
        say(error.failure)
        _ = try interview.ask("Press Enter to try again, or Ctrl-C to leave.")
      }
    }
  }

  /// - Returns: False where there is none longer.
  private mutating func lengthenPeriod() throws(Failure) -> Bool {
    let present = file.configuration.device.period
    guard let longer = Self.longerPeriods.first(where: { $0 > present }) else { return false }
    try set("device.period", "\(longer)")
    interview.say(
      "The sound broke off in every attempt: this computer does not keep up. The aid takes \(longer) frames at a time from now on instead "
        + "of \(present), which delays sound a little more (auricle status says by how much; auricle config set device.period=\(present) "
        + "takes it back). It begins again.")
    return true
  }

  private func loaded() throws(SoundFault) -> LoadedConfiguration {
    do throws(ConfigurationFailures) { return try file.loaded() } catch {
      throw SoundFault(failure: error.joined, isBrokenOff: false)
    }
  }
}
