import Acoustics
import AudioIO
import Base
import Bus
import Service

/// Earphones on which the aid plays, as far as the machine tells: a USB card's own numbers where the aid plays on a card; the pair whose
/// Bluetooth address the device's name has; where it plays through a sound server, the sink that the name says, otherwise the one that
/// PipeWire plays on by default, and without pw-dump the only pair that is connected by Bluetooth.
struct EarphoneSource {
  /// Everything on which the answer depends.
  struct Question: Equatable {
    /// ALSA's name of the device; nil while it is closed.
    var playback: String?
    var bluetooth: [BluetoothEarphones]

    init(_ standing: AidStanding, _ bluetooth: [BluetoothEarphones]) {
      self.init(playback: standing.playback, bluetooth: bluetooth)
    }

    init(playback: String?, bluetooth: [BluetoothEarphones]) {
      self.playback = playback
      // Another charge is no reason to ask anew.
      self.bluetooth = bluetooth.map {
        BluetoothEarphones(address: $0.address, name: $0.name, modalias: $0.modalias)
      }
    }

    func with(_ bluetooth: [BluetoothEarphones]) -> Question {
      Question(playback: playback, bluetooth: bluetooth)
    }
  }

  enum Answer: Sendable, Equatable {
    /// Nil: none that are known.
    case earphones(StatusReport.Earphones?)
    /// A sound server was asked and did not answer.
    case unanswered
  }

  /// Model of the card of a device; nil: it lies on no card.
  var card: (_ device: String) -> CardModel? = CardModel.init(of:)
  /// A sink of PipeWire by its name, or nil: the one on which it plays by default.
  var sink: (_ node: String?) -> PipeWireSink.Answer = PipeWireSink.now

  /// Way on which a device's name leads to earphones.
  private enum Way {
    case card(CardModel)
    case bluetooth(address: String)
    /// A sound server's sink; nil: the one on which it plays by default.
    case sink(String?)
    /// To one of a server's sinks, or elsewhere, and nobody can tell which.
    case unknown
  }

  func answer(_ question: Question) -> Answer {
    guard let playback = question.playback else { return .earphones(nil) }
    var found: StatusReport.Earphones?
    switch way(of: playback) {
    case .card(let card): found = usb(card)
    case .bluetooth(let address): found = Self.bluetooth(address, of: question.bluetooth)
    case .sink(let name):
      switch sink(name) {
      case .sink(let sink): found = self.sink(sink, question.bluetooth)
      case .noSink: break
      case .unanswered: return .unanswered
      case .notInstalled:
        if name == nil, let only = question.bluetooth.first, question.bluetooth.count == 1 {
          found = Self.bluetooth(only)
        }
      }
    case .unknown: break
    }
    return .earphones(found.map(Self.acceptable))
  }

  /// True where a sound server was asked, which may give another answer though nothing has told of a change.
  func asksServer(_ question: Question) -> Bool {
    if let playback = question.playback, case .sink = way(of: playback) { true } else { false }
  }

  private func way(of playback: String) -> Way {
    if let card = card(playback) { return .card(card) }
    let name = playback.hasPrefix("plug:") ? String(playback.dropFirst("plug:".count)) : playback
    let plugin = name.prefix { $0 != ":" }
    // A server is asked for the sink even if its name has an address: when that one goes, the sound moves to another one.
    if !DevicePlace.isOnServer(playback), let address = BluetoothLink(deviceName: playback)?.address {
      return .bluetooth(address: address)
    }
    guard plugin.endIndex < name.endIndex else { return .sink(nil) }
    let argument = name[name.index(after: plugin.endIndex)...]
    // Arguments of alsa-lib's configuration for the two servers; PulseAudio's has this one alone, and takes it without its key.
    let sink: Substring? =
      switch plugin {
      case "pulse": argument.hasPrefix("DEVICE=") ? argument.dropFirst("DEVICE=".count) : argument
      case "pipewire" where argument.hasPrefix("NODE="): argument.dropFirst("NODE=".count)
      default: nil
      }
    guard let sink, !sink.isEmpty, !sink.contains(where: { ",=\"'".contains($0) }) else { return .unknown }
    return .sink(String(sink))
  }

  /// Earphones as they were looked up last, and when that is done again, where a sound server was asked: it tells nobody of another output.
  struct Schedule: Sendable {
    /// Time after a change to a second look, s: a server makes the sink of earphones some time after they have connected, and answers again
    /// when it has been started again. Own choice.
    static let settling = 3.0
    /// Time between further looks, s: somebody may choose another output. Own choice.
    static let interval = 20.0

    /// Monotonic s.
    private(set) var due = Double.infinity
    /// Nil: none that are known.
    private(set) var earphones: StatusReport.Earphones?
    /// True from a look after a change that a server did not answer to the next look: nobody is told meanwhile that none are known, which
    /// would end a hearing test whose order allows these alone.
    private(set) var isPending = false
    private var last: Answer?

    /// - Parameters:
    ///   - now: Monotonic, s.
    ///   - isNews: True for a look after a change of the question.
    ///   - isServer: True where a sound server was asked.
    mutating func note(_ answer: Answer, at now: Double, isNews: Bool, isServer: Bool) {
      let isSettled = !isNews && answer == last
      due = isServer ? now + (isSettled ? Self.interval : Self.settling) : .infinity
      last = answer
      isPending = isNews && answer == .unanswered
      switch answer {
      case .earphones(let found): earphones = found
      // To the same question the last answer still counts: nothing says that they have become others.
      case .unanswered: if isNews { earphones = nil }
      }
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
