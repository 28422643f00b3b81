import ArgumentParser
import Base
import Control
import Engine
import Laboratory
import Paper
import Prescriptions
import Service

/// `auricle verify`: the electroacoustic laboratory.
struct Verify: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Measure the aid as a hearing-aid laboratory would, and compare it with the limits.",
    discussion: """
      Without --audiogram: the prescription in force, or the configuration's audiogram. Plays the standards' \
      signals through the chain that the live aid plays, in numbers; touches no sound card. The figures are \
      those of the digital chain with the devices' stated calibration, not of a coupler.
      Exits with 0 when every limit that applies is met, with 1 when one is broken: the report names it.

      EXAMPLE: auricle verify --audiogram N3 -o report.pdf
      """)

  @OptionGroup var measured: VerifyOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Also write a report with curves: .pdf.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var form: AnswerOptions
  @OptionGroup var quiet: QuietOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    if let output {
      try one { () throws(Failure) in
        guard output.lowercased().hasSuffix(".pdf") else {
          throw Failure(
            output, inWords: "The name does not end in .pdf", exit: .usage)
        }
        try RenderingFailures.checkPicture(output)
        try RenderingFailures.checkDistinct(
          read: [measured.audiogram].compactMap(\.self), written: [output])
      }
    }
    let specimen = try measured.specimen()
    let verification = try one { () throws(Failure) in try verify(specimen) }
    let table = VerificationTable(
      verification, of: specimen.name,
      measured: "Measured \(specimen.moment.localText), Auricle \(Version.number).",
      inForce: specimen.inForce)
    // The answer comes before the report, whose writing can fail.
    if form.json {
      print(
        try json(
          verification.json(
            of: specimen.name, at: specimen.moment.seconds, version: Version.number,
            inForce: specimen.inForce)))
    } else {
      print(VerificationText(table, style: form.style).text, terminator: "")
    }
    if let output {
      try one { () throws(Failure) in
        try PageFile(path: output).write(VerificationDrawing(table).pages())
      }
      if !form.json { print("Wrote \(output).") }
    }
    return verification.isMet ? .done : .no
  }

  private var isQuiet: Bool { form.json || quiet.quiet }

  /// Measures with a progress bar on standard error.
  private func verify(_ specimen: Specimen) throws(Failure) -> Verification {
    var bar = ProgressBar("measuring")
    do {
      let verification = try Verification(specimen.subject) { if !isQuiet { bar.update($0) } }
      if !isQuiet { bar.finish() }
      return verification
    } catch {
      if !isQuiet { bar.end() }
      throw Failure("fitting", saying: "\(error)", exit: .badData)
    }
  }
}
