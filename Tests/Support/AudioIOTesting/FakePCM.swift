import AudioIO
import Glibc

/// One direction of a ``FakeRig``.
package struct FakePCM: PCMDevice, ~Copyable {
  package typealias Clock = FakeClock

  let rig: FakeRig
  package let direction: StreamDirection

  init(_ rig: FakeRig, _ direction: StreamDirection) {
    self.rig = rig
    self.direction = direction
  }

  package var name: String { rig.name }
  package var clockIdentity: Int? {
    guard side({ $0.isOnCard }) else { return nil }
    return rig.sharesClock ? 0 : direction == .capture ? 1 : 2
  }

  package mutating func open() throws(PCMOpenError) {
    rig.opens += 1
    if let error = rig.openError { throw error }
    guard side({ $0.isPlugged }) else { throw .noSuchDevice(name: name, available: []) }
    side {
      $0.isOpen = true
      $0.state = .open
    }
  }

  package mutating func claim() throws(PCMOpenError) {
    rig.claims.append(direction)
    if rig.isClaimed { throw .busy(name: name, holders: []) }
  }

  package mutating func configure(
    _ request: StreamRequest, buffer: Int
  ) throws(PCMOpenError) -> StreamFormat {
    let offer = rig.offer
    let formats = request.format.map { [$0] } ?? SampleFormat.preferred
    let possible = rig.formatsOfRate[request.rate] ?? offer.formats
    guard let format = formats.first(where: possible.contains) else {
      throw .formatRefused(name: name, asked: formats, offer: offer)
    }
    let asked = direction == .capture ? rig.captureChannels : nil
    let channels = asked ?? min(max(2, offer.channels.lowerBound), offer.channels.upperBound)
    guard offer.channels.contains(channels), direction == .capture || channels >= 2 else {
      throw .channelsRefused(name: name, direction: direction, offer: offer)
    }
    guard offer.rates.contains(request.rate) else {
      throw .rateRefused(name: name, asked: request.rate, offer: offer)
    }
    let granted = StreamFormat(
      rate: request.rate, channels: channels, format: format,
      period: min(max(request.period, offer.period.lowerBound), offer.period.upperBound),
      buffer: min(max(buffer, offer.buffer.lowerBound), offer.buffer.upperBound))
    side {
      $0.format = granted
      $0.prepare()
    }
    if direction == .playback {
      rig.silencesPlayed = false
      rig.makeRing(frames: granted.buffer)
    }
    return granted
  }

  package mutating func close() {
    rig.beforeClosing(direction)
    rig.update()
    rig.isLinked = false
    side {
      $0.isOpen = false
      $0.stop(.invalid, at: rig.time)
    }
  }

  @discardableResult
  func side<Result>(_ body: (inout FakeSide) -> Result) -> Result { rig.withSide(direction, body) }

  /// The directions a call acts on: both, when they are linked.
  var group: [StreamDirection] { rig.isLinked ? StreamDirection.allCases : [direction] }

  /// Descriptors that cannot be real ones.
  var descriptor: Int32 { direction == .capture ? -100 : -101 }

  static func direction(of descriptor: Int32) -> StreamDirection? {
    switch descriptor {
    case -100: .capture
    case -101: .playback
    default: nil
    }
  }
}
