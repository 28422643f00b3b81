import Acoustics
import AudioIO
import CommonTesting
import Control
import Testing

@testable import Engine
@testable import HearingDSP
@testable import Service

/// Measured feedback paths, and what the daemon makes of them.
@Suite struct MeasuredFeedbackTests {
  static let ear = FeedbackRecord.Ear(
    measuredUnixSeconds: 1_700_000_000, capture: "hw:1", playback: "hw:2", rateHz: 48_000, levelDBSPL: 65,
    delaySeconds: 0.006, deviceDelaySeconds: 0.004, response: [0.5, -0.25],
    frequenciesHz: [100, 1000, 10_000], levelsDB: [-60, -20.5, -50], noiseDB: [-70, -80, -75])

  static let delay = FeedbackRecord.Delay(
    measuredUnixSeconds: 1_700_000_000, capture: "hw:1", playback: "hw:2", rateHz: 48_000, periodFrames: 64,
    levelDBSPL: 55, delaySeconds: 0.0072, spreadSeconds: 0.00002, repetitions: 5,
    deviceDelaySeconds: 0.004)

  static func devices(
    _ capture: String = "hw:1", rate: Int = 48_000, period: Int = 64
  ) -> AidDevices {
    let format = StreamFormat(
      rate: rate, channels: 2, format: .signed32, period: period, buffer: 3 * period)
    return AidDevices(
      captureName: capture, playbackName: "hw:2", capture: format, playback: format, period: period)
  }

  static func reading(_ latency: Int32?, restarts: Int = 0, resets: Int64 = 0) -> AidReading {
    var reading = AidReading()
    reading.deviceLatency = latency
    reading.counters.restarts = restarts
    reading.meters.left.feedback.resets = resets
    return reading
  }

  @Test(
    "a measured delay counts with its devices, rate and period, follows what they tell now, and status tells both"
  )
  func delayNow() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    try memory.keep(FeedbackRecord(leftDelay: Self.delay, rightDelay: Self.delay))
    // 240 frames at 48 kHz: 5 ms, 1 ms more than then.
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    var hearing = memory.informed(HearingSettings())
    #expect(abs(hearing.feedback.loopDelay - 0.0082) < 1e-9)
    let report = StatusReport.Feedback(hearing, isSounding: true)
    let delay = try #require(report.left.delay)
    #expect(
      delay.isTheseDevices == true && delay.delaySeconds == 0.0072 && delay.deviceDelaySeconds == 0.004)
    #expect(abs(try #require(delay.presentSeconds) - 0.0082) < 1e-9 && report.left.path == nil)
    let latency = try #require(StatusReport.Latency.Measured(hearing.feedback, chain: 0.0004))
    #expect(abs(latency.loopSeconds - 0.0086) < 1e-9 && latency.measuredUnixSeconds == 1_700_000_000)
    // Other devices, another rate or another period: the devices' own figure alone.
    for other in [Self.devices("hw:3"), Self.devices(rate: 44_100), Self.devices(period: 128)] {
      #expect(memory.look(other, reading: Self.reading(240), opens: 2, now: 1))
      hearing = memory.informed(HearingSettings())
      #expect(hearing.feedback.loopDelay == hearing.feedback.deviceDelay)
      let report = StatusReport.Feedback(hearing, isSounding: true)
      #expect(report.left.delay?.isTheseDevices == false && report.left.delay?.presentSeconds == nil)
      #expect(StatusReport.Latency.Measured(hearing.feedback, chain: 0) == nil)
    }
  }

  @Test(
    "the devices of the measurement are cancelled by it, others are only limited; the loop's delay is the devices'"
  )
  func devices() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    try memory.keep(FeedbackRecord(left: Self.ear))
    var hearing = memory.informed(HearingSettings())
    #expect(hearing.feedback.isOfTheseDevices.left == nil && hearing.feedback.loopDelay == 0)
    #expect(try hearing.stableGains(for: .left) != nil)
    // No device, or no delay yet: nothing to follow.
    #expect(!memory.look(nil, reading: Self.reading(240), opens: 1, now: 0))
    #expect(!memory.look(Self.devices(), reading: Self.reading(nil), opens: 1, now: 0))
    // 240 frames at 48 kHz: 5 ms.
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    hearing = memory.informed(hearing)
    #expect(
      hearing.feedback.isOfTheseDevices.left == true && hearing.feedback.isOfTheseDevices.right == nil)
    #expect(hearing.feedback.deviceDelay == 0.005)
    #expect(try hearing.fitting(for: .left).feedbackPath != nil)
    #expect(!memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0.1))
    // Opened again it may be another, and after a drop-out.
    #expect(memory.look(Self.devices(), reading: Self.reading(304), opens: 2, now: 0.2))
    #expect(memory.look(Self.devices(), reading: Self.reading(560, restarts: 1), opens: 2, now: 0.3))
    #expect(memory.informed(hearing).feedback.deviceDelay == 560.0 / 48_000)
    for other in [Self.devices("hw:3"), Self.devices(rate: 44_100)] {
      #expect(memory.look(other, reading: Self.reading(240), opens: 3, now: 0.4))
      hearing = memory.informed(hearing)
      #expect(hearing.feedback.isOfTheseDevices.left == false)
      #expect(try hearing.fitting(for: .left).feedbackPath == nil)
      #expect(try hearing.stableGains(for: .left) != nil)
      let report = StatusReport.Feedback(hearing, isSounding: true)
      #expect(report.left.path?.isTheseDevices == false)
      #expect(report.loopDelaySeconds == hearing.feedback.deviceDelay)
    }
  }

  @Test(
    "after a canceller that did harm the gain granted for it is taken back, and given back after five minutes"
  )
  func distrust() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    // Found where the canceller follows in full and looked at below, 3 kHz.
    var ear = Self.ear
    ear.frequenciesHz = [100, 1000, 3000]
    (ear.ownDB, ear.crossingDB) = (ear.levelsDB, [-144, -144, -144])
    try memory.keep(FeedbackRecord(left: ear))
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    func limit() throws -> Double {
      var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
      hearing.program = .quiet
      let limits = try #require(try memory.informed(hearing).stableGains(for: .left))
      return limits[try #require(hearing.bands.centres.firstIndex(of: 3000))]
    }
    let granted = try limit()
    #expect(memory.distrusted.isEmpty)
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 1, now: 10))
    #expect(memory.distrusted == [.left])
    // Ten decibels are what the canceller is counted on for (MaximumStableGain.certainAddedGain).
    #expect(abs(try limit() - (granted - 10)) < 1e-9)
    #expect(!memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 1, now: 309))
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 1, now: 310))
    #expect(memory.distrusted.isEmpty)
    #expect(abs(try limit() - granted) < 1e-9)
    // The second time it takes twice as long; a measurement ends it.
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 2), opens: 1, now: 400))
    #expect(!memory.look(Self.devices(), reading: Self.reading(240, resets: 2), opens: 1, now: 999))
    try memory.keep(FeedbackRecord(left: ear))
    #expect(memory.distrusted.isEmpty)
    // A new beginning of the sound counts from nothing, and takes nothing back of what was found before it.
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 3), opens: 1, now: 1000))
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 2, now: 1001))
    #expect(memory.distrusted == [.left])
    #expect(!memory.look(Self.devices(), reading: Self.reading(240), opens: 2, now: 1299))
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 2, now: 1300))
    #expect(memory.distrusted.isEmpty)
    // The next time takes twice as long all the same.
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 2, now: 1400))
    #expect(!memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 2, now: 1999))
    #expect(memory.look(Self.devices(), reading: Self.reading(240, resets: 1), opens: 2, now: 2000))
  }

  @Test("the report says where gain is held and by how much, and howls and new beginnings of the canceller")
  func report() throws {
    var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
    hearing.feedback.measurements = FeedbackRecord(left: Self.ear).measurements
    let report = StatusReport.Feedback(hearing, reading: AidReading(), isSounding: false, notes: ["Lost."])
    let path = try #require(report.left.path)
    #expect(report.right.path == nil && report.notes == ["Lost."] && path.isTheseDevices == nil)
    #expect(path.bands.count == 20 && report.loopDelaySeconds == nil)
    // Where 1 kHz is heard at all: 20.5 − 6 dB; uncalibrated gains of N3 are held to 20 dB, so some of it
    // is taken.
    let band = try #require(path.bands.first { $0.centreHz == 1000 })
    #expect(abs(band.greatestGainDB - 14.5) < 1e-9 && band.isFeedbackFound)
    #expect(path.held == path.bands.filter { $0.heldBackDB >= 0.5 })
    #expect(report.left.howls == 0 && report.left.lastHowlHz == nil && report.left.cancellerResets == 0)
  }
}

/// Knowledge of the daemon, with the file that it is kept in.
final class KeptFeedback {
  private let disk: ServiceDisk
  private var feedback: MeasuredFeedback

  init(folder: String?) {
    disk = ServiceDisk(folder: folder, store: PrescriptionStore(folder: "/nonexistent/book")) {
      .success(.defaults)
    }
    feedback = disk.readKept().feedback
  }

  var problem: String? { feedback.problem }
  var isEmpty: Bool { feedback.record.isEmpty }
  var distrusted: [Ear] { feedback.distrusted }
  var cautions: [String] { feedback.record.cautions }

  func keep(_ record: FeedbackRecord) throws {
    if let failure = disk.keep(record.over(feedback.record)) { throw failure }
    feedback.keep(record)
  }

  func clear() throws {
    if let failure = disk.clearFeedback() { throw failure }
    feedback.clear()
  }

  func reread() -> Bool {
    guard let content = try? disk.read().get().feedback else { return false }
    return feedback.reread(content)
  }

  func look(_ devices: AidDevices?, reading: AidReading, opens: Int, now: Double) -> Bool {
    feedback.look(devices, reading: reading, opens: opens, now: now)
  }

  func informed(_ hearing: HearingSettings) -> HearingSettings {
    .heard(
      hearing, prescribed: .byConfiguration, program: hearing.program, feedback: feedback.knowledge)
  }
}
