import Base
import CommonTesting
import Control
import Engine
import Glibc
import HearingDSP
import Testing

@testable import Service

@Suite("ListeningDial") struct ListeningDialTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("programs.json") }

  init() throws { folder = TemporaryFolder() }

  private func content() throws -> String {
    String(decoding: try FileContent.bytes(of: path, limit: 1 << 16), as: UTF8.self)
  }

  /// Readings of one scene, 20 a second.
  private func hear(_ dial: ListeningDial, _ scene: Scene, from start: Double, seconds: Double) -> [Double]
  {
    (0..<Int(seconds * 20)).compactMap { tick in
      let time = start + Double(tick) / 20
      var meters = ChainMeters()
      meters.frames = Int64(time * 44_100)
      meters.scene.scene = scene
      meters.scene.confidence = 0.9
      meters.scene.level = 72.3
      meters.scene.levelAboveBackground = 5.2
      return dial.hear(meters, at: time) ? time : nil
    }
  }

  @Test("nothing remembered: the first choice, as prescribed, and no file until something is turned")
  func fresh() {
    let dial = ListeningDial(path: path)
    #expect(dial.problem == nil && dial.program == .quiet)
    #expect(access(path, F_OK) != 0)
  }

  @Test("what is turned comes back in another process, each program with its own")
  func remembered() throws {
    let dial = ListeningDial(path: path)
    var memory = dial.memory
    memory.choice = .program(.music)
    memory.adjustment = SoundAdjustment(volume: -3, tone: 1.5)
    dial.remember(memory)
    memory.choice = .automatic
    memory.adjustment.volume = -1
    dial.remember(memory)
    dial.save()
    let again = ListeningDial(path: path)
    #expect(again.memory == memory)
    #expect(again.memory.choice == .automatic)
    #expect(again.memory.adjustments[.program(.music)] == SoundAdjustment(volume: -3, tone: 1.5))
    #expect(
      try content()
        == #"{"adjustments":{"automatic":{"tone_db":0,"volume_db":-1},"music":{"tone_db":1.5,"volume_db":-3}},"#
        + #""program":"automatic","schema":100}"# + "\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(
    "a file that cannot be understood is put aside and said, and the first choice is worn",
    arguments: [
      "", "{", "[]", #"{"schema":100,"program":"music"}"#,
      #"{"schema":200,"program":"music","adjustments":{}}"#,
      #"{"schema":100,"program":"music","adjustments":{"music":{"volume_db":-101,"tone_db":0}}}"#,
      #"{"schema":100,"program":"music","adjustments":{"music":{"volume_db":"loud","tone_db":0}}}"#,
    ])
  func damaged(text: String) throws {
    try WholeFile.save([UInt8](text.utf8), to: path)
    let dial = ListeningDial(path: path)
    #expect(dial.memory == ProgramMemory())
    #expect(
      dial.problem
        == "program, volume and tone are forgotten: \(path) has content that cannot be understood; "
        + "it is kept as \(path).damaged")
    #expect(
      String(decoding: try FileContent.bytes(of: path + ".damaged", limit: 99), as: UTF8.self) == text)
    dial.remember(ProgramMemory(choice: .program(.outdoors)))
    dial.save()
    #expect(dial.problem == nil)
    #expect(ListeningDial(path: path).program == .outdoors)
  }

  @Test("a program of another version is left out, the others stay")
  func unknown() throws {
    let text =
      #"{"schema":101,"program":"jazz","adjustments":{"jazz":{"volume_db":-1,"tone_db":0},"#
      + #""music":{"volume_db":-2,"tone_db":0}},"more":1}"#
    try WholeFile.save([UInt8](text.utf8), to: path)
    let dial = ListeningDial(path: path)
    #expect(dial.problem == nil && dial.program == .quiet)
    #expect(dial.memory.adjustments == [.program(.music): SoundAdjustment(volume: -2)])
  }

  @Test("where nothing can be kept, sound follows all the same and it is said")
  func unwritable() {
    let dial = ListeningDial(path: "/nonexistent/programs.json")
    dial.remember(ProgramMemory(choice: .program(.music)))
    dial.save()
    #expect(dial.program == .music)
    #expect(dial.problem?.hasPrefix("this is not remembered after the daemon ends") == true)
    let report = dial.report(HearingSettings(), isSounding: false, now: 0)
    #expect(report.notes.count == 1 && report.notes[0].hasPrefix("This is not remembered"))
    #expect(ListeningDial(path: nil).problem != nil)
  }

  @Test("a wish beyond the limits in force is held, and comes back when they allow it")
  func held() {
    let dial = ListeningDial(path: nil)
    var memory = ProgramMemory()
    memory.adjustment = SoundAdjustment(volume: -8, tone: 5)
    dial.remember(memory)
    var hearing = HearingSettings()
    hearing.adjustmentLimits = AdjustmentLimits(volume: 0...0, tone: -2...2)
    #expect(dial.adjusted(hearing).adjustment == SoundAdjustment(volume: 0, tone: 2))
    #expect(
      dial.report(hearing, isSounding: false, now: 0).notes.dropFirst() == [
        "A volume of −8 dB is remembered; the prescription allows 0 dB.",
        "A tone of +5 dB is remembered; the prescription allows +2 dB.",
      ])
    hearing.adjustmentLimits = .usual
    #expect(dial.adjusted(hearing).adjustment == SoundAdjustment(volume: -8, tone: 5))
    #expect(dial.adjusted(hearing).program == .quiet)
  }

  @Test("automatic follows a scene after its patience, and says what it hears and why")
  func automatic() throws {
    let dial = ListeningDial(path: nil)
    dial.remember(ProgramMemory(choice: .automatic))
    func reason(_ now: Double) -> String? {
      dial.report(HearingSettings(), isSounding: true, now: now).reason
    }
    #expect(reason(0) == "is listening: quiet meanwhile")
    #expect(hear(dial, .speech, from: 10, seconds: 20).isEmpty)
    #expect(reason(30) == "hears speech in quiet for 20 s (72 dB SPL, 5 dB above its background): quiet")
    #expect(hear(dial, .speechInNoise, from: 30, seconds: 3).isEmpty)
    #expect(
      reason(33)
        == "hears speech in noise for 3 s (72 dB SPL, 5 dB above its background): stays with quiet "
        + "until conversation in noise has fitted for 5 s")
    let moves = hear(dial, .speechInNoise, from: 33, seconds: 9)
    #expect(moves.count == 1)
    #expect(
      reason(42)
        == "hears speech in noise for 12 s (72 dB SPL, 5 dB above its background): conversation in noise")
    let report = dial.report(HearingSettings(), isSounding: true, now: 42)
    #expect(report.chosen == "automatic" && report.inForce == "conversation-in-noise")
    #expect(report.scene?.kind == "speech-in-noise" && report.scene?.duration == 12)
    #expect(
      dial.report(HearingSettings(), isSounding: false, now: 42).reason
        == "hears nothing while sound is off: conversation in noise")
  }

  @Test("a person's choice is not moved by what is heard, and automatic goes on from it")
  func person() {
    let dial = ListeningDial(path: nil)
    dial.remember(ProgramMemory(choice: .program(.television)))
    #expect(hear(dial, .music, from: 0, seconds: 60).isEmpty)
    #expect(dial.program == .television)
    let report = dial.report(HearingSettings(), isSounding: true, now: 60)
    #expect(report.reason == nil && report.scene?.kind == "music")
    dial.remember(ProgramMemory(choice: .automatic))
    #expect(dial.program == .television)
  }

  @Test("a reading that is seen twice counts once")
  func twice() {
    let dial = ListeningDial(path: nil)
    dial.remember(ProgramMemory(choice: .automatic))
    var meters = ChainMeters()
    meters.frames = 64
    meters.scene.scene = .music
    meters.scene.confidence = 1
    for tick in 0..<1000 { #expect(!dial.hear(meters, at: Double(tick))) }
  }
}
