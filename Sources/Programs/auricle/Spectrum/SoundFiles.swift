import AudioIO
import Base
import Control
import Engine
import Glibc
import Prescriptions
import Service

/// Sound before and behind the aid in files: two of two channels, and a note of the levels that full scale stands
/// for. All of them are their owner's alone, and none is there unless ``publish(spectra:)`` or ``keep(spectra:isFull:)`` is called.
///
/// - Threads: one at a time.
final class SoundFiles {
  /// The note beside the sound.
  private struct Note: Encodable {
    struct Gap: Encodable {
      var atSeconds: Double
      var seconds: Double
    }

    /// Version of the form.
    var auricleSound = 1
    var version = Version.number
    var begun = Instant.now.localText
    /// Left and right channel of each.
    var input: String
    var output: String
    /// Numbers of the same stretch.
    var spectra = ""
    /// The first frame as a time of the spectra.
    var timeSeconds = 0.0
    var rateHz = 0.0
    var frames = 0
    /// Sound that was lost on its way, silence in the files.
    var gaps: [Gap] = []
    var scale: SoundScale
    /// Reason for which the sound ended before the recording; nil: it did not.
    var ended: String?
  }

  /// Longest silence that stands for lost sound, s: what is longer is no gap but another recording.
  private static let longestGap = 60.0
  /// Highest rate, Hz: twice the highest of the aid.
  private static let highestRate = 192_000

  private let notePath: String
  private let isReplacing: Bool
  private var note: Note
  private var input: SoundFileWriter?
  private var output: SoundFileWriter?

  /// - Parameters:
  ///   - path: Name of the sound, "visit.wav", from which those of the files are made: visit-input.wav.
  ///   - scale: As the daemon tells it.
  ///   - isReplacing: False: a file that has one of the names when they are given stays, and that fails.
  init(_ path: String, scale: SoundScale, replacing isReplacing: Bool) throws(Failure) {
    let names = try Self.names(path)
    (notePath, note) = (names[2], Note(input: names[0], output: names[1], scale: scale))
    self.isReplacing = isReplacing
  }

  /// Names of input, output and note.
  ///
  /// - Throws: ``Failure`` for a name of another kind of file.
  static func names(_ path: String) throws(Failure) -> [String] {
    guard let dot = path.lastIndex(of: "."), [".wav", ".flac"].contains(path[dot...].lowercased()) else {
      throw Failure(path, inWords: "The name ends neither in .wav nor in .flac", exit: .usage)
    }
    let (name, suffix) = (path[..<dot], path[dot...])
    return ["\(name)-input\(suffix)", "\(name)-output\(suffix)", "\(name).json"]
  }

  /// True once no more sound comes.
  var isOver: Bool { note.ended != nil }

  /// Takes a stretch of sound, or its end.
  func append(_ notice: SoundNotice) throws(Failure) {
    if let reason = notice.ended { return note.ended = reason }
    guard let samples = notice.samples, !samples.isEmpty else { return }
    // Another program can send any number.
    guard let rate = Int(exactly: notice.rateHz), 1...Self.highestRate ~= rate else {
      throw Failure(
        "--sound", found: "sound of \(notice.rateHz) Hz",
        expected: "a whole number up to \(Self.highestRate)", exit: .protocolMismatch)
    }
    do throws(SoundFileError) {
      if note.rateHz == 0 {
        (note.rateHz, note.timeSeconds) = (notice.rateHz, notice.timeSeconds)
        input = try SoundFileWriter(path: note.input, rate: rate, mode: 0o600)
        output = try SoundFileWriter(path: note.output, rate: rate, mode: 0o600)
      }
      let (missing, isAbsurd) = notice.position.subtractingReportingOverflow(note.frames)
      if !isAbsurd, missing > 0, Double(missing) < Self.longestGap * note.rateHz {
        note.gaps.append(
          .init(atSeconds: Double(note.frames) / note.rateHz, seconds: Double(missing) / note.rateHz))
        try write([SIMD4<Float>](repeating: .zero, count: missing))
      }
      try write(samples)
    } catch { throw RenderingFailures.sound(error) }
  }

  private func write(_ samples: [SIMD4<Float>]) throws(SoundFileError) {
    let (leftInput, rightInput) = (samples.map { $0[0] }, samples.map { $0[1] })
    try input?.write(left: leftInput.span, right: rightInput.span)
    let (leftOutput, rightOutput) = (samples.map { $0[2] }, samples.map { $0[3] })
    try output?.write(left: leftOutput.span, right: rightOutput.span)
    note.frames += samples.count
  }

  /// Keeps the sound of a recording that failed.
  ///
  /// - Parameters:
  ///   - spectra: File of the numbers.
  ///   - isFull: True for a full disk: the sound is given up, and with it the room that it takes.
  /// - Returns: Sentences about it; none where no sound had come.
  func keep(spectra: String, isFull: Bool) -> [String] {
    guard note.frames > 0 else { return [] }
    guard isFull else {
      // The reason for which one of them could not be kept stands behind that for which the recording ended.
      do throws(Failure) { return try publish(spectra: spectra) } catch { return [error.message] }
    }
    input = nil
    output = nil
    return ["The sound is lost."]
  }

  /// Gives the files their names. One whose name is taken keeps no other back.
  ///
  /// - Parameter spectra: File of the numbers.
  /// - Returns: Sentences of what was written and what is missing.
  /// - Throws: ``Failure`` of the first file that has not got its name, with what is kept and what is lost.
  func publish(spectra: String) throws(Failure) -> [String] {
    guard note.frames > 0 else { return ["No sound came."] + ended }
    note.spectra = spectra
    var (kept, lost): ([String], [String]) = ([], [])
    var failure: Failure?
    func give(_ path: String, _ name: () throws(Failure) -> Void) {
      do throws(Failure) {
        try name()
        kept.append(path)
      } catch {
        lost.append(path)
        if failure == nil { failure = error }
      }
    }
    give(note.input) { () throws(Failure) in
      do throws(SoundFileError) { try input.take()?.finish(replacing: isReplacing) } catch {
        throw RenderingFailures.sound(error)
      }
    }
    give(note.output) { () throws(Failure) in
      do throws(SoundFileError) { try output.take()?.finish(replacing: isReplacing) } catch {
        throw RenderingFailures.sound(error)
      }
    }
    give(notePath) { () throws(Failure) in try writeNote() }
    if let failure {
      let isKept = "\(English.list(kept, "and")) \(kept.count == 1 ? "is" : "are") kept."
      let isLost = "\(English.list(lost, "and")) \(lost.count == 1 ? "is" : "are") lost."
      throw failure.withRemedy(kept.isEmpty ? nil : isKept, isLost, failure.remedy)
    }
    let seconds = NumberText.fixed(Double(note.frames) / note.rateHz)
    let missing = note.gaps.reduce(0) { $0 + $1.seconds }
    let gaps =
      note.gaps.isEmpty
      ? []
      : [
        "\(NumberText.fixed(missing, 2)) s of it were lost on their way and are silence; \(notePath) says where."
      ]
    return [
      "Wrote \(seconds) s of sound to \(note.input) and \(note.output), and their levels to \(notePath)."
    ]
      + gaps + ended
  }

  private func writeNote() throws(Failure) {
    let text = try note.line()
    do throws(SystemError) {
      let draft = try FileDraft(of: notePath, mode: 0o600)
      try draft.write(Array(text.utf8))
      try draft.publish(replacing: isReplacing)
    } catch {
      throw error.code == EEXIST ? OverwriteOption.exists(notePath) : Failure.writing(notePath, error)
    }
  }

  private var ended: [String] { note.ended.map { ["The sound ended early: \($0)."] } ?? [] }
}
