import Acoustics
import AudioIO
import CommonTesting
import Glibc
import HearingDSP
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Recordings through the chain: the samples that come out.
@Suite("FileRendering") struct FileRenderingTests {
  /// The ramp a rendering begins with, s.
  static let rise = 0.05

  /// Nothing prescribed, and a full scale that means the same on both sides: 0 dB in the digits.
  static func transparent(
    _ folder: TemporaryFolder, _ inputs: [String], output: String = "out.wav"
  ) -> FileRendering {
    FileRendering(
      inputs: inputs.map(folder.file), output: folder.file(output), hearing: HearingSettings(),
      level: .fullScale(HearingSettings().maximumOutput))
  }

  struct Sizes: Sendable {
    var rate: Int
    var frames: Int
    var output = "out.wav"
  }

  @Test(
    "0 dB: the recording comes back less its direct current, not a frame later, to −90 dB",
    arguments: [
      Sizes(rate: 44_100, frames: 64), Sizes(rate: 44_100, frames: 1024), Sizes(rate: 48_000, frames: 64),
      Sizes(rate: 96_000, frames: 100), Sizes(rate: 44_100, frames: 64, output: "out.flac"),
    ])
  func transparent(sizes: Sizes) throws {
    let folder = TemporaryFolder()
    // No multiple of any block.
    let count = sizes.rate / 2 + 17
    let left = Signal.babble(peak: 0.3, count: count, rate: sizes.rate)
    let right = Signal.babble(peak: 0.2, count: count, seed: 2, rate: sizes.rate)
    try folder.record("in.wav", rate: sizes.rate, left: left, right: right)
    var rendering = Self.transparent(folder, ["in.wav"], output: sizes.output)
    rendering.blockFrames = sizes.frames
    let result = try rendering.run()
    let output = try folder.play(sizes.output)
    #expect(output.rate == sizes.rate && result.sampleRate == Double(sizes.rate))
    #expect(output.left.count == count && output.right.count == count)
    #expect(abs(result.duration - Double(count) / Double(sizes.rate)) < 1e-9)
    let risen = Int(Self.rise * Double(sizes.rate)) + 1
    let (leftSound, rightSound) = (
      Signal.withoutDirectCurrent(left, rate: sizes.rate),
      Signal.withoutDirectCurrent(right, rate: sizes.rate)
    )
    #expect(Signal.residual(output.left[risen...], against: leftSound[risen...]) < -90)
    #expect(Signal.residual(output.right[risen...], against: rightSound[risen...]) < -90)
    // Before that, the ramp: the input times 3x² − 2x³.
    for n in stride(from: 0, to: risen - 1, by: 7) {
      let x = Float(n + 1) / Float(risen - 1)
      #expect(abs(output.left[n] - leftSound[n] * x * x * (3 - 2 * x)) < 1e-4)
    }
    #expect(folder.names == ["in.wav", sizes.output].sorted())
  }

  @Test("one channel is heard in both ears")
  func mono() throws {
    let folder = TemporaryFolder()
    let left = Signal.babble(peak: 0.3, count: 22_050)
    try folder.record("in.wav", left: left)
    _ = try Self.transparent(folder, ["in.wav"]).run()
    let output = try folder.play("out.wav")
    // Both go through one complex transform, whose parts round differently: two steps of 24 bits.
    #expect(zip(output.left, output.right).allSatisfy { abs($0 - $1) <= 0x1p-22 })
    #expect(
      Signal.residual(output.left[2206...], against: Signal.withoutDirectCurrent(left)[2206...]) < -90)
  }

  @Test("several recordings follow each other without a gap")
  func several() throws {
    let folder = TemporaryFolder()
    let (first, second) = (
      Signal.babble(peak: 0.3, count: 10_001), Signal.babble(peak: 0.3, count: 5003, seed: 9)
    )
    try folder.record("1.wav", left: first)
    try folder.record("2.flac", left: second)
    _ = try Self.transparent(folder, ["1.wav", "2.flac"]).run()
    let output = try folder.play("out.wav")
    let expected = Signal.withoutDirectCurrent(first + second)
    #expect(output.left.count == expected.count)
    #expect(Signal.residual(output.left[2206...], against: expected[2206...]) < -90)
  }

  /// FLAC states its length in 36 bits, the first four in byte 21 of the file (RFC 9639, section 8.2): here 2²³ frames more than there
  /// are, 2³⁰, which are more than a WAV file holds, and 2³⁵, for which no disk has room either.
  @Test(
    "a recording that states more than it has is rendered as far as it goes, and that is its length",
    arguments: [(23, UInt8(0x80)), (22, 0x40), (21, 0x08)], [true, false])
  func overstated(bit: (place: Int, value: UInt8), hasLevel: Bool) throws {
    let folder = TemporaryFolder()
    let count = 20_000
    try folder.record("in.flac", left: Signal.babble(peak: 0.3, count: count))
    var bytes = folder.bytes(of: "in.flac")
    try #require(bytes.starts(with: "fLaC".utf8))
    bytes[bit.place] |= bit.value
    folder.write(bytes, to: "in.flac")
    #expect(try SoundFileReader(path: folder.file("in.flac")).frameCount > 1 << 22)
    var rendering = Self.transparent(folder, ["in.flac"])
    if hasLevel { rendering.level = .equivalent(SoundPressureLevel(65)) }
    var shares: [Double] = []
    let result = try rendering.run(progress: { shares.append($0) })
    #expect(abs(result.duration - Double(count) / 44_100) < 1e-9)
    #expect(try folder.play("out.wav").left.count == count)
    #expect(shares.last == 1)
    // The level was found by reading it all.
    if hasLevel { #expect(shares.contains { (0.4...0.6).contains($0) }) }
  }

  @Test(
    "other rates are resampled: 16 kHz in, 44.1 kHz out, a tone keeps pitch and level",
    arguments: [
      16_000, 22_050, 8000, 192_000,
    ])
  func resampled(rate: Int) throws {
    let folder = TemporaryFolder()
    let tone = Signal.sine(1000, amplitude: 0.1, seconds: 0.7, rate: rate)
    try folder.record("in.wav", rate: rate, left: tone)
    let result = try Self.transparent(folder, ["in.wav"]).run()
    let output = try folder.play("out.wav")
    #expect(output.rate == 44_100)
    #expect(abs(output.left.count - 30_870) <= 1)
    #expect(abs(result.duration - 0.7) < 1e-4)
    #expect(abs(20 * log10(LiveBench.amplitude(of: output.left[4410..<26_460]) / 0.1)) < 0.05)
  }

  @Test("live sound and a rendering of the same recording are the same samples")
  func sameAsLive() throws {
    let folder = TemporaryFolder()
    let count = 30_000
    try folder.record(
      "in.wav", left: Signal.babble(peak: 0.25, count: count),
      right: Signal.babble(peak: 0.1, count: count, seed: 3))
    let input = try folder.play("in.wav")
    let hearing = HearingSettings(
      audiograms: Binaural(left: StandardAudiogram.n3.audiogram, right: StandardAudiogram.s2.audiogram))
    let rendering = FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"), hearing: hearing,
      level: .fullScale(SoundPressureLevel(85)))
    let result = try rendering.run()
    let file = try folder.play("out.wav")

    // The live side with the calibrations that the rendering had.
    let bench = try LiveBench { $0.hearing = result.settings }
    bench.rig.source = { frame, channel in
      frame < count ? (channel == 0 ? input.left[frame] : input.right[frame]) : 0
    }
    bench.run(until: count / LiveBench.period)
    // One step of 24 bits: the file is rounded, the card is not. A live chain has run on silence before, so
    // its very first windows differ, deep in the ramp: four blocks are left out.
    let step: Float = 0x1p-23
    let frames = count / LiveBench.period * LiveBench.period
    for (ear, expected) in [(Ear.left, file.left), (.right, file.right)] {
      let written = ear == .left ? bench.rig.writtenLeft : bench.rig.writtenRight
      let differing = (4 * LiveBench.period..<frames).first {
        abs(written[LiveBench.prefill + $0] - expected[$0]) > step
      }
      #expect(differing == nil)
      #expect(expected.contains { abs($0) > 0.01 })
    }
  }

  @Test("a streamed recording is added by its own calibration, from the beginning, and ends without a step")
  func streamed() throws {
    let folder = TemporaryFolder()
    let silence = [Float](repeating: 0, count: 4 * 44_100)
    try folder.record("in.wav", rate: 44_100, left: silence, right: silence)
    // Two seconds at another rate; 1 kHz of amplitude 0.1 is 65 dB SPL.
    let tone = Signal.sine(1000, amplitude: 0.1, seconds: 2, rate: 48_000)
    try folder.record("music.wav", rate: 48_000, left: tone, right: tone)
    var rendering = Self.transparent(folder, ["in.wav"])
    rendering.streamed = folder.file("music.wav")
    _ = try rendering.run()
    let output = try folder.play("out.wav")
    // The output's full scale stands for the limit.
    let wanted = 65 - HearingSettings().maximumOutput.decibels
    let heard = LiveBench.amplitude(of: output.left[44_100..<66_150])
    #expect(abs(20 * log10(heard) - wanted) < 0.5)
    #expect(output.left[(3 * 44_100)...].allSatisfy { abs($0) < 1e-6 })
    let treble = ProgramBench.treble(output.right).map { abs($0) }.max() ?? 1
    #expect(Double(treble) < pow(10, wanted / 20) * 0.01)
  }

  @Test("the last samples of a streamed recording wait to be heard, also where they fill no block")
  func endOfStream() throws {
    let folder = TemporaryFolder()
    let tone = [Float](Signal.sine(1000, amplitude: 0.1, seconds: 0.1, rate: 44_100).prefix(1500))
    try folder.record("music.wav", rate: 44_100, left: tone, right: tone)
    var hearing = HearingSettings().calibrated()
    hearing.streaming = StreamingSettings()
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 1024)
    var recording = try StreamedRecording(folder.file("music.wav"), settings: hearing, geometry: geometry)
    try recording.advance()
    let (waiting, target) = (recording.feed.waiting, recording.feed.target)
    #expect(waiting >= 1500 && waiting >= target)
  }

  @Test("progress grows to 1 and not beyond")
  func progress() throws {
    let folder = TemporaryFolder()
    try folder.record("in.wav", rate: 16_000, left: Signal.babble(peak: 0.3, count: 20_011))
    var reports: [Double] = []
    _ = try Self.transparent(folder, ["in.wav"]).run { reports.append($0) }
    #expect(reports.count > 50)
    #expect(reports.last == 1)
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(reports.allSatisfy { (0...1).contains($0) })
  }
}
