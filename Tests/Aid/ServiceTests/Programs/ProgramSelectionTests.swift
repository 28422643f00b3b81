import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Glibc
import HearingDSP
import Prescriptions
import Testing

@testable import Service

@Suite struct ProgramSelectionTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("programs.json") }

  init() throws { folder = TemporaryFolder() }

  private func content() throws -> String {
    String(decoding: try FileContent.bytes(of: path, limit: 1 << 16), as: UTF8.self)
  }

  /// Readings of one scene, 20 a second.
  private func hear(_ kept: KeptSelection, _ scene: Scene, from start: Double, seconds: Double) -> [Double]
  {
    (0..<Int(seconds * 20)).compactMap { tick in
      let time = start + Double(tick) / 20
      var meters = ChainMeters()
      meters.frames = Int64(time * 44_100)
      meters.scene.scene = scene
      meters.scene.confidence = 0.9
      meters.scene.level = 72.3
      meters.scene.levelAboveBackground = 5.2
      return kept.selection.listen(meters, at: time) ? time : nil
    }
  }

  @Test("nothing remembered: the first choice, as prescribed, and no file until something is turned")
  func fresh() {
    let kept = KeptSelection(path: path)
    #expect(kept.selection.problem == nil && kept.selection.program == .quiet)
    #expect(access(path, F_OK) != 0)
  }

  @Test("what is turned comes back in another process, each program with its own")
  func remembered() throws {
    let kept = KeptSelection(path: path)
    var memory = kept.selection.memory
    memory.choice = .program(.music)
    memory.adjustment = SoundAdjustment(volume: -3, tone: 1.5)
    kept.selection.choose(memory)
    memory.choice = .automatic
    memory.adjustment.volume = -1
    kept.selection.choose(memory)
    kept.save()
    let again = KeptSelection(path: path)
    #expect(again.selection.memory == memory)
    #expect(again.selection.memory.choice == .automatic)
    #expect(again.selection.memory.adjustments[.program(.music)] == SoundAdjustment(volume: -3, tone: 1.5))
    #expect(
      try content()
        == #"{"adjustments":{"automatic":{"tone_db":0,"volume_db":-1},"music":{"tone_db":1.5,"volume_db":-3}},"#
        + #""program":"automatic","schema":100}"# + "\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(
    "a file that cannot be read is put aside and reported, and the first choice is in force",
    arguments: [
      "", "{", "[]", #"{"schema":100,"program":"music"}"#,
      #"{"schema":200,"program":"music","adjustments":{}}"#,
      #"{"schema":100,"program":"music","adjustments":{"music":{"volume_db":-101,"tone_db":0}}}"#,
      #"{"schema":100,"program":"music","adjustments":{"music":{"volume_db":"loud","tone_db":0}}}"#,
    ])
  func damaged(text: String) throws {
    try WholeFile.save([UInt8](text.utf8), to: path)
    let kept = KeptSelection(path: path)
    #expect(kept.selection.memory == ProgramMemory())
    #expect(
      kept.selection.problem
        == "program, volume and tone are forgotten: \(path) has content that cannot be understood; "
        + "it is kept as \(path).damaged")
    #expect(
      String(decoding: try FileContent.bytes(of: path + ".damaged", limit: 99), as: UTF8.self) == text)
    kept.selection.choose(ProgramMemory(choice: .program(.outdoors)))
    kept.save()
    #expect(kept.selection.problem == nil)
    #expect(KeptSelection(path: path).selection.program == .outdoors)
  }

  @Test("a program of another version is left out, the others stay")
  func unknown() throws {
    let text =
      #"{"schema":101,"program":"jazz","adjustments":{"jazz":{"volume_db":-1,"tone_db":0},"#
      + #""music":{"volume_db":-2,"tone_db":0}},"more":1}"#
    try WholeFile.save([UInt8](text.utf8), to: path)
    let kept = KeptSelection(path: path)
    #expect(kept.selection.problem == nil && kept.selection.program == .quiet)
    #expect(kept.selection.memory.adjustments == [.program(.music): SoundAdjustment(volume: -2)])
  }

  @Test("where nothing can be kept, sound follows all the same and it is said")
  func unwritable() {
    let kept = KeptSelection(path: "/nonexistent/programs.json")
    kept.selection.choose(ProgramMemory(choice: .program(.music)))
    kept.save()
    #expect(kept.selection.program == .music)
    #expect(kept.selection.problem?.hasPrefix("this is not remembered after the daemon ends") == true)
    let report = kept.selection.report(HearingSettings(), isSounding: false, now: 0)
    #expect(report.notes.count == 1 && report.notes[0].hasPrefix("This is not remembered"))
    #expect(KeptSelection(path: nil).selection.problem != nil)
  }

  @Test("on a full disk it is not said that nothing was changed: the choice is heard")
  func fullDisk() {
    let failure = Failure.writing("/s/programs.json", SystemError(code: ENOSPC))
    #expect(
      ProgramFile.problem(failure)
        == "this is not remembered after the daemon ends: /s/programs.json: No space is left on its disk.")
  }

  @Test("what is turned beyond the limits in force is held, and comes back when they allow it")
  func held() throws {
    let kept = KeptSelection(path: nil)
    let turned = SoundAdjustment(volume: -8, tone: 5)
    var memory = ProgramMemory()
    memory.adjustment = turned
    kept.selection.choose(memory)
    func heard(_ prescribed: Prescribed) -> HearingSettings {
      .heard(
        HearingSettings(), prescribed: prescribed, program: kept.selection.program,
        adjustment: kept.selection.memory.adjustment)
    }
    let limited = heard(try .sample(PatientAdjustment(tone: -2...2)))
    #expect(limited.adjustment == SoundAdjustment(volume: 0, tone: 2))
    #expect(
      kept.selection.report(limited, isSounding: false, now: 0).notes.dropFirst() == [
        "A volume of −8 dB is remembered; the prescription allows 0 dB.",
        "A tone of +5 dB is remembered; the prescription allows +2 dB.",
      ])
    #expect(heard(.byConfiguration).adjustment == turned)
    #expect(heard(.byConfiguration).program == .quiet)
  }

  @Test("automatic follows a scene after its patience, and says what it hears and why")
  func automatic() throws {
    let kept = KeptSelection(path: nil)
    kept.selection.choose(ProgramMemory(choice: .automatic))
    func reason(_ now: Double) -> String? {
      kept.selection.report(HearingSettings(), isSounding: true, now: now).reason
    }
    #expect(reason(0) == "is listening: quiet meanwhile")
    #expect(hear(kept, .speech, from: 10, seconds: 20).isEmpty)
    #expect(reason(30) == "hears speech in quiet for 20 s (72 dB SPL, 5 dB above its background): quiet")
    #expect(hear(kept, .speechInNoise, from: 30, seconds: 3).isEmpty)
    #expect(
      reason(33)
        == "hears speech in noise for 3 s (72 dB SPL, 5 dB above its background): stays with quiet "
        + "until conversation in noise has fitted for 5 s")
    let moves = hear(kept, .speechInNoise, from: 33, seconds: 9)
    #expect(moves.count == 1)
    #expect(
      reason(42)
        == "hears speech in noise for 12 s (72 dB SPL, 5 dB above its background): conversation in noise")
    let report = kept.selection.report(HearingSettings(), isSounding: true, now: 42)
    #expect(report.chosen == "automatic" && report.inForce == "conversation-in-noise")
    #expect(report.scene?.kind == "speech-in-noise" && report.scene?.durationSeconds == 12)
    #expect(
      kept.selection.report(HearingSettings(), isSounding: false, now: 42).reason
        == "hears nothing while sound is off: conversation in noise")
  }

  @Test("with bands by which no surroundings are told automatic says so, heard or not")
  func fewBands() throws {
    let kept = KeptSelection(path: nil)
    kept.selection.choose(ProgramMemory(choice: .automatic))
    var hearing = HearingSettings()
    for (centres, words) in [
      ([250.0, 500, 1000, 2000, 4000], "from 4200 Hz on"),
      ([500, 1000, 2000, 6000], "below 340 Hz and from 2250 to 4200 Hz"),
    ] {
      hearing.bands = try BandLayout(centres: centres)
      for isSounding in [true, false] {
        #expect(
          kept.selection.report(hearing, isSounding: isSounding, now: 0).reason
            == "cannot tell the surroundings, for hearing.bands has no band \(words): stays with quiet")
      }
    }
    hearing.bands = try BandLayout(centres: [250, 500, 1000, 2000, 4000, 6000])
    #expect(
      kept.selection.report(hearing, isSounding: true, now: 0).reason == "is listening: quiet meanwhile")
  }

  @Test("a person's choice is not moved by what is heard, and automatic goes on from it")
  func person() {
    let kept = KeptSelection(path: nil)
    kept.selection.choose(ProgramMemory(choice: .program(.television)))
    #expect(hear(kept, .music, from: 0, seconds: 60).isEmpty)
    #expect(kept.selection.program == .television)
    let report = kept.selection.report(HearingSettings(), isSounding: true, now: 60)
    #expect(report.reason == nil && report.scene?.kind == "music")
    kept.selection.choose(ProgramMemory(choice: .automatic))
    #expect(kept.selection.program == .television)
  }

  @Test("a reading that is seen twice counts once")
  func twice() {
    let kept = KeptSelection(path: nil)
    kept.selection.choose(ProgramMemory(choice: .automatic))
    var meters = ChainMeters()
    meters.frames = 64
    meters.scene.scene = .music
    meters.scene.confidence = 1
    for tick in 0..<1000 {
      let moves = kept.selection.listen(meters, at: Double(tick))
      #expect(!moves)
    }
  }

  @Test("frames that count anew tell that sound was stopped, and what was heard before counts for nothing")
  func stopped() {
    let kept = KeptSelection(path: path)
    var memory = kept.selection.memory
    memory.choice = .automatic
    kept.selection.choose(memory)
    var moves: [Double] = []
    for tick in 1..<300 {
      let time = Double(tick) / 20
      var meters = ChainMeters()
      // Stopped after 4.9 of the 5 s that noise takes.
      meters.frames = Int64((tick < 98 ? time : time - 4.9 + 0.05) * 44_100)
      meters.scene.scene = .noise
      meters.scene.confidence = 0.9
      if kept.selection.listen(meters, at: time) { moves.append(time - 4.9) }
    }
    #expect(moves.count == 1 && abs((moves.first ?? .nan) - 5) < 0.11)
  }
}

/// A selection with the file that it is kept in.
private final class KeptSelection {
  private let file: ProgramFile?
  var selection: ProgramSelection

  init(path: String?) {
    file = path.map { ProgramFile(path: $0) }
    let (memory, problem) = file?.read() ?? (ProgramMemory(), ProgramFile.missing)
    selection = ProgramSelection(memory, problem: problem)
  }

  func save() {
    guard let file, selection.isUnsaved else { return }
    selection.note(selection.memory, problem: file.write(selection.memory))
  }
}
