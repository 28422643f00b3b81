import AudioIO
import Base

/// An attempt to open a device, which a sound server that hangs does not hold up.
///
/// - Threads: control.
package enum DeviceTrial {
  /// Longest that a device may take, s: a JACK server answers within 2 s or refuses. Own choice.
  private static let patience = 5.0

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
