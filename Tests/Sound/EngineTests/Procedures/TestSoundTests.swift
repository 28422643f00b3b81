import Acoustics
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// Tones by which a person says what they hear.
@Suite("Test sounds") struct TestSoundTests {
  private static let rate = EchoRoom.rate

  /// Plays sounds on an aid that is not started.
  private func play(
    _ sounds: [TestSound], in room: EchoRoom, isCancelled: @escaping () -> Bool = { false },
    change: (inout AidSettings) -> Void = { _ in }
  ) throws -> (began: [TestSound], isWhole: Bool) {
    let aid = room.aid(change)
    try aid.startSilently()
    defer { aid.stop() }
    var began: [TestSound] = []
    let isWhole = try aid.play(sounds, began: { began.append($0) }, isCancelled: isCancelled)
    return (began, isWhole)
  }

  @Test(
    "a sound plays in its ear alone, and its peak is that of a sine of its level",
    arguments: [(Ear.left, -30.0), (.right, -60.0)])
  func oneEar(_ ear: Ear, _ level: Double) throws {
    let room = EchoRoom()
    // A loud microphone reaches no ear.
    room.noise = Binaural(both: 0.1)
    #expect(try play([TestSound(ear, level: level)], in: room).isWhole)
    let other = ear == .left ? room.sent.right : room.sent.left
    #expect(other.allSatisfy { $0 == 0 })
    let peak = Double(room.sent[ear].map(abs).max() ?? 0)
    // Never above; below by no more than the distance of samples from a crest: cos(π·1050/48000) = −0.02 dB.
    #expect(20 * log10(peak) <= level + 1e-4)
    #expect(20 * log10(peak) > level - 0.05)
  }

  @Test("a second of it ends where it began, and its frequency stays within 5 % of 1 kHz")
  func period() {
    let period = TestSound(.left, level: 0).period(rate: Self.rate)
    #expect(period.count == 48_000)
    // Twice a second a pulse, from and to silence.
    #expect(
      period[0] == 0 && abs(period[24_000]) < 1e-9 && period[12_000...23_999].allSatisfy { abs($0) < 1e-9 })
    // Zero crossings of the even part of the first pulse, each half a period apart.
    let pulse = period[1_000..<11_000]
    let crossings = pulse.indices.dropFirst().filter { pulse[$0 - 1] < 0 && pulse[$0] >= 0 }
    let distances = zip(crossings.dropFirst(), crossings).map { Double($0 - $1) }
    // One frame for where a crossing falls between two.
    #expect(distances.allSatisfy { 48_000 / 1050.0 - 1 <= $0 && $0 <= 48_000 / 950.0 + 1 })
  }

  @Test("sounds follow each other from silence, each held to its own level")
  func rising() throws {
    let room = EchoRoom()
    let levels = [-60.0, -50, -40]
    let result = try play(levels.map { TestSound(.left, level: $0) }, in: room)
    #expect(result.began.map(\.level) == levels && room.takes >= 3)
    #expect(20 * log10(Double(room.peak)) <= -40 + 1e-4)
  }

  @Test("the aid's own limit holds a sound that asks for more")
  func limit() throws {
    let room = EchoRoom()
    // 80 dB SPL where full scale stands for 120 is −40 dB.
    let change = { (settings: inout AidSettings) in settings.hearing.maximumOutput = SoundPressureLevel(80)
    }
    _ = try play([TestSound(.left, level: 0)], in: room, change: change)
    #expect(20 * log10(Double(room.peak)) <= -40 + 1e-4)
  }

  @Test("what is cancelled falls to silence, and nothing louder follows")
  func cancelled() throws {
    let room = EchoRoom()
    let sounds = stride(from: -60.0, through: -10, by: 5).map { TestSound(.left, level: $0) }
    // The room goes on slowly then, so that whoever looks from outside sees it in time.
    room.before = { room, _ in if room.takes >= 3, room.framesSounding > 1000 { usleep(1000) } }
    let result = try play(sounds, in: room, isCancelled: { room.takes >= 3 && room.framesSounding > 1000 })
    #expect(!result.isWhole && result.began.count < sounds.count)
    let last = try #require(result.began.last)
    #expect(20 * log10(Double(room.peak)) <= last.level + 1e-4)
    #expect(room.sent.left.last == 0)
  }

  @Test(
    "levels beyond full scale, or that are no numbers, are held",
    arguments: [(5.0, 0.0), (-200, -100), (.nan, -100), (.infinity, -100), (-.infinity, -100)])
  func held(_ level: Double, _ expected: Double) {
    #expect(TestSound(.left, level: level).level == expected)
  }

  @Test("a steady sine has its level and its frequency, for as long as it is asked for")
  func steady() throws {
    let room = EchoRoom()
    let sound = TestSound(.right, level: -20, frequency: 4000.2, duration: 2)
    #expect(sound.frequency == 4000 && sound.duration == 2)
    #expect(try play([sound], in: room).isWhole)
    #expect(room.sent.left.allSatisfy { $0 == 0 })
    let rate = Int(Self.rate)
    let loud = room.sent.right.indices.filter { abs(room.sent.right[$0]) > 0.0999 }
    let (first, last) = (try #require(loud.first), try #require(loud.last))
    #expect(last - first >= 2 * rate - rate / 100)
    // In a second at full level: 4000 whole periods, of mean square 10^(−20/10) / 2. Half the linearity step's tolerance would
    // be 0.5 dB; a limiter that acts at the level of the tone takes less than a hundredth.
    let second = room.sent.right[(last - rate)..<last].map(Double.init)
    let power = second.reduce(0) { $0 + $1 * $1 } / Double(rate)
    #expect(abs(10 * log10(2 * power) + 20) < 0.01)
    let crossings = zip(second, second.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 4000) <= 1)
  }

  /// Level of the last second of a tone in the left ear, a sine's in dB FS.
  ///
  /// - Parameter magnitude: Of samples, of which the last one above it is the second's end.
  private func lastSecond(in room: EchoRoom, above magnitude: Float) throws -> Double {
    let last = try #require(room.sent.left.lastIndex { abs($0) > magnitude })
    let second = room.sent.left[(last - Int(Self.rate))..<last].map(Double.init)
    return 10 * log10(2 * second.reduce(0) { $0 + $1 * $1 } / Self.rate)
  }

  @Test(
    "a steady sine below 200 Hz leaves the output safety stage at its level, within 0.05 dB, and not above it",
    arguments: [63.0, 125, 150, 250])
  func low(frequency: Double) throws {
    let room = EchoRoom()
    let sound = TestSound(.left, level: -20, frequency: frequency, duration: 2)
    #expect(try play([sound], in: room).isWhole)
    // A second has whole periods, of mean square 10^(−20/10) / 2.
    #expect(abs(try lastSecond(in: room, above: 0.099) + 20) < 0.05)
    #expect(20 * log10(Double(room.peak)) <= -20 + 1e-4)
  }

  @Test("the aid's own limit holds a loud tone, however low it is", arguments: [63.0, 125, 150, 1000])
  func lowLimit(frequency: Double) throws {
    let room = EchoRoom()
    // 80 dB SPL where full scale stands for 120 is −40 dB.
    let sound = TestSound(.left, level: 0, frequency: frequency, duration: 2)
    _ = try play(
      [sound], in: room, change: { $0.hearing.maximumOutput = SoundPressureLevel(80) })
    #expect(20 * log10(Double(room.peak)) <= -40 + 1e-4)
    // 0.8 ms of the limit's power may lie above it: 0.0035 dB of a second.
    #expect(try lastSecond(in: room, above: room.peak / 2) <= -40 + 0.005)
  }

  @Test(
    "frequencies and durations that cannot be are held",
    arguments: [(5.0, 0, 20.0, 1), (1e6, 900, 20_000, 60), (.nan, 1, 1000, 1)])
  func heldTone(_ frequency: Double, _ duration: Int, _ expected: Double, _ length: Int) {
    let sound = TestSound(.left, level: -20, frequency: frequency, duration: duration)
    #expect(sound.frequency == expected && sound.duration == length)
  }

  @Test("the microphones are recorded as they deliver, and nothing sounds meanwhile")
  func recorded() throws {
    let room = EchoRoom()
    room.noise = Binaural(left: 0.1, right: 0)
    let aid = room.aid { _ in }
    try aid.startSilently()
    defer { aid.stop() }
    let recording = try aid.recordMicrophones(seconds: 2)
    #expect(recording.rate == Double(Self.rate) && recording.sound.left.count == 2 * Int(Self.rate))
    #expect(
      recording.sound.left.contains { abs($0) > 0.01 } && recording.sound.right.allSatisfy { $0 == 0 })
    #expect(room.peak == 0)
  }

  @Test("limits held to a level are the lower ones, in both ears")
  func heldLimits() throws {
    let limits = OutputLimits.lowest
    #expect(limits.held(to: -20) == limits)
    #expect(limits.held(to: -80) != limits)
    #expect(limits.held(to: -80).held(to: -20) == limits.held(to: -80))
  }
}
