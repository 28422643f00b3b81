import AudioIO
import Control

extension DevicesReport {
  /// Rates that this program works at, Hz.
  static let rates = [44_100, 48_000, 96_000]

  /// The devices of this machine.
  package init(_ devices: [DeviceDescription]) {
    let first = devices.first { $0.card != nil && $0.directions.count == 2 }?.name
    self.init(
      devices: devices.map { device in
        let hidden = device.hiddenDelay.map { "; \($0.explanation)" } ?? ""
        return Device(
          name: device.name, description: device.title + hidden,
          capture: Self.direction(device, .capture, device.capture),
          playback: Self.direction(device, .playback, device.playback), isDefault: device.name == first)
      })
  }

  private static func direction(
    _ device: DeviceDescription, _ direction: StreamDirection, _ offer: DeviceOffer?
  ) -> Direction? {
    guard device.directions.contains(direction) else { return nil }
    guard let offer else {
      return Direction(channels: 0, rates: [], formats: [], problem: problem(device))
    }
    return Direction(
      channels: offer.channels.upperBound, rates: offer.rates.filter(rates.contains),
      formats: offer.formats.map(\.rawValue))
  }

  private static func problem(_ device: DeviceDescription) -> String {
    let holders = device.holders.map { "\($0.command), process \($0.processID)" }
    if !holders.isEmpty { return "in use by \(holders.joined(separator: " and "))" }
    return device.card == nil
      ? "not asked, because asking may start a sound server" : "cannot be opened now"
  }
}
