import Base
import Engine
import HearingDSP

/// Program, volume and tone as a person has set them, and the automatic choice of a program.
///
/// A value; ``ProgramFile`` keeps its ``memory``.
struct ProgramSelection: Sendable {
  /// As set by the person; ``choose(_:)`` changes it.
  private(set) var memory: ProgramMemory
  /// Why nothing is remembered, a sentence with or without a full stop; nil: it is.
  private(set) var problem: String?
  /// True after an attempt to write the file that failed, and may succeed later.
  private(set) var isRefused = false
  /// True after a crash while a stream was on, whose device may have caused it: it is off until somebody turns it on again.
  private(set) var isStreamHeld = false
  /// Content of the file; nil: unknown.
  private var saved: ProgramMemory?
  private var automatic = AutomaticProgram()
  private var pace = ProgramPace()
  /// The newest classification of the surroundings.
  private var reading = SceneReading()
  /// Frames of the last reading, by which a new one is known.
  private var frames: Int64 = -1

  /// - Parameters:
  ///   - memory: As the file has it; the first program, as prescribed, by default.
  ///   - problem: Why nothing is remembered; nil: it is.
  init(_ memory: ProgramMemory = ProgramMemory(), problem: String? = nil) {
    self.memory = memory
    self.problem = problem
    saved = memory
    if case .program(let program) = memory.choice { automatic.settle(on: program) }
  }

  /// The program that is heard.
  var program: ListeningProgram {
    switch memory.choice {
    case .automatic: automatic.program
    case .program(let program): program
    }
  }

  /// True when the file is to be written: it lacks something, or could not be written before.
  var isUnsaved: Bool { memory != saved || problem != nil }

  /// True when calls and music are to be heard.
  var isStreaming: Bool { memory.stream.isOn }

  /// Reason for which a stream that was on is off, a clause; nil: it is as it was left.
  var streamNote: String? {
    isStreamHeld ? "it was on when the aid crashed; to turn it on again: auricle stream on" : nil
  }

  /// Turns the stream off, after a crash; in the memory too, for it is to stay off through every further start.
  mutating func holdStream() {
    isStreamHeld = memory.stream.isOn
    memory.stream.isOn = false
  }

  /// Somebody has turned the stream on or off.
  mutating func decideStream() { isStreamHeld = false }

  /// Takes note of an attempt to write the file.
  mutating func note(_ written: ProgramMemory, problem: String?) {
    self.problem = problem
    isRefused = problem != nil && problem != ProgramFile.missing
    if problem == nil { saved = written }
  }

  /// Changes program, volume or tone.
  mutating func choose(_ memory: ProgramMemory) {
    self.memory = memory
    // The automatic choice goes on from the person's.
    if case .program(let program) = memory.choice { automatic.settle(on: program) }
  }

  /// Adds the time of the transition to new settings.
  ///
  /// - Parameters:
  ///   - former: In force.
  ///   - shortest: Shortest time of the transition, s.
  ///   - now: Monotonic, s.
  mutating func paced(
    _ next: HearingSettings, after former: HearingSettings, shortest: Double, now: Double
  ) -> HearingSettings { pace.settings(next, after: former, shortest: shortest, now: now) }

  /// Time until the way to the settings in force is finished, where it leads to louder sound, s.
  ///
  /// - Parameter now: Monotonic, s.
  func timeLeft(at now: Double) -> Double { pace.timeLeft(at: now) }

  /// Takes in the newest classification of the surroundings.
  ///
  /// - Parameter now: Monotonic, s.
  /// - Returns: True when the automatic choice moves to another program.
  mutating func listen(_ meters: ChainMeters, at now: Double) -> Bool {
    guard meters.frames != frames else { return false }
    // They count anew when sound was stopped and started.
    if meters.frames < frames { automatic.restart() }
    frames = meters.frames
    reading = meters.scene
    guard memory.choice == .automatic else {
      // Only so that the surroundings can be reported; the choice is the person's.
      let program = automatic.program
      if automatic.hear(meters.scene, at: now) != nil { automatic.settle(on: program) }
      return false
    }
    return automatic.hear(meters.scene, at: now) != nil
  }

  /// The report.
  ///
  /// - Parameters:
  ///   - hearing: Settings in force.
  ///   - isSounding: True while sound flows, muted or not.
  ///   - now: Monotonic, s.
  func report(_ hearing: HearingSettings, isSounding: Bool, now: Double) -> ProgramReport {
    let limits = hearing.adjustmentLimits
    let turned = hearing.adjustment
    let scene = isSounding ? ProgramReport.Scene(reading, automatic, now: now) : nil
    let reason = memory.choice == .automatic ? reason(hearing, scene, isSounding: isSounding) : nil
    return ProgramReport(
      chosen: memory.choice.word, inForce: program.word, name: program.name,
      volume: ProgramReport.Adjustment(turned.volume, limits.volume),
      tone: ProgramReport.Adjustment(turned.tone, limits.tone), scene: scene, reason: reason,
      notes: (problem.map { [Self.sentence($0)] } ?? []) + Self.held(memory.adjustment, within: limits))
  }

  /// `hears speech in noise for 12 s (72 dB SPL): conversation in noise`, for the automatic choice.
  private func reason(
    _ hearing: HearingSettings, _ scene: ProgramReport.Scene?, isSounding: Bool
  ) -> String {
    let name = program.name
    if let gap = hearing.sceneGap { return "cannot tell the surroundings, for \(gap): stays with \(name)" }
    guard isSounding else { return "hears nothing while sound is off: \(name)" }
    guard let scene else { return "is listening: \(name) meanwhile" }
    guard scene.confidence >= Double(AutomaticProgram.leastConfidence) else {
      return "hears \(scene.words), but is not sure: stays with \(name)"
    }
    guard let candidate = automatic.candidate else { return "hears \(scene.words): \(name)" }
    return "hears \(scene.words): stays with \(name) until \(candidate.name) has fitted for "
      + NumberText.duration(AutomaticProgram.patience(for: candidate))
  }

  /// Notes of values turned further than the prescription in force allows: kept for one that does, but not heard.
  private static func held(_ turned: SoundAdjustment, within limits: AdjustmentLimits) -> [String] {
    let heard = turned.held(within: limits)
    return [("volume", turned.volume, heard.volume), ("tone", turned.tone, heard.tone)].compactMap {
      name, turned, now in
      abs(turned - now) < 0.05
        ? nil
        : "A \(name) of \(NumberText.signed(turned)) dB is remembered; the prescription allows "
          + "\(NumberText.signed(now)) dB."
    }
  }

  /// A problem as a sentence, with one full stop, whatever it ends in.
  private static func sentence(_ problem: String) -> String {
    problem.prefix(1).uppercased() + problem.dropFirst() + (problem.hasSuffix(".") ? "" : ".")
  }
}

extension ProgramReport.Adjustment {
  init(_ value: Double, _ range: ClosedRange<Double>) {
    self.init(valueDB: value, leastDB: range.lowerBound, mostDB: range.upperBound)
  }
}

extension ProgramReport.Scene {
  /// Nil while nothing was made out.
  init?(_ reading: SceneReading, _ automatic: AutomaticProgram, now: Double) {
    guard let scene = reading.scene, let heard = automatic.heard else { return nil }
    self.init(
      kind: scene.word, confidence: Double(reading.confidence).finite ?? 0,
      durationSeconds: max(0, now - heard.since).finite ?? 0, levelDBSPL: Double(reading.level).finite,
      aboveBackgroundDB: Double(reading.levelAboveBackground).finite, isWindy: reading.isWindy)
  }
}

extension HearingSettings {
  /// Reason for which these bands tell no surroundings, a clause, such as "hearing.bands has no band from 4200 Hz on"; nil: they do.
  var sceneGap: String? {
    let ranges = bands.missingSceneBands.map { range -> String in
      let (least, most) = (range.lowerBound.shortText, range.upperBound.shortText)
      if range.lowerBound == 0 { return "below \(most) Hz" }
      return range.upperBound == .infinity ? "from \(least) Hz on" : "from \(least) to \(most) Hz"
    }
    return ranges.isEmpty ? nil : "hearing.bands has no band \(English.list(ranges, "and"))"
  }
}

extension Scene {
  var word: String { self == .speechInNoise ? "speech-in-noise" : "\(self)" }
}
