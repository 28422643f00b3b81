import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Glibc
import Paper
import Service

/// `auricle spectrum`: what goes in, what comes out and why.
struct Spectrum: Verb {
  static let configuration = CommandConfiguration(
    commandName: "spectrum",
    abstract: "Show the sound before and behind the aid, and every part of the gain between them.",
    discussion: """
      On a terminal a live view: bars of : are the sound at the microphone, bars of # the sound at the ear; below \
      them the gain of each band, and the parts that add up to it. Keys: e ear, b next band, B the one before, \
      p parts, f freeze, s save the moment, q quit. It changes nothing.
      With --json one spectrum a line, 25 a second, with --csv one line for each band and ear; until Ctrl-C or \
      the end of --for. A file recorded by --record, or by auricle listen --spectrum, is shown in place of live sound.

      EXAMPLE: auricle spectrum --for 5s --picture now.png
      """)

  @Argument(help: .file("Recording to show instead of live sound: .jsonl."), completion: .file())
  var file: String?

  @Flag(help: "Print a table of numbers, with units in its first line.") var csv = false

  @Option(
    name: .customLong("for"),
    help: .init(
      "Time that is watched, such as 30s; of text and pictures the time averaged over.", valueName: "time"))
  var time: String?

  @Option(help: .init("Time between two spectra, such as 0.5s; 0.04s unless given.", valueName: "time"))
  var every: String?

  @Option(
    help: "Write the numbers to a file: .jsonl or .csv; of live sound 30s unless --for says otherwise.",
    completion: .file())
  var record: String?

  @Option(
    help: """
      With --record: also write the sound before and behind the aid, NAME-input.wav and NAME-output.wav, where the \
      wearer allows it at this moment: asked here, or given by auricle recording allow; 300s at most.
      """, completion: .file())
  var sound: String?

  @Option(help: "Draw the average: .png, .svg or .pdf.", completion: .file()) var picture: String?

  @Flag(
    help: """
      Draw the course over time in place of the average: input above output, 10s unless --for says otherwise. The \
      numbers of live sound are written beside the picture, or where --record says.
      """) var spectrogram = false

  @Option(
    help: .init("Ear that is shown first: right or left; of a spectrogram the only one.", valueName: "ear"))
  var ear: Ear?

  @OptionGroup var overwriting: OverwriteOption

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    if let picture { try RenderingFailures.checkPicture(picture) }
    try RenderingFailures.checkDistinct(
      read: [file].compactMap(\.self), written: [numbers, picture].compactMap(\.self))
    try checkOptions()
    try checkNames()
    let length = try Self.seconds("--for", time, in: 0.1...3600)
    let interval = try Self.seconds("--every", every, in: SpectrumSubscription.intervals)
    if let record, let sound {
      return try self.record(sound, beside: record, every: interval, for: length ?? recordedTime)
    }
    Interruption.watch()
    var spectra = try source(every: interval ?? SpectrumSubscription().intervalSeconds)
    // A recording is read while it is shown: that its end is damaged is known then.
    defer {
      if let note = spectra.note { StandardError.write("auricle: \(LogLine.printable(note))\n") }
    }
    return try answer(with: &spectra, for: length)
  }

  /// - Parameter length: As `--for` gives it, s; nil: it does not.
  private func answer(with spectra: inout SpectrumSource, for length: Double?) throws -> ExitStatus {
    if spectrogram, let picture { return try drawSpectrogram(&spectra, to: picture, for: length) }
    if let record { return try write(&spectra, to: record, for: length ?? recordedTime) }
    if csv || isForPrograms { return try print(&spectra, for: length ?? .infinity) }
    let isTerminal = isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1
    if picture == nil, length == nil, isTerminal {
      var view = SpectrumView(ear: firstEar, style: options.form.style)
      return try view.show(&spectra)
    }
    return try showAverage(&spectra, for: length ?? (file == nil ? 1 : .infinity))
  }

  /// Refuses options of which one would be without effect.
  private func checkOptions() throws(Failure) {
    if spectrogram, picture == nil {
      throw Failure(
        "--spectrogram", inWords: "There is no file to draw it in", remedy: "Add --picture FILE.png.",
        exit: .usage)
    }
    let isRecorded = record != nil && !spectrogram
    let forms = [("--csv", csv), ("--record", isRecorded), ("--picture", picture != nil)].filter(\.1)
    let first = isForPrograms && record == nil ? [("--json", true)] : []
    let given = (first + forms).map(\.0)
    if given.count > 1 {
      throw Failure(
        "command line", inWords: "\(English.list(given, "and")) exclude each other",
        remedy: csv && isRecorded ? "A file is a table where its name ends in .csv." : nil, exit: .usage)
    }
    if sound != nil, record == nil || file != nil {
      throw Failure(
        "--sound", inWords: "Sound is recorded beside the numbers of live sound",
        remedy: "Add --record FILE.jsonl.",
        exit: .usage)
    }
    if sound != nil, spectrogram {
      throw Failure(
        "--spectrogram", inWords: "It is not drawn while sound is recorded",
        remedy: "Draw it afterwards: auricle spectrum FILE.jsonl --spectrogram --picture FILE.png",
        exit: .usage)
    }
    if file != nil, every != nil {
      throw Failure(
        "--every", inWords: "A recording has its own times", remedy: "Leave it out.", exit: .usage)
    }
  }

  /// Refuses names that cannot be given to files, or are taken, before anything is watched.
  private func checkNames() throws(Failure) {
    var recorded = [numbers].compactMap(\.self)
    if let sound { recorded += try SoundFiles.names(sound) }
    for path in recorded { try OutputPlace.check(whole: path) }
    for path in recorded + [picture].compactMap(\.self) { try overwriting.check(path) }
  }

  private var firstEar: Ear { ear ?? .right }

  /// Time that is recorded where `--for` does not say, s: half a minute of live sound, a recording to its end.
  var recordedTime: Double { file == nil ? 30 : .infinity }

  /// File that numbers are written to: every spectrogram has its own.
  private var numbers: String? {
    // The three endings of pictures are of one length.
    record ?? (spectrogram && file == nil ? picture.map { $0.dropLast(4) + ".jsonl" } : nil)
  }

  /// Live sound, or a recording.
  private func source(every interval: Double) throws(Failure) -> SpectrumSource {
    guard let file else {
      return try SpectrumSource(by: try options.socket.client(), every: interval)
    }
    return SpectrumSource(of: try SpectrumRecording(contentsOf: file))
  }

  /// A time on the command line.
  static func seconds(
    _ name: String, _ text: String?, in range: ClosedRange<Double>
  ) throws(Failure) -> Double? {
    guard let text else { return nil }
    guard let value = Quantity.time.value(of: text), range.contains(value) else {
      throw Failure(
        name, found: text, expected: "\(range.lowerBound.shortText) to \(range.upperBound.shortText) s",
        exit: .usage)
    }
    return value
  }

  // MARK: - Answers

  private func write(
    _ spectra: inout SpectrumSource, to path: String, for length: Double
  ) throws -> ExitStatus {
    let target = try SpectrumFile(path, replacing: overwriting.overwrite)
    try SpectrumFile.keeping(target) { () throws(Failure) in
      try spectra.forEach(for: length) { (report) throws(Failure) in try target.append(report) }
    }
    guard target.count > 0 else { throw SpectrumSource.nothing }
    try target.publish()
    let message = "Wrote \(SpectrumRecording.words(target.count)) to \(path)."
    return try show(DoneReport(message: message, file: path))
  }

  /// Records sound and numbers, where the wearer allows it.
  private func record(
    _ sound: String, beside path: String, every interval: Double?, for length: Double
  ) throws -> ExitStatus {
    let names = try SoundFiles.names(sound)
    try RenderingFailures.checkDistinct(read: [], written: names + [path])
    try RecordingTime.check(length, leave: nil)
    let client = try options.socket.client()
    // A leave that stands is taken up. Whoever has proved another role cannot give one in the wearer's place.
    let leave = try client.ask(ReportMethods.Status()).recording
    try RecordingTime.check(length, leave: leave.map { $0.untilUnixSeconds - SystemTime.wall })
    if leave == nil, options.socket.role == nil, isatty(STDIN_FILENO) == 1 {
      try Confirmation.ask(
        "Record everything that is heard at the ears for \(length.shortText) s, to \(names[0]) and \(names[1])?",
        for: "--sound", instead: "", refused: "Nothing was recorded.")
      try client.ask(RecordingMethods.Allow(seconds: RecordingTime.leave(for: length)))
    }
    // Not before the question: a signal that is only noted would leave it standing, and a yes after it would give the leave.
    Interruption.watch()
    let scale = try client.ask(RecordingMethods.Watch()).scale
    let files = try SoundFiles(sound, scale: scale, replacing: overwriting.overwrite)
    var spectra = try SpectrumSource(by: client, every: interval ?? SpectrumSubscription().intervalSeconds)
    spectra.sound = files
    let target = try SpectrumFile(path, replacing: overwriting.overwrite)
    try SpectrumFile.keeping(
      target, others: { files.keep(spectra: path, isFull: $0) },
      { () throws(Failure) in
        try spectra.forEach(for: length) { (report) throws(Failure) in try target.append(report) }
      })
    guard target.count > 0 else { throw SpectrumSource.nothing }
    // Said before the connection closes, so that the audit trail tells this end from a client that died.
    _ = try? client.ask(Unsubscription())
    let message = "Wrote \(SpectrumRecording.words(target.count)) to \(path)."
    // A name that was taken meanwhile keeps nothing back that has another: it cannot be recorded again.
    do throws(Failure) { try target.publish() } catch {
      // On a full disk too: the numbers' room is given back already.
      let kept = files.keep(spectra: "", isFull: false)
      throw error.withRemedy(error.remedy, kept.isEmpty ? nil : kept.joined(separator: " "))
    }
    let notes: [String]
    do throws(Failure) { notes = try files.publish(spectra: path) } catch {
      throw error.withRemedy(message, error.remedy)
    }
    return try show(DoneReport(message: message, notes: notes, file: path))
  }

  private func print(_ spectra: inout SpectrumSource, for length: Double) throws(Failure) -> ExitStatus {
    if csv { Swift.print(SpectrumTable.header) }
    try spectra.forEach(for: length) { (report) throws(Failure) in
      Swift.print(csv ? SpectrumTable.rows(report) : try report.line(), terminator: "")
      fflush(nil)
    }
    return .done
  }

  private func drawSpectrogram(
    _ spectra: inout SpectrumSource, to picture: String, for length: Double?
  ) throws -> ExitStatus {
    let target = try numbers.map { path throws(Failure) in
      try SpectrumFile(path, replacing: overwriting.overwrite)
    }
    let page = try SpectrumFile.keeping(target) { () throws(Failure) -> NamedDraft in
      try spectrogram(of: &spectra, for: length, to: picture, recording: target)
    }
    // Neither keeps the other back.
    var failures: [Failure] = []
    var written: [String] = []
    do throws(Failure) {
      try page.publish()
      written.append(picture)
    } catch { failures.append(error) }
    do throws(Failure) {
      try target?.publish()
      if let numbers { written.append(numbers) }
    } catch { failures.append(error) }
    if let failure = failures.first {
      let words = written.isEmpty ? nil : "Wrote \(English.list(written, "and"))."
      throw ConfigurationFailures(
        failures: [failure.withRemedy(words, failure.remedy)] + failures.dropFirst())
    }
    return try show(DoneReport(message: "Wrote \(English.list(written, "and")).", file: picture))
  }

  /// Watches and draws.
  ///
  /// - Parameter target: File of the numbers; nil: they are in one already.
  private func spectrogram(
    of spectra: inout SpectrumSource, for length: Double?, to picture: String,
    recording target: SpectrumFile?
  ) throws(Failure) -> NamedDraft {
    var stretch = SpectrogramStretch()
    try spectra.forEach(for: length ?? (file == nil ? 10 : .infinity)) { (report) throws(Failure) in
      stretch.add(report)
      try target?.append(report)
    }
    guard !stretch.isEmpty else { throw SpectrumSource.nothing }
    cautionOfTitle()
    let source = numbers ?? file ?? ""
    let isTable = source.lowercased().hasSuffix(".csv")
    let drawing = try stretch.drawing(
      title: file ?? "Sound of the running aid",
      numbers: "The numbers: \(source)" + (isTable ? "" : "; as a table: auricle spectrum \(source) --csv"),
      ears: ear.map { [$0] } ?? [.right, .left])
    return try PageFile(path: picture, overwriting: overwriting).draft([drawing.picture()])
  }

  /// The title of a picture is the recording's name.
  private func cautionOfTitle() {
    guard let file else { return }
    MissingLetters.caution(of: [file], on: "the picture", whole: "name of the recording's file")
  }

  private func showAverage(_ spectra: inout SpectrumSource, for length: Double) throws -> ExitStatus {
    var average = SpectrumAverage()
    try spectra.forEach(for: length) { average.add($0) }
    guard let report = average.report else { throw SpectrumSource.nothing }
    let size = TerminalSize.current ?? TerminalSize(columns: 80, rows: 24)
    var screen = SpectrumScreen(columns: size.columns, rows: max(size.rows, 30))
    (screen.style, screen.remark, screen.isPrinted) = (options.form.style, average.remark, true)
    for shown in [firstEar, firstEar == .left ? .right : .left] where picture == nil {
      screen.ear = shown
      Swift.print(screen.lines(report).joined(separator: "\n") + "\n")
    }
    if let picture {
      cautionOfTitle()
      try PageFile(path: picture, overwriting: overwriting).write([
        SpectrumDrawing(report, title: file ?? "Spectrum of the running aid", remarks: average.remarks)
          .picture()
      ])
      Swift.print("Wrote \(picture).")
    }
    return .done
  }
}
