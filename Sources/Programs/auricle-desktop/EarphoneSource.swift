import Acoustics
import AudioIO
import Base
import Bus
import Service

/// Earphones on which the aid plays, as far as the machine tells: a USB card's own numbers where the aid plays on a card; the pair whose
/// Bluetooth address the device's name has; where it plays through a sound server, the sink that the name says, otherwise the one that
/// PipeWire plays on by default, and without PipeWire the only pair that is connected by Bluetooth.
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
  /// A sink of PipeWire by its name, or nil: the one on which it plays by default; nil where there is no PipeWire or no such sink.
  var sink: (_ node: String?) -> PipeWireSink? = PipeWireSink.now

  /// Way on which a device's name leads to earphones.
  private enum Way {
    case card(CardModel)
    case bluetooth(address: String)
    /// A sound server's sink; nil: the one on which it plays by default.
    case sink(String?)
    /// To one of a server's sinks, or elsewhere, and nobody can tell which.
    case unknown
  }

  /// - Returns: Nil where it is not known.
  func earphones(_ question: Question) -> StatusReport.Earphones? {
    guard let playback = question.playback else { return nil }
    let found: StatusReport.Earphones? =
      switch way(of: playback) {
      case .card(let card): usb(card)
      case .bluetooth(let address): Self.bluetooth(address, of: question.bluetooth)
      case .sink(let name):
        if let sink = sink(name) {
          self.sink(sink, question.bluetooth)
        } else {
          name == nil && question.bluetooth.count == 1 ? question.bluetooth.first.map(Self.bluetooth) : nil
        }
      case .unknown: nil
      }
    return found.map(Self.acceptable)
  }

  /// True where a sound server was asked, which may give another answer though nothing has told of a change.
  func asksServer(_ question: Question) -> Bool {
    if let playback = question.playback, case .sink = way(of: playback) { true } else { false }
  }

  private func way(of playback: String) -> Way {
    if let card = card(playback) { return .card(card) }
    if let address = BluetoothLink(deviceName: playback)?.address { return .bluetooth(address: address) }
    let name = playback.hasPrefix("plug:") ? String(playback.dropFirst("plug:".count)) : playback
    guard let colon = name.firstIndex(of: ":") else { return .sink(nil) }
    let argument = name[name.index(after: colon)...]
    // Arguments of alsa-lib's configuration for the two servers; PulseAudio's has this one alone, and takes it without its key.
    let sink: Substring? =
      switch name[..<colon] {
      case "pulse": argument.hasPrefix("DEVICE=") ? argument.dropFirst("DEVICE=".count) : argument
      case "pipewire" where argument.hasPrefix("NODE="): argument.dropFirst("NODE=".count)
      default: nil
      }
    guard let sink, !sink.isEmpty, !sink.contains(where: { ",=\"'".contains($0) }) else { return .unknown }
    return .sink(String(sink))
  }

  /// Times at which earphones are looked up again, where a sound server was asked: it tells nobody of another output.
  struct Schedule: Sendable {
    /// Time after a change to a second look, s: a server makes the sink of earphones some time after they have connected. Own choice.
    static let settling = 3.0
    /// Time between further looks, s: somebody may choose another output. Own choice.
    static let interval = 20.0

    /// Monotonic s.
    private(set) var due = Double.infinity

    /// - Parameters:
    ///   - now: Monotonic, s.
    ///   - isNews: True for a look after a change.
    ///   - isServer: True where a sound server was asked.
    mutating func note(at now: Double, isNews: Bool, isServer: Bool) {
      due = isServer ? now + (isNews ? Self.settling : Self.interval) : .infinity
    }
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

  private static func bluetooth(
    _ address: String, of connected: [BluetoothEarphones]
  ) -> StatusReport.Earphones {
    let known = connected.first { $0.address.uppercased() == address.uppercased() }
    return known.map { bluetooth($0) } ?? StatusReport.Earphones(connection: .bluetooth, address: address)
  }

  /// A card that is not USB's has no maker and product.
  private func usb(_ card: CardModel) -> StatusReport.Earphones? {
    guard let product = card.modalias.flatMap({ DeviceProduct(modalias: $0) }) else { return nil }
    return StatusReport.Earphones(connection: .usb, name: card.name, modalias: product.description)
  }

  private func sink(_ sink: PipeWireSink, _ bluetooth: [BluetoothEarphones]) -> StatusReport.Earphones? {
    switch sink {
    case .bluetooth(let address): return Self.bluetooth(address, of: bluetooth)
    case .usb(let maker, let product, let name):
      return StatusReport.Earphones(
        connection: .usb, name: name,
        modalias: DeviceProduct(.usb, vendor: maker, product: product).description)
    case .other: return nil
    }
  }
}
