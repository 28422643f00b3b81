import ArgumentParser
import AudioIO
import Base
import Engine
import Glibc
import Service

/// `auricle listen`: a recording as it sounds through the aid.
struct Listen: Verb {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Render a recording as it sounds through the aid.",
    discussion: """
      Without --audiogram and --card: by the prescription in force. \
      The file goes through the same sound path as live sound, in both ears, faster than real time. \
      A recording does not tell how loud it was: state it by --level, or by --full-scale for measured recordings.
      The output's full scale stands for the output limit, so nothing in it can clip.

      EXAMPLE: auricle listen talk.wav aided.wav --audiogram N3 --picture aided.png
      """)

  @Argument(
    help: "Recording: WAV, FLAC, or any other format of libsndfile; one or two channels.",
    completion: .file())
  var input: String

  @Argument(help: "File to write: .wav or .flac, 24 bits, two channels.", completion: .file())
  var output: String

  @OptionGroup var hearing: RenderingOptions

  @Option(
    help: "Also draw what went in, what came out and the target: .png, .svg or .pdf.", completion: .file())
  var picture: String?

  @Option(
    help:
      "Also write the spectra and the parts of the gain, 25 for each second: .jsonl or .csv; see auricle spectrum.",
    completion: .file())
  var spectrum: String?

  @Option(
    help:
      "Recording that is streamed meanwhile, such as music; its full scale stands for 85 dB SPL: see auricle stream.",
    completion: .file())
  var stream: String?

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption
  @OptionGroup var quiet: QuietOption

  func answer() throws -> ExitStatus {
    var (rendering, name) = try hearing.rendering(of: [input], into: output, asking: socket)
    rendering.streamed = stream
    rendering.isReplacing = overwriting.overwrite
    if let picture { try RenderingFailures.checkPicture(picture) }
    let others = [spectrum, picture].compactMap(\.self)
    try RenderingFailures.checkDistinct(
      read: [input] + [hearing.audiogram, hearing.card, stream].compactMap(\.self),
      written: [output] + others)
    // Names that were given in the wrong order would cost the recording.
    for path in [output] + others { try overwriting.check(path) }
    let result = try overwriting.removing([output] + others) { made in
      let result = try render(rendering, made: made)
      if let picture {
        try result.writePicture(to: PageFile(path: picture, overwriting: overwriting), audiogramName: name)
      }
      return result
    }
    let missing =
      [
        RecordingEnd.caution(input, heard: result.duration),
        stream.flatMap { RecordingEnd.caution(streamed: $0, until: result.duration) },
      ].compactMap(\.self) + result.silenced(of: input, streaming: stream)
    if quiet.quiet, !isForPrograms {
      for caution in missing { StandardError.write("auricle: caution: \(LogLine.printable(caution))\n") }
      return .done
    }
    // A prescription's were seen by the one who signed it.
    let findings = hearing.audiogram == nil ? [] : rendering.hearing.findings
    let cautions = missing + findings.filter { $0.severity == .caution }.map(\.sentence)
    let text = RenderingText(
      result: result, others: others, choice: rendering.program, hearing: name, cautions: cautions)
    let report = result.json(cautions, hearing: name, picture: picture, spectrum: spectrum)
    return try show(report, text.lines.joined(separator: "\n"))
  }
}

extension Listen {
  /// Renders, and writes spectra where they are wanted.
  ///
  /// - Parameter made: Called with each path once its file has the name.
  fileprivate func render(
    _ rendering: FileRendering, made: (String) -> Void
  ) throws(Failure) -> RenderingResult {
    guard let spectrum else {
      let result = try quiet.render(rendering)
      made(output)
      return result
    }
    let file = try SpectrumFile(spectrum, replacing: overwriting.overwrite)
    // The rendering goes on without the spectra, and its error is the one that is told.
    var fault: Failure?
    let result = try quiet.render(rendering) { frame, settings in
      guard fault == nil else { return }
      do throws(Failure) { try file.append(SpectrumReport(frame, settings)) } catch { fault = error }
    }
    made(output)
    if let fault { throw fault }
    try file.publish()
    made(spectrum)
    return result
  }
}

extension QuietOption {
  fileprivate func render(
    _ rendering: FileRendering, spectrum: ((SpectrumFrame, HearingSettings) -> Void)? = nil
  ) throws(Failure) -> RenderingResult {
    try rethrowing(
      { (error: RenderingError) in RenderingFailures.failure(error, at: rendering.level) },
      try withProgress("rendering") { (progress) throws(RenderingError) in
        try rendering.run(progress: progress, spectrum: spectrum)
      })
  }
}

/// `auricle demo`: what the aid does, on recorded speech, without touching a sound card.
struct Demo: Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Render recorded speech for a sample hearing loss, and draw it. Touches no sound card.")

  /// Voice prompts of Debian's alsa-utils: eight recordings of a human voice. Its ninth file is noise.
  private static let folder = "/usr/share/sounds/alsa"
  private static let prompts = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left",
    "Side_Right",
  ]

  @Option(help: "Folder for unaided.wav, aided.wav and aided.png.", completion: .directory) var folder = "."

  @Option(help: "Audiogram: a file, or a standard one: N1 to N7, S1 to S3.", completion: .file())
  var audiogram = "N3"

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var form: JSONOption
  @OptionGroup var quiet: QuietOption

  func answer() throws -> ExitStatus {
    let sounds = ["\(folder)/unaided.wav", "\(folder)/aided.wav"]
    let picture = "\(folder)/aided.png"
    let inputs = Self.prompts.map { "\(Self.folder)/\($0).wav" }
    guard inputs.allSatisfy({ access($0, R_OK) == 0 }) else {
      throw Failure(
        Self.folder, inWords: "The voice prompts of alsa-utils are not here",
        remedy: "Install them: sudo apt-get install alsa-utils.", exit: .noInput)
    }
    let options = RenderingOptions.parseOrExit(["--audiogram", audiogram])
    var (rendering, name) = try options.rendering(
      of: inputs, into: sounds[1], asking: SocketOption.parseOrExit([]))
    rendering.isReplacing = overwriting.overwrite
    for path in sounds + [picture] { try overwriting.check(path) }
    do throws(SystemError) { try Folder.make(folder) } catch { throw Failure.writing(folder, error) }
    // The same sound as an ear without the aid hears it, on the same scale, so that the two can be
    // compared.
    var unaided = rendering
    unaided.hearing.audiograms = nil
    unaided.output = sounds[0]
    let result = try overwriting.removing(sounds + [picture]) { made in
      _ = try quiet.render(unaided)
      made(sounds[0])
      let result = try quiet.render(rendering)
      made(sounds[1])
      try result.writePicture(
        to: PageFile(path: picture, overwriting: overwriting), audiogramName: name,
        inputName: "Recorded speech: voice prompts of alsa-utils")
      return result
    }
    if quiet.quiet, !isForPrograms { return .done }
    let report = result.json(hearing: name, picture: picture)
    return try show(report, lines(result, name, sounds, picture).joined(separator: "\n"))
  }

  /// Five lines: what was done, both ears' levels, what to look at, how to go live.
  private func lines(
    _ result: RenderingResult, _ name: String, _ sounds: [String], _ picture: String
  ) -> [String] {
    let text = RenderingText(result: result)
    return [
      "Rendered \(NumberText.fixed(result.duration)) s of recorded speech for a hearing loss like "
        + "\(name) (\(result.settings.ruleName)), \(text.pace) times faster than it sounds.",
      text.line(.right), text.line(.left),
      "Compare \(sounds.joined(separator: " and ")) at one volume, quietly at first, and look at \(picture). Speech is "
        + "taken as 65 dB SPL; the files' full scale is \(DecibelText.level(result.settings.maximumOutput)).",
      live,
    ]
  }

  private var live: String {
    guard let card = DeviceList.all().usual else {
      return
        "No sound card with converters here captures and plays. With one: auricle doctor, then auricle start."
    }
    return "To go live on \(LogLine.printable(card.title)): auricle setup, then auricle doctor."
  }
}
