import AudioIO
import Base
import Glibc

/// An attempt to open a device, which a sound server that hangs does not hold up.
///
/// - Threads: control.
package enum DeviceTrial {
  /// Longest that a device may take, s: a JACK server answers within 2 s or refuses. Own choice.
  private static let patience = 5.0
  /// Longest that a card which is in use is tried again, s: a sound server that was asked for it may answer late, and closes it behind
  /// its answer. Own choice.
  private static let longestRelease = 4.0
  /// Time between two attempts, s; own choice.
  private static let interval = 0.25

  /// Why a device cannot be used, a clause, with the program that keeps it although it was asked; nil: it can.
  ///
  /// - Parameters:
  ///   - request: Set up as well; nil: the device is opened only.
  ///   - cards: Those that sound servers of the session were asked for; nil: nobody was.
  package static func refusal(
    of name: String, _ direction: StreamDirection, setUp request: StreamRequest?, with cards: SessionCards?
  ) -> String? {
    let due = SystemTime.monotonic + longestRelease
    while let refusal = Self.refusal(of: name, direction, setUp: request) {
      let keeper = cards?.refusal(ofCardOf: name)
      guard cards != nil, keeper == nil, PCMOpenError.isBusy(refusal, name), SystemTime.monotonic < due
      else { return [refusal, keeper].compactMap(\.self).joined(separator: ". ") }
      usleep(UInt32(interval * 1e6))
    }
    return nil
  }

  /// Why a device cannot be used, a clause; nil: it can.
  ///
  /// - Parameter request: Set up as well; nil, the default: the device is opened only.
  package static func refusal(
    of name: String, _ direction: StreamDirection, setUp request: StreamRequest? = nil
  ) -> String? {
    let worker: SerialWorker<Void, String?>
    do throws(Failure) {
      worker = try SerialWorker("auricle-device") { attempt(name, direction, request) }
    } catch { return attempt(name, direction, request) }
    defer { worker.end() }
    worker.submit(())
    guard worker.finish(within: patience), let refusal = worker.results().first else {
      return "\(name) does not open within \(patience.shortText) s: its sound server may hang"
    }
    return refusal
  }

  @Sendable private static func attempt(
    _ name: String, _ direction: StreamDirection, _ request: StreamRequest?
  ) -> String? {
    var device = ALSADevice(name: name, direction: direction)
    do {
      try device.open()
      if let request { _ = try device.configure(request, buffer: request.period * request.periods) }
      device.close()
      return nil
    } catch { return "\(error)" }
  }
}
