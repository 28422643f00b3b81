import Testing

@testable import AudioIO

/// Devices of which not every format goes with every rate and number of channels.
@Suite("Rate, format and channels that go together") struct ConfigurationSpaceTests {
  /// A device by a table of what goes together.
  final class Table: ConfigurationSpace {
    typealias Row = (rate: Int, format: SampleFormat, channels: Int)

    private var rows: [Row]

    init(_ rows: [Row]) { self.rows = rows }

    var offer: DeviceOffer {
      DeviceOffer(
        rates: DeviceOffer.commonRates.filter { rate in rows.contains { $0.rate == rate } },
        formats: SampleFormat.preferred.filter { format in rows.contains { $0.format == format } },
        channels: channels, period: 16...1024, buffer: 32...4096)
    }

    var channels: ClosedRange<Int> {
      let counts = rows.map(\.channels)
      return (counts.min() ?? 0)...(counts.max() ?? 0)
    }

    func copy() -> Table { Table(rows) }
    func set(rate: Int) -> Bool { narrow { $0.rate == rate } }
    func set(format: SampleFormat) -> Bool { narrow { $0.format == format } }
    func set(channels: Int) -> Bool { narrow { $0.channels == channels } }

    private func narrow(_ isLeft: (Row) -> Bool) -> Bool {
      let left = rows.filter(isLeft)
      if !left.isEmpty { rows = left }
      return !left.isEmpty
    }
  }

  /// A USB card whose setting of 24 bits has one rate, and that of 16 bits another one too.
  static let card: [Table.Row] = [
    (48_000, .signed24Packed, 2), (48_000, .signed16, 2), (44_100, .signed16, 2),
  ]

  @Test(
    "a rate that a lower resolution has alone is granted with that, another one with the highest",
    arguments: [(44_100, SampleFormat.signed16), (48_000, .signed24Packed)])
  func rate(rate: Int, format: SampleFormat) throws {
    let device = Table(Self.card)
    let granted = try device.settle(StreamRequest(rate: rate), .playback, device: "card")
    #expect(granted.format == format && granted.channels == 2)
    #expect(device.offer.rates == [rate] && device.offer.formats == [format])
  }

  @Test("a rate that no format has is refused, with those that there are")
  func rateRefused() {
    let device = Table(Self.card)
    let expected = PCMOpenError.rateRefused(name: "card", asked: 96_000, offer: device.offer)
    #expect(throws: expected) {
      _ = try device.settle(StreamRequest(rate: 96_000), .playback, device: "card")
    }
    #expect(device.offer.rates == [44_100, 48_000])
  }

  @Test("a format that the rate does not have is refused, with those that it has")
  func formatRefused() {
    let request = StreamRequest(rate: 44_100, format: .signed24Packed)
    do {
      _ = try Table(Self.card).settle(request, .playback, device: "card")
      Issue.record("it was granted")
    } catch {
      #expect(error.description == "card has no sample format S24_3LE: it offers S16_LE")
    }
  }

  @Test(
    "a format that has too few channels gives way to the next, and one that has more keeps them",
    arguments: [
      ([(44_100, .signed32, 1), (44_100, .signed16, 2)], .playback, .signed16, 2),
      ([(44_100, .signed32, 1), (44_100, .signed16, 2)], .capture, .signed32, 1),
      ([(44_100, .signed32, 8), (44_100, .signed16, 2)], .playback, .signed32, 8),
      // Of another rate.
      ([(48_000, .signed32, 2), (44_100, .signed32, 6)], .capture, .signed32, 6),
    ] as [([Table.Row], StreamDirection, SampleFormat, Int)])
  func channels(
    rows: [Table.Row], direction: StreamDirection, format: SampleFormat, count: Int
  ) throws {
    let granted = try Table(rows).settle(StreamRequest(rate: 44_100), direction, device: "card")
    #expect(granted.format == format && granted.channels == count)
  }

  @Test("playback with one channel is refused, with the channels that there are")
  func channelsRefused() {
    do {
      _ = try Table([(44_100, .signed16, 1)]).settle(StreamRequest(), .playback, device: "card")
      Issue.record("it was granted")
    } catch {
      #expect(error.description == "card has no playback with 2 or more channels: it offers 1")
    }
  }
}
