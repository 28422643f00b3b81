import Acoustics
import AudioIO
import Base
import Bus
import Service

/// Earphones on which the aid plays, as far as the machine tells: a USB card's own numbers where the aid plays on a card; where it plays
/// through a sound server, the sink that PipeWire plays on, and without PipeWire the only pair that is connected by Bluetooth.
struct EarphoneSource {
  /// Everything on which the answer depends.
  struct Question: Equatable {
    /// ALSA's name of the device; nil while it is closed.
    var playback: String?
    var bluetooth: [BluetoothEarphones]

    init(_ standing: AidStanding, _ bluetooth: [BluetoothEarphones]) {
      (playback, self.bluetooth) = (standing.playback, bluetooth)
    }

    init(playback: String?, bluetooth: [BluetoothEarphones]) {
      (self.playback, self.bluetooth) = (playback, bluetooth)
    }

    func with(_ bluetooth: [BluetoothEarphones]) -> Question {
      Question(playback: playback, bluetooth: bluetooth)
    }
  }

  /// Model of the card of a device; nil: it lies on no card.
  var card: (_ device: String) -> CardModel? = CardModel.init(of:)
  /// The sink on which PipeWire plays; nil where there is no PipeWire.
  var sink: () -> PipeWireSink? = PipeWireSink.now

  /// - Returns: Nil where it is not known.
  func earphones(_ question: Question) -> StatusReport.Earphones? {
    guard let playback = question.playback else { return nil }
    let found =
      if let card = card(playback) {
        usb(card)
      } else if let sink = sink() {
        self.sink(sink, question.bluetooth)
      } else {
        question.bluetooth.count == 1 ? question.bluetooth.first.map(Self.bluetooth) : nil
      }
    return found.map(Self.acceptable)
  }

  /// Leaves out parts that the daemon would refuse.
  private static func acceptable(_ earphones: StatusReport.Earphones) -> StatusReport.Earphones {
    var earphones = earphones
    while let fault = earphones.fault {
      switch fault.part {
      case "name": earphones.name = nil
      case "address": earphones.address = nil
      default: earphones.modalias = nil
      }
    }
    return earphones
  }

  private static func bluetooth(_ earphones: BluetoothEarphones) -> StatusReport.Earphones {
    StatusReport.Earphones(
      connection: .bluetooth, name: String(earphones.name.prefix(StatusReport.Earphones.longestName)),
      address: earphones.address, modalias: earphones.modalias)
  }

  /// A card that is not USB's has no maker and product.
  private func usb(_ card: CardModel) -> StatusReport.Earphones? {
    guard let product = card.modalias.flatMap({ DeviceProduct(modalias: $0) }) else { return nil }
    return StatusReport.Earphones(connection: .usb, name: card.name, modalias: product.description)
  }

  private func sink(_ sink: PipeWireSink, _ bluetooth: [BluetoothEarphones]) -> StatusReport.Earphones? {
    switch sink {
    case .bluetooth(let address):
      let known = bluetooth.first { $0.address.uppercased() == address.uppercased() }
      return known.map(Self.bluetooth) ?? StatusReport.Earphones(connection: .bluetooth, address: address)
    case .usb(let maker, let product, let name):
      return StatusReport.Earphones(
        connection: .usb, name: name,
        modalias: DeviceProduct(.usb, vendor: maker, product: product).description)
    case .other: return nil
    }
  }
}
