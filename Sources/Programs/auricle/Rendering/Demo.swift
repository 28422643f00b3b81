import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Glibc

/// `auricle demo`: what the aid does, on recorded speech, without touching a sound card.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render recorded speech for a sample hearing loss, and draw it. Touches no sound card.")

  /// Voice prompts of Debian's alsa-utils: eight recordings of a human voice. Its ninth file is noise.
  private static let folder = "/usr/share/sounds/alsa"
  private static let prompts = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left",
    "Side_Right",
  ]

  @Option(help: "Folder for unaided.wav, aided.wav and aided.png.", completion: .directory)
  var folder: String = "."

  @OptionGroup var sample: SampleOptions

  func run() throws {
    do throws(Failure) {
      let inputs = Self.prompts.map { "\(Self.folder)/\($0).wav" }
      guard inputs.allSatisfy({ access($0, R_OK) == 0 }) else {
        throw Failure(
          "recorded speech", found: "no voice prompts in \(Self.folder)", expected: "those of alsa-utils",
          remedy: "Install them: sudo apt-get install alsa-utils.", exit: .noInput)
      }
      let options = RenderingOptions.parseOrExit(["--audiogram", sample.audiogram])
      let sound = "\(folder)/aided.wav"
      let picture = "\(folder)/aided.png"
      let rendering = try options.rendering(of: inputs, into: sound)
      let quietly = isatty(STDERR_FILENO) != 1
      // The same sound as an ear without the aid hears it, on the same scale, so that the two can be compared.
      var unaided = rendering
      unaided.hearing.audiograms = nil
      unaided.output = "\(folder)/unaided.wav"
      _ = try Listen.render(unaided, quietly: quietly)
      let result = try Listen.render(rendering, quietly: quietly)
      try RenderingPicture(
        result, audiogramName: options.audiogramName,
        inputName: "Recorded speech: voice prompts of alsa-utils"
      ).write(to: picture)
      print(lines(result, options, [unaided.output, sound], picture).joined(separator: "\n"))
    } catch {
      StandardError.write(FailureText(program: "auricle").text(for: [error]))
      throw ArgumentParser.ExitCode(error.exitStatus.rawValue)
    }
  }

  /// Five lines: what was done, both ears' levels, what to look at, how to go live.
  private func lines(
    _ result: RenderingResult, _ options: RenderingOptions, _ sounds: [String], _ picture: String
  ) -> [String] {
    let text = RenderingText(result, picture: picture)
    return [
      "Rendered \(NumberText.fixed(result.duration, 1)) s of recorded speech for a hearing loss like "
        + "\(options.audiogramName) (\(result.settings.ruleName)), "
        + "\(NumberText.fixed(result.duration / max(result.time, 1e-9), 0)) times faster than it sounds.",
      text.line(.left), text.line(.right),
      "Compare \(sounds.joined(separator: " and ")) at one volume, quietly at first, and look at \(picture). Speech is "
        + "taken as 65 dB SPL; the files' full scale is \(DecibelText.level(result.settings.maximumOutput)) SPL.",
      live,
    ]
  }

  private var live: String {
    let card = DeviceList.all().first { device in
      device.card != nil && StreamDirection.allCases.allSatisfy(device.directions.contains)
    }
    guard let card else {
      return "No sound card here captures and plays. With one: auricle doctor, then auricle start."
    }
    return
      "To go live on \(card.title): calibrate and fit (see README), then auricle doctor, then auricle start."
  }
}

/// Hearing loss of the demonstration.
struct SampleOptions: ParsableArguments {
  @Option(help: "Audiogram: a file, or a standard one: N1 to N7, S1 to S3.", completion: .file())
  var audiogram: String = "N3"
}
