/// Configurations of a device that are still possible, narrowed step by step. A step that is refused changes nothing.
protocol ConfigurationSpace: ~Copyable {
  /// Capabilities that are left.
  var offer: DeviceOffer { get }
  /// Fewest and most channels that are left.
  var channels: ClosedRange<Int> { get }
  /// The same configurations once more, to be narrowed by themselves.
  ///
  /// - Throws: ``PCMOpenError/failed(name:call:errno:)`` where there is no memory.
  func copy() throws(PCMOpenError) -> Self
  /// Leaves those of one rate, Hz. Returns false where there is no such configuration, as the others do.
  func set(rate: Int) -> Bool
  /// Leaves those of one format.
  func set(format: SampleFormat) -> Bool
  /// Leaves those of one number of channels.
  func set(channels: Int) -> Bool
}

extension ConfigurationSpace where Self: ~Copyable {
  /// Leaves the configurations of the rate that is asked for, and of the first format and number of channels that go with it and with
  /// each other.
  ///
  /// The rate comes first, for it is asked for exactly: a USB card may have one rate with 24 bits and another with 16 alone, or a format
  /// with one number of channels.
  ///
  /// - Parameters:
  ///   - direction: Of the device.
  ///   - name: Of the device.
  /// - Throws: ``PCMOpenError``: `rateRefused` where no format has the rate; `formatRefused` and `channelsRefused` with the capabilities at
  ///   that rate.
  func settle(
    _ request: StreamRequest, _ direction: StreamDirection, device name: String
  ) throws(PCMOpenError) -> (format: SampleFormat, channels: Int) {
    guard set(rate: request.rate) else {
      throw .rateRefused(name: name, asked: request.rate, offer: offer)
    }
    let formats = request.format.map { [$0] } ?? SampleFormat.preferred
    var hasFormat = false
    for format in formats {
      let trial = try copy()
      guard trial.set(format: format) else { continue }
      hasFormat = true
      let candidates = Self.candidates(of: trial.channels, direction)
      guard let count = candidates.first(where: { trial.set(channels: $0) }) else { continue }
      // As the trial was.
      guard set(format: format), set(channels: count) else { break }
      return (format, count)
    }
    guard hasFormat else { throw .formatRefused(name: name, asked: formats, offer: offer) }
    throw .channelsRefused(name: name, direction: direction, offer: offer)
  }

  /// Channels to try, best first: two; for capture one; otherwise as few as there are.
  private static func candidates(of range: ClosedRange<Int>, _ direction: StreamDirection) -> [Int] {
    let fewest = max(range.lowerBound, direction == .capture ? 1 : 2)
    return direction == .capture ? [2, 1, fewest] : [2, fewest]
  }
}
