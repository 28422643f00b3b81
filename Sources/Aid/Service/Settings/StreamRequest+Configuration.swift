import AudioIO
import Control

extension StreamRequest {
  /// What the configuration asks of the devices.
  init(_ device: Configuration.Device) {
    self.init(
      rate: device.rate, period: device.period, periods: device.periods, format: SampleFormat(device.format)
    )
  }
}

extension SampleFormat {
  /// Nil: whichever the device has.
  init?(_ format: Configuration.Format) {
    switch format {
    case .auto: return nil
    case .s16: self = .signed16
    case .s24: self = .signed24
    case .s24Packed: self = .signed24Packed
    case .s32: self = .signed32
    case .float: self = .float32
    }
  }
}

extension ClockPairing {
  init(_ clock: Configuration.Clock) {
    self =
      switch clock {
      case .auto: .automatic
      case .shared: .shared
      case .matched: .separate
      }
  }
}
