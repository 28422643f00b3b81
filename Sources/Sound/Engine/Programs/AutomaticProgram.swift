public import HearingDSP

/// Chooses the program by the wearer's surroundings, slowly: a word in between, a pause or a passing car changes nothing.
///
/// Every reading that is sure enough is a vote for one program for as long as it is the newest, and against all others.
/// A program that has more votes for than against it, by the time it takes to be believed, is chosen. Deterministic; time
/// is told.
///
/// - Threads: control.
public struct AutomaticProgram: Sendable {
  /// Least confidence of a reading that counts, 0…1. Own choice: more likely right than all others together.
  public static let leastConfidence: Float = 0.5
  /// Longest time that one reading stands for, s: a gap in the readings is no agreement.
  static let longestReading = 0.25
  /// Longest time without a scene that what was heard before survives, s: after each drop-out, also one that is repaired at once, the
  /// classifier tells none for 3 s, and a device that drops out now and then would never be followed. Own choice: a second more.
  static let longestGap = 4.0

  /// Program chosen.
  public private(set) var program: ListeningProgram
  /// Newest scene and since when, s.
  public private(set) var heard: (scene: Scene, since: Double)?
  /// Program that the readings speak for, if not for ``program``.
  public private(set) var candidate: ListeningProgram?
  /// Time that speaks for each program, s.
  private var votes: [ListeningProgram: Double] = [:]
  private var lastTime: Double?
  /// Time of the newest reading with a scene, s.
  private var lastScene: Double?

  /// - Parameter program: In force until another scene has lasted for long enough.
  public init(from program: ListeningProgram = .quiet) { self.program = program }

  /// Time of agreement until a program is chosen, s. Own choices, at least 5 s: music and quiet take longer, because
  /// speech has melodies and pauses.
  public static func patience(for program: ListeningProgram) -> Double {
    switch program {
    case .conversationInNoise, .outdoors, .television, .loud: 5
    case .quiet: 8
    case .music: 10
    }
  }

  /// Takes in a reading.
  ///
  /// - Parameters:
  ///   - reading: Newest of the scene.
  ///   - time: Monotonic, s.
  /// - Returns: The program to move to; nil: none.
  public mutating func hear(_ reading: SceneReading, at time: Double) -> ListeningProgram? {
    let passed = min(max(time - (lastTime ?? time), 0), Self.longestReading)
    lastTime = time
    guard let scene = reading.scene else {
      (heard, candidate) = (nil, nil)
      // Nothing is heard, or there was a long gap in the sound: the surroundings may be others.
      if let lastScene, time - lastScene > Self.longestGap { votes = [:] }
      return nil
    }
    lastScene = time
    if heard?.scene != scene { heard = (scene, time) }
    guard reading.confidence >= Self.leastConfidence else { return nil }
    let wanted = Self.program(for: scene, isWindy: reading.isWindy)
    for program in ListeningProgram.allCases {
      let change = program == wanted ? passed : -passed
      votes[program] = min(max((votes[program] ?? 0) + change, 0), Self.patience(for: program))
    }
    candidate = wanted == program ? nil : wanted
    // The last of many steps may miss the whole by a rounding.
    guard wanted != program, votes[wanted, default: 0] > Self.patience(for: wanted) - 1e-6 else {
      return nil
    }
    settle(on: wanted)
    return wanted
  }

  /// Sound has been stopped, for whatever time: ``hear(_:at:)`` is told one that stands still while the machine sleeps.
  public mutating func restart() { (heard, candidate, votes) = (nil, nil, [:]) }

  /// Goes on from a program that somebody else has chosen.
  public mutating func settle(on program: ListeningProgram) {
    self.program = program
    candidate = nil
    votes = [:]
  }

  /// Program for a scene.
  public static func program(for scene: Scene, isWindy: Bool) -> ListeningProgram {
    switch scene {
    case .quiet, .speech: isWindy ? .outdoors : .quiet
    case .speechInNoise: .conversationInNoise
    case .noise: .outdoors
    // A double bass looks like wind.
    case .music: .music
    }
  }
}
