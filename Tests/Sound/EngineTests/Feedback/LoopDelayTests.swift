import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// The measurement of the loop's delay on loops that are known.
@Suite("LoopDelayRun") struct LoopDelayTests {
  /// Greatest difference from the true delay, frames at 48 kHz: 0.1 ms. The first trace counts, and a pulse cut off at 0.45 of the
  /// rate rings for some frames before its peak.
  private static let tolerance = 4.8

  /// Output joined to input by a cable, each ear by its own.
  private static func cable(_ delay: Int = 300, ears: [Ear] = Ear.allCases) -> EchoRoom {
    let room = EchoRoom()
    room.delay = delay
    room.paths = ears.map { ($0, $0, [0.5]) }
    return room
  }

  private static func measure(
    _ aid: HearingAid, _ ears: [Ear] = Ear.allCases, at moment: Double = 0,
    repeats: (FeedbackFault) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: LoopDelayMeasurement)] {
    do { try aid.startSilently() } catch { throw .system("\(error)") }
    defer { aid.stop() }
    return try aid.measureLoopDelay(ears, at: moment, repeats: repeats, isCancelled: isCancelled)
  }

  private static func fault(_ aid: HearingAid, _ ears: [Ear] = [.left]) -> FeedbackFault? {
    do {
      _ = try measure(aid, ears)
      return nil
    } catch { return error }
  }

  @Test(
    "a cable's delay comes back within 0.1 ms in five repetitions of one frame's spread at most, softly",
    arguments: [64, 300, 4801, 12_000])
  func cable(delay: Int) throws {
    let room = Self.cable(delay)
    let results = try Self.measure(room.aid(), at: 7)
    #expect(results.map(\.ear) == Ear.allCases)
    for (_, measured) in results {
      #expect(abs(measured.delay * EchoRoom.rate - Double(delay)) <= Self.tolerance)
      #expect(measured.spread * EchoRoom.rate <= 1 && measured.repetitions == 5)
      #expect(measured.level == 55 && measured.rate == 48_000 && measured.period == 64)
      #expect(measured.captureName == "room" && measured.playbackName == "room" && measured.moment == 7)
      #expect(abs(try #require(measured.deviceDelay) * EchoRoom.rate - Double(EchoRoom.latency)) < 1e-6)
      let untold = try #require(measured.untold) * EchoRoom.rate
      #expect(abs(untold - Double(delay - EchoRoom.latency)) <= Self.tolerance)
    }
    // 55 dB SPL where full scale is 120: RMS −65 dB, with peaks of at most 12 dB, and the chain's ripple.
    #expect(room.peak < Float(pow(10, (-65.0 + 12) / 20) * 0.71 * 1.2))
  }

  @Test("through the air the first trace counts, and noise makes it louder, never above the loudest level")
  func air() throws {
    let room = EchoRoom()
    room.paths = [(.left, .left, EchoRoom.vent(peak: 0.02))]
    room.noise = Binaural(both: 4e-5)
    let measured = try #require(try Self.measure(room.aid(), [.left]).first).measurement
    // The first sample of the path has most of the peak.
    #expect(abs(measured.delay * EchoRoom.rate - 300) <= 5)
    #expect(measured.level > 55 && measured.level <= 75)
    // 75 dB SPL at most, as above.
    #expect(room.peak < Float(pow(10, (-45.0 + 12) / 20) * 0.71 * 1.2))
  }

  @Test("nothing that comes back, a dead microphone and noise above the test are told apart and refused")
  func nothing() throws {
    let open = Self.cable(ears: [.right])
    let noise = Float(3e-6)
    guard case .nothingHeard(.left, level: 75, let level)? = Self.fault(open.aid()) else {
      Issue.record("measured without a cable")
      return
    }
    // RMS 3e-6 where a full-scale sine, 0.707, is 120 dB SPL; a period of noise is within 0.5 dB of it.
    #expect(abs(level - (120 + 20 * log10(Double(noise) * 2.0.squareRoot()))) < 0.5)
    let words = Failure.words(.nothingHeard(.left, level: 75, noise: level))
    #expect(words.contains("cable") && words.contains("muted"))

    let dead = Self.cable(ears: [.right])
    dead.noise = Binaural(both: 0)
    #expect(Self.fault(dead.aid()) == .microphoneSilent(.left))

    let loud = Self.cable()
    loud.paths = [(.left, .left, [1e-4])]
    loud.noise = Binaural(both: 0.02)
    guard case .nothingHeard(.left, level: 75, let din)? = Self.fault(loud.aid()) else {
      Issue.record("measured in noise")
      return
    }
    #expect(din > 75 && Failure.words(.nothingHeard(.left, level: 75, noise: din)).contains("quieter room"))
    let driven = Self.cable()
    driven.paths = [(.left, .left, [5000])]
    #expect(Self.fault(driven.aid()) == .microphoneOverloaded(.left, level: 55))
  }

  @Test("a delay that moves while it is measured, or from ear to ear, is refused")
  func moving() throws {
    let room = Self.cable()
    var attempts = 0
    var isHigh = false
    // A period of 256 frames more or less every 1.5 s, half of the time that a recording lasts at least.
    room.before = { room, _ in
      guard room.framesSounding > 0, room.framesSounding % 72_000 < EchoRoom.period else { return }
      isHigh.toggle()
      room.delay = isHigh ? 556 : 300
    }
    do {
      _ = try Self.measure(room.aid(), [.left], repeats: { _ in attempts += 1 })
      Issue.record("measured a delay that moves")
    } catch {
      // Two readings that are whole show the move; one that is not, no clear sound.
      switch error {
      case .delayMoved(let change): #expect(abs(change * EchoRoom.rate - 256) <= 10)
      case .nothingHeard: break
      default: Issue.record("\(error)")
      }
    }
    #expect(attempts <= 2)

    let ears = Self.cable()
    // Both takes of an ear, the one that finds the level and the long one: then the other ear's.
    ears.before = { room, _ in room.delay = room.takes <= 2 ? 300 : 556 }
    guard case .delayMoved(let change)? = Self.fault(ears.aid(), Ear.allCases) else {
      Issue.record("measured ears of different devices")
      return
    }
    #expect(abs(change * EchoRoom.rate - 256) <= 2 * Self.tolerance)
  }

  @Test("a delay that moves once is measured again, with a word, and kept as it is then")
  func movedOnce() throws {
    let room = Self.cable()
    var reasons: [FeedbackFault] = []
    // In the first long take, after two whole readings of 1.37 s and the time until a recording begins.
    room.before = { room, _ in
      if room.takes == 2, room.framesSounding > 150_000 { room.delay = 556 }
    }
    let measured = try #require(
      try Self.measure(room.aid(), [.left], repeats: { reasons.append($0) }).first
    ).measurement
    #expect(abs(measured.delay * EchoRoom.rate - 556) <= Self.tolerance)
    guard reasons.count == 1, case .delayMoved = reasons[0] else {
      Issue.record("\(reasons)")
      return
    }
  }

  @Test("a limit too low for any test is told before anything sounds; a cancellation ends it")
  func ends() throws {
    let room = Self.cable()
    let quiet = OutputCalibration(
      device: HearingSettingsTests.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(58))))
    let loud = try InputCalibration(
      device: HearingSettingsTests.device, channels: [Sensitivity(flat: SoundPressureLevel(110))])
    let aid = room.aid { ($0.hearing.earphones, $0.hearing.microphones) = (quiet, loud) }
    #expect(Self.fault(aid) == .limitTooLow(.left, limit: 58))
    #expect(room.peak == 0)
    #expect(throws: FeedbackFault.cancelled) {
      _ = try Self.measure(Self.cable().aid(), isCancelled: { true })
    }
  }

  @Test(
    "the canceller goes by the measured delay of these devices, moved with what they tell now; by a path as it is worn before"
  )
  func canceller() {
    var knowledge = FeedbackKnowledge()
    knowledge.deviceDelay = 0.004
    let measured = LoopDelayMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, period: 64, level: 55, delay: 0.012,
      spread: 0, repetitions: 5, deviceDelay: 0.004)
    knowledge.delays = Binaural(both: measured)
    knowledge.isDelayOfTheseDevices = Binaural(both: false)
    #expect(knowledge.loopDelay == 0.004 && knowledge.measuredDelay(for: .left) == nil)
    knowledge.isDelayOfTheseDevices = Binaural(both: true)
    #expect(abs(knowledge.loopDelay - 0.012) < 1e-12)
    knowledge.deviceDelay = 0.006
    #expect(abs(knowledge.loopDelay - 0.014) < 1e-12)
    // A path that was measured in the ear with these devices, 0.2 ms of air: 8 ms that the devices do not tell are theirs, not a
    // delay that moved.
    var path = StableGainTests.measured(-40)
    (path.delay, path.deviceDelay) = (0.0122, 0.004)
    knowledge.measurements = Binaural(both: path)
    knowledge.isOfTheseDevices = Binaural(both: true)
    #expect(abs(knowledge.loopDelay - 0.0142) < 1e-12 && knowledge.path(for: .left) != nil)
    // Without the loop's delay they would be taken for one that moved.
    knowledge.isDelayOfTheseDevices = Binaural(both: false)
    #expect(knowledge.loopDelay == 0.006 && knowledge.path(for: .left) == nil)
    // Devices that told nothing then: the whole was measured.
    var untold = measured
    untold.deviceDelay = nil
    #expect(untold.delay(with: 0.006) == 0.012 && untold.untold == nil)
  }

  @Test("a delay holds for its devices, rate and period alone")
  func identity() {
    let measured = LoopDelayMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, period: 64, level: 55, delay: 0.01,
      spread: 0, repetitions: 5, deviceDelay: 0.004)
    #expect(measured.isOf(capture: "a", playback: "b", rate: 48_000, period: 64))
    #expect(!measured.isOf(capture: "b", playback: "b", rate: 48_000, period: 64))
    #expect(!measured.isOf(capture: "a", playback: "a", rate: 48_000, period: 64))
    #expect(!measured.isOf(capture: "a", playback: "b", rate: 44_100, period: 64))
    #expect(!measured.isOf(capture: "a", playback: "b", rate: 48_000, period: 128))
  }
}

/// Words of a fault as a command says them.
private enum Failure {
  static func words(_ fault: FeedbackFault) -> String { "\(fault) \(fault.remedy ?? "")" }
}
