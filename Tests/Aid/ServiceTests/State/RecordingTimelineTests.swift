import Acoustics
import Base
import Control
import Fitting
import Testing

@testable import Engine
@testable import Service

@Suite("Leave to record the sound") struct RecordingTimelineTests {
  private static let recorder = Peer(processID: 9, userID: 1000, groupID: 1000, connection: 2)

  private static func ends(_ timeline: Timeline) -> [String] {
    timeline.effects.compactMap {
      if case .endSound(recorder, let notice) = $0 { notice.ended } else { nil }
    }
  }

  private static func begin(_ timeline: Timeline) throws {
    _ = try #require(timeline.ask(RecordingMethods.Allow(seconds: 60))).get()
    _ = try #require(timeline.ask(RecordingMethods.Watch(), from: recorder)).get()
  }

  @Test("without it no sound is sent, and the refusal says how it is given")
  func absent() throws {
    let timeline = Timeline.running()
    let answer = try #require(timeline.ask(RecordingMethods.Watch(), from: Self.recorder))
    guard case .failure(let failure) = answer else {
      Issue.record("expected a refusal")
      return
    }
    #expect(failure.exitStatus == .noPermission && failure.message.contains("auricle recording allow"))
    #expect(!timeline.effects.contains { if case .sendSound = $0 { true } else { false } })
  }

  @Test("whoever records, debugs, told of earphones or is asked for a password is engaged, until it ends")
  func engaged() throws {
    let timeline = Timeline.running()
    #expect(timeline.state.engaged.isEmpty)
    try Self.begin(timeline)
    #expect(timeline.state.engaged == [Self.recorder])
    let teller = Peer(processID: 8, userID: 1000, groupID: 1000, connection: 3)
    let earphones = StatusReport.Earphones(connection: .bluetooth)
    _ = try #require(timeline.ask(EarphoneMethods.Tell(earphones), from: teller)).get()
    #expect(timeline.state.engaged == [Self.recorder, teller])
    let asked = Peer(processID: 7, userID: 1000, groupID: 1000, connection: 4)
    let now = timeline.state.now.monotonic
    timeline.state.proofs.await(.developer, of: asked, challenge: "x", now: now)
    #expect(timeline.state.engaged == [Self.recorder, teller, asked])
    timeline.pass(RoleProofs.patience + 1)
    #expect(timeline.state.engaged == [teller], "leave and challenge are over")
    timeline.happen(.control(.gone(teller)))
    #expect(timeline.state.engaged.isEmpty)
  }

  @Test("holds for its time, for one recording, and stands in the status")
  func oneRecording() throws {
    let timeline = Timeline.running()
    _ = try #require(timeline.ask(RecordingMethods.Allow(seconds: 60))).get()
    #expect(timeline.state.report.recording?.pid == nil && timeline.state.report.recording != nil)
    _ = try #require(timeline.ask(RecordingMethods.Watch(), from: Self.recorder)).get()
    #expect(timeline.effects.contains { if case .sendSound(Self.recorder) = $0 { true } else { false } })
    #expect(timeline.state.report.recording?.pid == 9)
    // A second one, of whomever, and a second leave meanwhile.
    guard case .failure? = timeline.ask(RecordingMethods.Watch()) else {
      Issue.record("expected a refusal")
      return
    }
    guard case .failure? = timeline.ask(RecordingMethods.Allow(seconds: 60)) else {
      Issue.record("expected a refusal")
      return
    }
    // The recording's end is the leave's.
    timeline.happen(.control(.gone(Self.recorder)))
    #expect(timeline.state.report.recording == nil)
    guard case .failure? = timeline.ask(RecordingMethods.Watch()) else {
      Issue.record("expected a refusal")
      return
    }
  }

  @Test("is finished where its client says so, and ends with a client that goes without a word")
  func finished() throws {
    for (end, words): (ControlServer.Occurrence, String) in [
      (.unsubscribed(Self.recorder), "finished"), (.gone(Self.recorder), "its client has gone"),
    ] {
      let timeline = Timeline.running()
      try Self.begin(timeline)
      timeline.happen(.control(end))
      #expect(timeline.state.report.recording == nil && Self.ends(timeline) == [words])
      // A client that has finished goes afterwards.
      timeline.happen(.control(.gone(Self.recorder)))
      #expect(Self.ends(timeline).isEmpty)
    }
  }

  @Test("ends with its time: one that nobody took up, and one under way")
  func expires() throws {
    let unused = Timeline.running()
    _ = try #require(unused.ask(RecordingMethods.Allow(seconds: 60))).get()
    unused.pass(60)
    #expect(unused.state.report.recording == nil)
    guard case .failure? = unused.ask(RecordingMethods.Watch()) else {
      Issue.record("expected a refusal")
      return
    }
    let used = Timeline.running()
    try Self.begin(used)
    used.pass(59)
    #expect(Self.ends(used).isEmpty)
    used.pass(1)
    #expect(Self.ends(used) == ["its time is over"])
  }

  @Test("ends when it is taken back, by mute and by stop")
  func takenBack() throws {
    let forbidden = Timeline.running()
    try Self.begin(forbidden)
    forbidden.ask(RecordingMethods.Forbid())
    #expect(Self.ends(forbidden) == ["the wearer has withdrawn the permission"])
    let muted = Timeline.running()
    try Self.begin(muted)
    muted.ask(SoundMethods.Mute())
    #expect(Self.ends(muted) == ["the aid was muted"])
    let stopped = Timeline.running()
    try Self.begin(stopped)
    stopped.ask(SoundMethods.Stop())
    #expect(Self.ends(stopped) == ["the sound was stopped"])
  }

  @Test("full scale at the microphone is told for each band, by the microphone's response")
  func microphone() throws {
    let device = DeviceCalibration(device: "a", date: nil, status: .provisional)
    func scale(_ sensitivity: Sensitivity) throws -> SoundScale {
      var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
      hearing.microphones = try InputCalibration(device: device, channels: [sensitivity])
      hearing.earphones = OutputCalibration(
        device: device, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(118))))
      return try #require(SoundScale(hearing))
    }
    // 8 dB more of 4 kHz than of 1 kHz: full scale there is a sound of 112 dB SPL.
    let uneven = try scale(
      Sensitivity(table: [(1000, SoundPressureLevel(120)), (4000, SoundPressureLevel(112))]))
    let levels = try #require(uneven.right.inputBandsDBSPL)
    let band = try #require(uneven.bandsHz.firstIndex(of: 4000))
    #expect(uneven.right.inputDBSPL == 120 && abs(levels[band] - 112) < 1e-9)
    #expect(try JSON.text(uneven).contains(#""input_bands_db_spl":["#))
    let flat = try scale(Sensitivity(flat: SoundPressureLevel(120)))
    #expect(flat.left.inputBandsDBSPL == flat.bandsHz.map { _ in 120 })
  }

  @Test("ends when full scale stands for another level, though the calibration is called as before")
  func otherScale() throws {
    func calibration(_ level: Double, _ name: String) throws -> OutputCalibration {
      OutputCalibration(
        device: DeviceCalibration(device: name, date: nil, status: .none),
        sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(level))), transducer: nil)
    }
    let timeline = Timeline.running()
    timeline.state.configured.earphones = try calibration(120, "a")
    try timeline.state.hear(after: { _ in })
    timeline.happen(.volumes(.read([])))
    try Self.begin(timeline)
    timeline.state.configured.earphones = try calibration(120, "b")
    try timeline.state.hear(after: { _ in })
    timeline.happen(.volumes(.read(nil)))
    #expect(timeline.state.heard.earphones.device.device == "b")
    #expect(Self.ends(timeline).isEmpty && timeline.state.recording?.recorder != nil)
    // Of earphones that nobody measured, no level below the microphones' is believed.
    timeline.state.configured.earphones = try calibration(125, "b")
    try timeline.state.hear(after: { _ in })
    timeline.happen(.volumes(.read([])))
    #expect(Self.ends(timeline) == ["the calibration was changed"])
  }

  @Test("ends when the machine slept, and with it debug mode and roles")
  func slept() throws {
    let timeline = Timeline.running()
    try Self.begin(timeline)
    timeline.sleep(10)
    #expect(Self.ends(timeline) == ["the machine slept"])
  }

  @Test("is five minutes at most, and refused while there is no sound")
  func bounds() throws {
    #expect(throws: ControlFailure.self) {
      try RecordingMethods.Allow(parameters: JSONValue([UInt8](#"{"seconds":301}"#.utf8)))
    }
    let silent = Timeline()
    guard case .failure(let failure)? = silent.ask(RecordingMethods.Allow(seconds: 60)) else {
      Issue.record("expected a refusal")
      return
    }
    #expect(failure.exitStatus == .temporary)
  }
}

@Suite("Sound on its way to a recorder") struct SoundFeedTests {
  private static func stretch(_ count: Int, lost: Int = 0, at: Int = 0) -> WatchedSound {
    WatchedSound(
      end: 1, sampleRate: 44_100, samples: (0..<count).map { SIMD4(Float($0), 0.25, -1, 1e-7) }, lost: lost,
      lostAt: at)
  }

  @Test("arrives as it was, bit for bit, numbered without a gap")
  func whole() {
    var feed = SoundFeed(Peer(processID: 1, userID: 1, groupID: 1))
    let notices = feed.notices([Self.stretch(1764), Self.stretch(5000)])
    #expect(
      notices.compactMap(\.samples).joined().elementsEqual(
        Self.stretch(1764).samples + Self.stretch(5000).samples))
    var expected = 0
    for notice in notices {
      #expect(notice.position == expected)
      expected += notice.samples?.count ?? 0
    }
    #expect(expected == 6764)
    // The second stretch ends at 1 s and begins 5000 frames before.
    #expect(abs(notices[1].timeSeconds - (1 - 5000.0 / 44_100)) < 1e-9)
  }

  @Test("counts what was lost where it is missing")
  func gap() {
    var feed = SoundFeed(Peer(processID: 1, userID: 1, groupID: 1))
    let notices = feed.notices([Self.stretch(100), Self.stretch(100, lost: 640, at: 36), Self.stretch(10)])
    #expect(notices.map(\.position) == [0, 100, 136 + 640, 840])
    #expect(notices.map { $0.samples?.count } == [100, 36, 64, 10])
    // The stretch ends at 1 s: 64 frames after the gap, and 36 before its 640.
    #expect(abs(notices[2].timeSeconds - (1 - 64.0 / 44_100)) < 1e-9)
    #expect(abs(notices[1].timeSeconds - (1 - (64 + 640 + 36) / 44_100)) < 1e-9)
  }
}
