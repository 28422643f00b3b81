import Base
import Control
import Engine
import HearingDSP
import Synchronization

/// What the wearer turns: program, volume, tone. Remembers it, and lets the automatic program listen.
///
/// - Threads: control.
final class ListeningDial: Sendable {
  private struct State: Sendable {
    var memory = ProgramMemory()
    /// As the file has it.
    var saved: ProgramMemory?
    var automatic = AutomaticProgram()
    var pace = ProgramPace()
    /// What was heard last of the scene.
    var reading = SceneReading()
    /// Frames of the last reading, by which a new one is known.
    var frames: Int64 = -1
    /// Why nothing is remembered; nil: it is.
    var problem: String?
  }

  private let file: ProgramFile?
  private let state: Mutex<State>

  /// - Parameter path: File to remember by; nil: nothing outlasts the process.
  init(path: String?) {
    var state = State()
    file = path.map(ProgramFile.init)
    if let file {
      (state.memory, state.problem) = file.read()
    } else {
      state.problem =
        "program, volume and tone are forgotten when the daemon ends: there is no folder to keep them in"
    }
    if case .program(let program) = state.memory.choice { state.automatic.settle(on: program) }
    state.saved = state.memory
    self.state = Mutex(state)
  }

  /// What is wrong with remembering, one sentence without a full stop; nil when all is well.
  var problem: String? { state.withLock { $0.problem } }

  var memory: ProgramMemory { state.withLock { $0.memory } }

  /// The program that is heard.
  var program: ListeningProgram { state.withLock { Self.program($0) } }

  private static func program(_ state: State) -> ListeningProgram {
    switch state.memory.choice {
    case .automatic: state.automatic.program
    case .program(let program): program
    }
  }

  /// Settings with program, volume and tone as they are turned.
  func adjusted(_ hearing: HearingSettings) -> HearingSettings {
    state.withLock { state in
      var adjusted = hearing
      adjusted.program = Self.program(state)
      adjusted.adjustment = state.memory.adjustment.held(within: hearing.adjustmentLimits)
      return adjusted
    }
  }

  /// Settings with program, volume and tone, and with the time of the way to them.
  ///
  /// - Parameters:
  ///   - former: In force.
  ///   - shortest: Time that it takes at least, s.
  ///   - now: Monotonic, s.
  func adjusted(after former: HearingSettings, shortest: Double, now: Double) -> HearingSettings {
    let next = adjusted(former)
    return state.withLock { $0.pace.settings(next, after: former, shortest: shortest, now: now) }
  }

  /// Settings with the time of the way to them, for a change of another kind.
  func paced(
    _ next: HearingSettings, after former: HearingSettings, shortest: Double, now: Double
  ) -> HearingSettings {
    state.withLock { $0.pace.settings(next, after: former, shortest: shortest, now: now) }
  }

  /// Changes what is remembered; ``save()`` brings it to the disk.
  func remember(_ memory: ProgramMemory) {
    state.withLock { state in
      state.memory = memory
      // The automatic program goes on from what is heard.
      if case .program(let program) = memory.choice { state.automatic.settle(on: program) }
    }
  }

  /// Brings what is remembered to the disk, where it is not yet. Sound goes before memory: a disk that is full or
  /// does not answer does not keep anybody from turning the volume down.
  ///
  /// - Threads: the disk's.
  func save() {
    let (memory, isToBeSaved) = state.withLock { ($0.memory, $0.memory != $0.saved || $0.problem != nil) }
    guard let file, isToBeSaved else { return }
    let problem: String?
    do throws(Failure) {
      try file.write(memory)
      problem = nil
    } catch {
      problem = "this is not remembered after the daemon ends: \(error.message)"
    }
    state.withLock {
      $0.problem = problem
      if problem == nil { $0.saved = memory }
    }
  }

  /// Lets the automatic program hear a reading.
  ///
  /// - Returns: True when another program is to be applied now.
  func hear(_ meters: ChainMeters, at now: Double) -> Bool {
    state.withLock { state in
      guard meters.frames != state.frames else { return false }
      state.frames = meters.frames
      state.reading = meters.scene
      guard state.memory.choice == .automatic else {
        // Listening along, so that what is heard can be told; the choice is the person's.
        let program = state.automatic.program
        if state.automatic.hear(meters.scene, at: now) != nil { state.automatic.settle(on: program) }
        return false
      }
      return state.automatic.hear(meters.scene, at: now) != nil
    }
  }

  /// What there is to report.
  ///
  /// - Parameters:
  ///   - hearing: Settings in force.
  ///   - isSounding: Whether anything is heard.
  ///   - now: Monotonic, s.
  func report(_ hearing: HearingSettings, isSounding: Bool, now: Double) -> ProgramReport {
    let state = state.withLock { $0 }
    let limits = hearing.adjustmentLimits
    let turned = hearing.adjustment
    let program = Self.program(state)
    let scene = isSounding ? ProgramReport.Scene(state.reading, state.automatic, now: now) : nil
    let reason =
      state.memory.choice == .automatic
      ? SceneText(scene, program, candidate: state.automatic.candidate, isSounding: isSounding).sentence
      : nil
    return ProgramReport(
      chosen: state.memory.choice.word, inForce: program.word, name: program.name,
      volume: ProgramReport.Adjustment(turned.volume, limits.volume),
      tone: ProgramReport.Adjustment(turned.tone, limits.tone), scene: scene, reason: reason,
      notes: (state.problem.map { [Self.sentence($0)] } ?? [])
        + Self.held(state.memory.adjustment, within: limits))
  }

  /// What was turned further than the prescription in force allows: kept for one that does, but not heard.
  private static func held(_ wish: SoundAdjustment, within limits: AdjustmentLimits) -> [String] {
    let heard = wish.held(within: limits)
    return [("volume", wish.volume, heard.volume), ("tone", wish.tone, heard.tone)].compactMap {
      name, wish, now in
      abs(wish - now) < 0.05
        ? nil
        : "A \(name) of \(ProgramText.signed(wish)) is remembered; the prescription allows "
          + "\(ProgramText.signed(now))."
    }
  }

  /// A problem as a sentence, with one full stop, whatever it ends in.
  private static func sentence(_ problem: String) -> String {
    problem.prefix(1).uppercased() + problem.dropFirst() + (problem.hasSuffix(".") ? "" : ".")
  }
}

extension ProgramReport.Adjustment {
  init(_ value: Double, _ range: ClosedRange<Double>) {
    self.init(value: value, least: range.lowerBound, most: range.upperBound)
  }
}

extension ProgramReport.Scene {
  /// Nil while nothing was made out.
  init?(_ reading: SceneReading, _ automatic: AutomaticProgram, now: Double) {
    guard let scene = reading.scene, let heard = automatic.heard else { return nil }
    self.init(
      kind: scene.word, confidence: Double(reading.confidence), duration: max(0, now - heard.since),
      level: Double(reading.level), aboveBackground: Double(reading.levelAboveBackground),
      isWindy: reading.isWindy)
  }
}

extension Scene {
  var word: String {
    switch self {
    case .quiet: "quiet"
    case .speech: "speech"
    case .speechInNoise: "speech-in-noise"
    case .noise: "noise"
    case .music: "music"
    }
  }
}
