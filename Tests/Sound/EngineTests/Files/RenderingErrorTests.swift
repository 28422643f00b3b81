import Acoustics
import AudioIO
import CommonTesting
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// Recordings, levels and places that cannot be used: named, and nothing left behind.
@Suite("What cannot be rendered") struct RenderingErrorTests {
  /// A folder with one good recording, "in.wav".
  static func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.record("in.wav", left: Signal.babble(peak: 0.3, count: 4410))
    return folder
  }

  static func rendering(
    _ folder: TemporaryFolder, _ inputs: [String] = ["in.wav"], output: String = "out.wav",
    change: (inout FileRendering) -> Void = { _ in }
  ) -> FileRendering {
    var rendering = FileRendering(
      inputs: inputs.map(folder.file), output: folder.file(output), hearing: HearingSettings())
    change(&rendering)
    return rendering
  }

  /// Runs and expects a failure that changes nothing in the folder.
  static func expectRefusal(
    _ folder: TemporaryFolder, _ rendering: FileRendering,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ isExpected: (RenderingError) -> Bool
  ) {
    let before = folder.names
    do {
      _ = try rendering.run()
      Issue.record("it was rendered", sourceLocation: sourceLocation)
    } catch {
      #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
    }
    #expect(folder.names == before, sourceLocation: sourceLocation)
  }

  @Test("a rendering of no recording is refused")
  func nothing() throws {
    let folder = try Self.folder()
    Self.expectRefusal(folder, Self.rendering(folder, [])) { $0 == .nothingToRender }
  }

  @Test("a recording that is not there is refused by name, the first or a later one")
  func missing() throws {
    let folder = try Self.folder()
    for inputs in [["none.wav"], ["in.wav", "none.wav"]] {
      Self.expectRefusal(folder, Self.rendering(folder, inputs)) {
        $0 == .sound(.missing(path: folder.file("none.wav")))
      }
    }
  }

  @Test("a text, an empty file and a folder are refused as no sound")
  func notAudio() throws {
    let folder = try Self.folder()
    folder.write(Array("not a sound\n".utf8), to: "text.wav")
    folder.write([], to: "empty.wav")
    for path in [folder.file("text.wav"), folder.file("empty.wav"), folder.path] {
      var rendering = Self.rendering(folder)
      rendering.inputs = [path]
      Self.expectRefusal(folder, rendering) {
        if case .sound(.notAudio(path, _)) = $0 { true } else { false }
      }
    }
  }

  @Test("a file without a frame is refused by name, alone and behind others")
  func noFrame() throws {
    let folder = try Self.folder()
    try SoundFileWriter(path: folder.file("empty.wav"), rate: 44_100).finish()
    for inputs in [["empty.wav"], ["in.wav", "empty.wav"]] {
      Self.expectRefusal(folder, Self.rendering(folder, inputs)) {
        $0 == .sound(.lengthRefused(path: folder.file("empty.wav")))
      }
    }
  }

  @Test("an output that is one of the recordings is refused, whatever its name")
  func sameFile() throws {
    let folder = try Self.folder()
    let original = try folder.play("in.wav").left
    #expect(symlink(folder.file("in.wav"), folder.file("link.wav")) == 0)
    #expect(link(folder.file("in.wav"), folder.file("hard.wav")) == 0)
    for output in ["in.wav", "./in.wav", "link.wav", "hard.wav"] {
      Self.expectRefusal(folder, Self.rendering(folder, output: output)) {
        $0 == .wouldOverwrite(path: folder.file(output))
      }
    }
    #expect(try folder.play("in.wav").left == original)
  }

  @Test("silence has no level to set; with a stated full scale it is rendered")
  func silent() throws {
    let folder = TemporaryFolder()
    try folder.record("in.wav", left: [Float](repeating: 0, count: 4410))
    try folder.record("faint.wav", left: Signal.sine(1000, amplitude: 3e-5, seconds: 0.1))
    for name in ["in.wav", "faint.wav"] {
      Self.expectRefusal(folder, Self.rendering(folder, [name])) {
        $0 == .silent(paths: [folder.file(name)])
      }
    }
    let result = try Self.rendering(folder) { $0.level = .fullScale(SoundPressureLevel(100)) }.run()
    #expect(try folder.play("out.wav").left.allSatisfy { $0 == 0 })
    #expect(result.ears.left.input.equivalentLevel.value.decibels == -.infinity)
  }

  @Test("of samples that are no numbers and silence no level can be set, and they are told")
  func noNumbers() throws {
    let folder = TemporaryFolder()
    for (name, sample) in [("nan.wav", Float.nan), ("infinite.wav", .infinity)] {
      var left = [Float](repeating: 0, count: 4410)
      left[1000] = sample
      folder.write(WAVE.float(left: left, right: left.map { _ in 0 }), to: name)
      Self.expectRefusal(folder, Self.rendering(folder, [name])) {
        $0 == .noNumbers(paths: [folder.file(name)])
      }
    }
  }

  @Test(
    "levels that no microphone has are refused",
    arguments: [39.0, 59.9, 180.1, 181, .nan, .infinity, -.infinity])
  func level(scale: Double) throws {
    let folder = try Self.folder()
    Self.expectRefusal(folder, Self.rendering(folder) { $0.level = .fullScale(SoundPressureLevel(scale)) })
    {
      if case .level(let found, isStated: true) = $0 {
        found == scale || (found.isNaN && scale.isNaN)
      } else {
        false
      }
    }
  }

  @Test("an equivalent level whose full scale no microphone has is told apart from a stated full scale")
  func equivalentLevel() throws {
    let folder = TemporaryFolder()
    // 40 dB below a full-scale sine: full scale would be at 141 + 40 dB SPL.
    try folder.record("in.wav", left: Signal.sine(1000, amplitude: 0.01, seconds: 1))
    let rendering = Self.rendering(folder) { $0.level = .equivalent(SoundPressureLevel(141)) }
    Self.expectRefusal(folder, rendering) {
      if case .level(let found, isStated: false) = $0 { abs(found - 181) < 0.1 } else { false }
    }
    // So is one below what the chain takes: 19 + 40 dB SPL; 21 + 40 is rendered.
    let soft = Self.rendering(folder) { $0.level = .equivalent(SoundPressureLevel(19)) }
    Self.expectRefusal(folder, soft) {
      if case .level(let found, isStated: false) = $0 { abs(found - 59) < 0.1 } else { false }
    }
    #expect(throws: Never.self) {
      try Self.rendering(folder) { $0.level = .equivalent(SoundPressureLevel(21)) }.run()
    }
  }

  @Test(
    "rates and blocks that the chain does not take are refused",
    arguments: [0, -44_100, 22_050, 192_000, Int.max])
  func rate(rate: Int) throws {
    let folder = try Self.folder()
    Self.expectRefusal(folder, Self.rendering(folder) { $0.sampleRate = rate }) {
      $0 == .chain(.unsupportedSampleRate(Double(rate)))
    }
    for frames in [0, -1, 15, 1025] {
      Self.expectRefusal(folder, Self.rendering(folder) { $0.blockFrames = frames }) {
        $0 == .chain(.unsupportedBlock(frames: frames))
      }
    }
  }

  @Test("an ear that the rule cannot fit is refused")
  func fitting() throws {
    let folder = try Self.folder()
    let narrow = try Audiogram(air: [4000: 40])
    Self.expectRefusal(
      folder,
      Self.rendering(folder) {
        $0.hearing.audiograms = Binaural(left: StandardAudiogram.n1.audiogram, right: narrow)
      }
    ) { $0 == .fitting(.rule(.right, .insufficientThresholds(measured: [4000]))) }
  }

  @Test("a place or a name that cannot be written is refused, and a former file stays as it was")
  func unwritable() throws {
    let folder = try Self.folder()
    Self.expectRefusal(folder, Self.rendering(folder, output: "none/out.wav")) {
      $0 == .sound(.unwritable(path: folder.file("none/out.wav"), errno: ENOENT))
    }
    Self.expectRefusal(folder, Self.rendering(folder, output: "out.mp3")) {
      if case .sound(.formatRefused) = $0 { true } else { false }
    }
    try folder.record("out.wav", left: [0.5, 0.25])
    Self.expectRefusal(folder, Self.rendering(folder, ["none.wav"])) {
      $0 == .sound(.missing(path: folder.file("none.wav")))
    }
    #expect(try folder.play("out.wav").left == [0.5, 0.25])
  }

  @Test("a file that took the output's name while it was rendered stays where nothing is to be replaced")
  func taken() throws {
    let folder = try Self.folder()
    let rendering = Self.rendering(folder) { $0.isReplacing = false }
    let error = try #require(throws: RenderingError.self) {
      try rendering.run(progress: { if $0 < 1 { folder.write([1, 2, 3], to: "out.wav") } })
    }
    #expect(error == .sound(.unwritable(path: folder.file("out.wav"), errno: EEXIST)))
    #expect(folder.bytes(of: "out.wav") == [1, 2, 3] && folder.names == ["in.wav", "out.wav"])
  }

  @Test(
    "a recording that breaks off is rendered as far as it goes or refused, and no half-written file stays")
  func brokenOff() throws {
    let folder = try Self.folder()
    try folder.record("whole.flac", left: Signal.babble(peak: 0.3, count: 44_100))
    #expect(truncate(folder.file("whole.flac"), 20_000) == 0)
    do {
      _ = try Self.rendering(folder, ["whole.flac"]).run()
      #expect(folder.names == ["in.wav", "out.wav", "whole.flac"])
    } catch {
      #expect(folder.names == ["in.wav", "whole.flac"])
    }
  }
}
