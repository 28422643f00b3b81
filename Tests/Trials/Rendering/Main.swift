import Acoustics
import Engine
import Fitting
import Glibc

/// Renders a recording by every fitting rule, for every standard audiogram, by every listening program and with what a
/// plan adds, each into a file of its own, so that programs of two processors can be compared (`make arm`). The code is that of
/// `auricle listen`, whose chain is the live one.
///
///     rendering-trial RECORDING LEVEL FOLDER     LEVEL: the recording's Leq, dB SPL
@main enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let level = Double(arguments[2]) else {
      print("usage: rendering-trial RECORDING LEVEL FOLDER")
      exit(EX_USAGE)
    }
    for (name, rendering) in try renderings(
      of: arguments[1], at: SoundPressureLevel(level), into: arguments[3])
    {
      let result = try rendering.run()
      print("\(name): \(result.duration) s")
    }
  }

  /// Each with the name of its file.
  static func renderings(
    of recording: String, at level: SoundPressureLevel, into folder: String
  ) throws -> [(String, FileRendering)] {
    try (rules() + ears() + programs() + plans()).map { name, hearing, program in
      var rendering = FileRendering(
        inputs: [recording], output: "\(folder)/\(name).wav", hearing: hearing, level: .equivalent(level))
      rendering.program = program
      return (name, rendering)
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
