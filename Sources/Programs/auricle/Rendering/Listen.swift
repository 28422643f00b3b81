import Acoustics
import ArgumentParser
import Base
import Control
import Drawing
import Engine

/// `auricle listen`: a recording as the aid would let it be heard.
struct Listen: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render a recording as the aid would let it be heard.",
    discussion: """
      The file goes through the same sound path as live sound, in both ears, faster than real time. \
      A recording does not say how loud it was: --level does, --full-scale for measured recordings.
      The output's full scale stands for the output limit, so nothing in it can clip.

      EXAMPLE: auricle listen talk.wav aided.wav --audiogram Prescriptions/N3.json --picture aided.png
      """)

  @Argument(
    help: "Recording to hear: WAV, FLAC, or whatever libsndfile reads; one or two channels.",
    completion: .file())
  var input: String

  @Argument(help: "File to write: .wav or .flac, 24 bits, two channels.", completion: .file())
  var output: String

  @OptionGroup var hearing: RenderingOptions

  @Option(
    help: "Also draw what went in, what came out and the target: .png, .svg or .pdf.", completion: .file())
  var picture: String?

  @Flag(help: "Print the figures as JSON.")
  var json = false

  func run() throws {
    let failures = FailureText(program: "auricle", json: json)
    do throws(Failure) {
      let rendering = try hearing.rendering(of: [input], into: output)
      if let picture { try RenderingFailures.checkPicture(picture) }
      try RenderingFailures.checkDistinct(
        read: [input, hearing.audiogram], written: [output] + (picture.map { [$0] } ?? []))
      let result = try Self.render(rendering, quietly: json)
      if let picture {
        try RenderingPicture(result, audiogramName: hearing.audiogramName).write(to: picture)
      }
      let text = RenderingText(result, picture: picture, choice: rendering.program)
      print(json ? try text.json() : text.lines.joined(separator: "\n"))
      try StandardOutput.finish()
    } catch {
      StandardError.write(failures.text(for: [error]))
      throw ArgumentParser.ExitCode(error.exitStatus.rawValue)
    }
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
