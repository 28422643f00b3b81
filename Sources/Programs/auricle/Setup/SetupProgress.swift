import AuricleClient
import Base
import Service

/// Steps from nothing to safe sound, in their order.
enum SetupStep: String, Codable, CaseIterable {
  /// The card, and whether it can be used.
  case devices
  /// The level that nothing exceeds from then on.
  case loudness
  /// The ear of each earphone.
  case sides
  case calibration
  case prescription
  case feedback
  case start

  /// Name in sentences.
  var words: String {
    switch self {
    case .devices: "devices"
    case .loudness: "greatest loudness"
    case .sides: "left and right"
    case .calibration: "calibration"
    case .prescription: "prescription"
    case .feedback: "feedback test"
    case .start: "start"
    }
  }
}

/// Steps that are done, in a file of the state folder: whoever leaves goes on there. What was answered
/// stands in the configuration.
struct SetupProgress: Codable, Equatable {
  /// Ground on which the steps rest: where it is another by now, they are done anew.
  struct Ground: Codable, Equatable {
    /// Path of the configuration.
    let configuration: String
    let capture: String?
    let playback: String?
    /// Greatest level that the configuration lets through, dB relative to full scale.
    let limit: Double
  }

  /// Values that the setup itself has put into the configuration, so that another one can take them back.
  struct Written: Codable, Equatable {
    /// `safety.maximum-output`, and what it was before, dB SPL.
    let maximumOutput: Double
    let former: Double
    /// `calibration.earphone.full-scale-level`, dB SPL; nil: that was left alone.
    let fullScaleLevel: Double?

    /// True for values that the configuration can have.
    var isPossible: Bool {
      [maximumOutput, former].allSatisfy { SetupRun.limits ~= $0 }
        && fullScaleLevel.map { SetupRun.possibleFullScales ~= $0 } ?? true
    }
  }

  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private(set) var schema = 101
  private(set) var done: [SetupStep] = []
  /// Level that a person has confirmed as the loudest, dB relative to full scale; nil: none yet.
  private(set) var level: Double?
  private(set) var ground: Ground?
  /// Kept when all steps are done: nil: the setup has written neither.
  var written: Written?

  /// The first step that is not done; nil: all are.
  var next: SetupStep? { SetupStep.allCases.first { !done.contains($0) } }

  /// Notes a step as done. Those behind it are to be done anew: they rest on it.
  mutating func finish(_ step: SetupStep, on ground: Ground, level: Double? = nil) {
    done = SetupStep.allCases.prefix { $0 != step } + [step]
    self.ground = ground
    if let level { self.level = level }
  }

  /// Notes a part of the next step, which rests on another ground then.
  mutating func keep(on ground: Ground, level: Double?) {
    self.ground = ground
    if let level { self.level = level }
  }

  /// Goes back: the step and those behind it are to be done anew.
  mutating func reopen(_ step: SetupStep) {
    done = Array(SetupStep.allCases.prefix { $0 != step })
    if step == .devices || step == .loudness { level = nil }
  }

  /// Goes back to what no longer rests on what it did: another configuration, other devices, a higher limit.
  mutating func settle(on present: Ground) {
    guard let ground else { return }
    guard ground.configuration == present.configuration else { return self = SetupProgress() }
    if (ground.capture, ground.playback) != (present.capture, present.playback) {
      reopen(.devices)
    } else if present.limit > ground.limit + Self.tolerance, done.contains(.loudness) {
      reopen(.loudness)
    }
  }

  /// Difference of limits that is rounding, dB.
  private static let tolerance = 0.01

  /// True for steps in their order, with a level where the loudness is done.
  var isSoundlyOrdered: Bool {
    done == Array(SetupStep.allCases.prefix(done.count)) && done.contains(.loudness) == (level != nil)
      && (done.isEmpty || ground != nil)
      && level.map { SetupRun.confirmable ~= $0 } ?? true && written?.isPossible ?? true
  }
}

/// The file of the progress.
struct SetupFile {
  private let file: StateFile<SetupProgress>

  /// - Parameter folder: The state folder.
  init(folder: String = StandardPaths.current.stateDirectory) {
    file = StateFile(folder + "/setup.json", limit: 1 << 12)
  }

  /// Reads it; one that is missing, damaged or somebody else's tells of no step.
  func read() -> SetupProgress {
    guard let progress = file.trusted(), progress.isSoundlyOrdered else { return SetupProgress() }
    return progress
  }

  /// - Throws: ``Failure``; the file is then as it was.
  func write(_ progress: SetupProgress) throws(Failure) {
    try StateFolder.prepare(for: file.path)
    try file.write(progress)
  }
}
