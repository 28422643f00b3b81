import Glibc

/// Two oscillators in a day of changing temperature, as deviations from their nominal rate.
///
/// The whole model is an own choice; no measured record of two sound cards was at hand. Playback has a cheap ceramic resonator of
/// 20 ppm a kelvin (data sheets allow ±0.2 % from −20 to 80 °C, from memory, which is twice that), capture a crystal of ±20 ppm.
/// Playback's temperature is a room's, ±10 K by day and night; a body's, ±5 K, because the device is put into a pocket and taken out
/// every 23.5 minutes, after which it follows within minutes; and draughts. What they add up to is held to ±300 ppm, the bound that
/// the rate matching has to follow.
package struct DriftingClocks: Sendable {
  /// Greatest difference of the two, parts per million.
  package static let greatestDifference = 300.0
  /// Length of a day, s.
  package static let day = 86_400.0

  /// Amplitude by day and night, ppm: ±10 K of 20 ppm.
  private static let daily = 200.0
  /// Amplitude by the pocket, ppm: ±5 K of 20 ppm.
  private static let pocket = 100.0
  /// Time between two visits to the pocket's edge, s, and time constant of the device's temperature then, s.
  private static let (carriedFor, following) = (1410.0, 60.0)
  /// Draughts: amplitude, ppm, and period, s. No period is a multiple of another's.
  private static let draughts = [(10.0, 97.0), (5, 23.3), (2, 7.1)]
  /// Capture's crystal: amplitude, ppm, and period, s.
  private static let crystal = (20.0, 25_000.0)

  package init() {}

  /// Deviation of capture's oscillator, parts per million.
  ///
  /// - Parameter time: s since midnight.
  package func capture(at time: Double) -> Double {
    Self.crystal.0 * sin(2 * .pi * time / Self.crystal.1)
  }

  /// Deviation of playback's oscillator, parts per million.
  package func playback(at time: Double) -> Double { capture(at: time) + difference(at: time) }

  /// Excess of playback's rate over capture's, parts per million, within ±``greatestDifference``.
  package func difference(at time: Double) -> Double {
    let room = -Self.daily * cos(2 * .pi * (time - 3 * 3600) / Self.day)
    let draught = Self.draughts.reduce(0) { $0 + $1.0 * sin(2 * .pi * time / $1.1) }
    let sum = room + carried(at: time) + draught
    return min(max(sum, -Self.greatestDifference), Self.greatestDifference)
  }

  /// Part of a device that is put into the pocket and taken out in turn, and approaches either temperature exponentially.
  private func carried(at time: Double) -> Double {
    let visits = (time / Self.carriedFor).rounded(.down)
    let since = time - visits * Self.carriedFor
    let side = Int(visits) % 2 == 0 ? 1.0 : -1.0
    return side * Self.pocket * (1 - 2 * exp(-since / Self.following))
  }
}
