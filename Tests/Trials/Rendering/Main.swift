import Acoustics
import CFFTW
import Engine
import Fitting
import Glibc

/// Renders recordings by every fitting rule, for every standard audiogram, by every listening program and with what a
/// plan adds, each into a file of its own, so that programs of two processors can be compared (`make arm`). The code is that of
/// `auricle listen`, whose chain is the live one.
///
/// FFTW takes the algorithms that it counts the least work for, and measures none: an emulator's clock says nothing, and other
/// algorithms round otherwise.
///
///     rendering-trial FOLDER RECORDING LEVEL...     LEVEL: the recording's Leq, dB SPL; into FOLDER/RECORDING's name/
@main enum Main {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.popFirst(), !arguments.isEmpty else { wrongUse() }
    fftwf_set_timelimit(0)
    while let recording = arguments.popFirst() {
      guard let level = arguments.popFirst().flatMap(Double.init) else { wrongUse() }
      try render(recording, at: SoundPressureLevel(level), into: folder)
    }
  }

  static func wrongUse() -> Never {
    print("usage: rendering-trial FOLDER RECORDING LEVEL...")
    exit(EX_USAGE)
  }

  static func render(_ recording: String, at level: SoundPressureLevel, into folder: String) throws {
    let name = (recording.split(separator: "/").last ?? "").prefix { $0 != "." }
    guard mkdir("\(folder)/\(name)", 0o755) == 0 || errno == EEXIST else {
      print("\(folder)/\(name) cannot be made: \(String(cString: strerror(errno)))")
      exit(EX_CANTCREAT)
    }
    for one in try rules() + ears() + programs() + plans() {
      var rendering = FileRendering(
        inputs: [recording], output: "\(folder)/\(name)/\(one.name).wav", hearing: one.hearing,
        level: .equivalent(level))
      rendering.program = one.program
      let result = try rendering.run()
      print("\(name)/\(one.name): \(result.duration) s")
    }
  }

  typealias Case = (name: String, hearing: HearingSettings, program: ProgramChoice?)

  static func hearing(_ audiogram: StandardAudiogram = .n3, _ plan: FittingPlan? = nil) -> HearingSettings {
    var settings = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
    if let plan { settings.plan = plan }
    return settings
  }

  /// The prescribed gain and nothing else.
  static func rules() throws -> [Case] {
    let rules: [PrescribedRule] = [
      .nalR, .nalRP, .nalRPCompressive(compressionRatio: 2), .nalRPCompressive(compressionRatio: 3),
      .halfGain,
      .pogoII, .cambridgeLinear, .cambridgeCompressive,
    ]
    return try rules.map { rule in
      let ratio = rule.compressionRatio.map { "-\(Int($0))" } ?? ""
      return ("\(rule.identifier)\(ratio)", hearing(.n3, try HearingSettings.plan(by: rule)), nil)
    }
  }

  /// By the program that the sound asks for.
  static func ears() -> [Case] {
    StandardAudiogram.allCases.map { ("\($0.rawValue)-automatic", hearing($0), .automatic) }
  }

  static func programs() -> [Case] {
    ListeningProgram.allCases.map { ("N4-\($0.rawValue)", hearing(.n4), .program($0)) }
  }

  static func plans() throws -> [Case] {
    let rule = FittingPlan.Target.rule(.nalRPCompressive(compressionRatio: 2))
    let lowering = try FittingPlan(
      target: rule, lowering: Binaural(both: FrequencyLowering(cutoff: 2000, ratio: 2)))
    let noise = try TinnitusSound(shape: .notched(pitch: 4000, width: 1), level: SoundPressureLevel(50))
    let tinnitus = try FittingPlan(target: rule, tinnitusSound: Binaural(both: noise))
    return [
      ("S2-lowering", hearing(.s2, lowering), nil), ("N2-tinnitus-sound", hearing(.n2, tinnitus), nil),
    ]
  }
}
