import Acoustics
import CommonTesting
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// Recordings heard by a program, in the same code as live sound.
@Suite("Rendering by a program") struct ProgramRenderingTests {
  /// A rendering of a second of 250 Hz, where programs differ in gain.
  static func result(_ program: ProgramChoice?) throws -> RenderingResult {
    let folder = TemporaryFolder()
    let tone = Signal.sine(250, amplitude: 0.1, seconds: 1)
    try folder.record("in.wav", rate: 44_100, left: tone, right: tone)
    var rendering = FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"),
      hearing: HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram)))
    rendering.program = program
    return try rendering.run()
  }

  @Test("conversation in noise takes 3 dB from 250 Hz, and the result names the program")
  func conversation() throws {
    let plain = try Self.result(nil)
    let heard = try Self.result(.program(.conversationInNoise))
    #expect(plain.programs.isEmpty)
    #expect(heard.programs.map(\.program) == [.conversationInNoise] && heard.programs[0].time == 0)
    // The program's gain alone: what its treatment does to a steady tone is measured elsewhere.
    let (before, after) = (plain.ears.left.fitting, heard.ears.left.fitting)
    let band = try #require(plain.settings.bands.centres.firstIndex(of: 250))
    let level = SoundPressureLevel(65)
    #expect(abs(before.curves[band].gain(at: level) - after.curves[band].gain(at: level) - 3) < 1e-9)
    #expect(heard.ears.left.output.equivalentLevel.value < plain.ears.left.output.equivalentLevel.value)
  }

  @Test("automatic begins with the quiet program, and stays there while nothing is made out")
  func automatic() throws {
    let heard = try Self.result(.automatic)
    #expect(heard.programs.first?.program == .quiet && heard.programs.first?.time == 0)
  }
}
