import Acoustics
import ArgumentParser
import Base
import Control
import Drawing
import Engine

/// `auricle listen`: a recording as it sounds through the aid.
struct Listen: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Render a recording as it sounds through the aid.",
    discussion: """
      Without --audiogram and --card: by the prescription in force. \
      The file goes through the same sound path as live sound, in both ears, faster than real time. \
      A recording does not tell how loud it was: state it by --level, or by --full-scale for measured recordings.
      The output's full scale stands for the output limit, so nothing in it can clip.

      EXAMPLE: auricle listen talk.wav aided.wav --audiogram Prescriptions/N3.json --picture aided.png
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

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption
  @OptionGroup var quiet: QuietOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let (result, program) = try one { () throws(Failure) in
      let (rendering, name) = try hearing.rendering(of: [input], into: output, asking: socket)
      if let picture { try RenderingFailures.checkPicture(picture) }
      try RenderingFailures.checkDistinct(
        read: [input] + [hearing.audiogram, hearing.card].compactMap(\.self),
        written: [output] + (picture.map { [$0] } ?? []))
      let result = try Self.render(rendering, quietly: form.json || quiet.quiet)
      if let picture { try RenderingPicture(result, audiogramName: name).write(to: picture) }
      return (result, rendering.program)
    }
    if form.json {
      print(try json(Figures(result)))
    } else if !quiet.quiet {
      print(RenderingText(result, picture: picture, choice: program).lines.joined(separator: "\n"))
    }
    return .done
  }

  /// Renders with a progress bar on standard error.
  static func render(_ rendering: FileRendering, quietly: Bool) throws(Failure) -> RenderingResult {
    var bar = ProgressBar("rendering")
    do {
      let result = try rendering.run { if !quietly { bar.update($0) } }
      if !quietly { bar.finish() }
      return result
    } catch {
      if !quietly { bar.end() }
      throw RenderingFailures.failure(error)
    }
  }
}
