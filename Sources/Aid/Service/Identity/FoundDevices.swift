import Acoustics
import AudioIO
import Base
import Bus
import Control
import Engine

/// Models of the devices in use, as they were found; nil where nobody tells it, as behind a sound server.
package struct FoundDevices: Sendable, Equatable {
  var microphone: DeviceIdentity?
  var earphone: DeviceIdentity?

  subscript(_ end: Configuration.End) -> DeviceIdentity? {
    get { end == .microphone ? microphone : earphone }
    set { if end == .microphone { microphone = newValue } else { earphone = newValue } }
  }
}

extension DeviceIdentity {
  /// Model of a card; nil where less is known than tells it from others.
  init?(_ card: CardModel) {
    let product = card.modalias.flatMap { DeviceProduct(modalias: $0) }
    let name = card.name.flatMap { !$0.isEmpty && PrintableText.isPlain($0) ? $0 : nil }
    // The name of a USB card without its number may be that of many.
    guard card.bus == "usb" ? product != nil : name != nil else { return nil }
    self.init([product].compactMap(\.self), name: name)
  }

  /// Model of the device that a name leads to.
  ///
  /// - Parameters:
  ///   - device: ALSA's name.
  ///   - bluetooth: Asked where the name has a Bluetooth address.
  package init?(ofDevice device: String, bluetooth: () -> [BluetoothEarphones]) {
    guard let link = BluetoothLink(deviceName: device) else {
      guard let card = CardModel(of: device) else { return nil }
      self.init(card)
      return
    }
    guard let address = link.address,
      let modalias = bluetooth().first(where: { $0.address.uppercased() == address })?.modalias,
      let product = DeviceProduct(modalias: modalias)
    else { return nil }
    self.init([product])
  }
}

extension HearingSettings {
  /// Model of the device that an end was calibrated with; nil: not known.
  func calibratedIdentity(of end: Configuration.End) -> DeviceIdentity? {
    switch end {
    case .microphone: microphones.device.identity
    case .earphone: earphones.device.identity
    }
  }
}
