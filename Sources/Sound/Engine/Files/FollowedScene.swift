import HearingDSP

/// The programs of a rendering: one all along, or what the automatic program makes of the sound on its way.
///
/// - Threads: `control`.
struct FollowedScene {
  /// Time between two readings, s: as live.
  private static let interval = 0.05

  /// Programs heard, and from when on, s.
  private(set) var programs: [(program: ListeningProgram, time: Double)] = []
  private var settings: HearingSettings
  private var automatic: AutomaticProgram?
  private var pace = ProgramPace()
  private var due = 0.0

  init(_ settings: HearingSettings, isFollowing: Bool) {
    self.settings = settings
    if let program = settings.program { programs = [(program, 0)] }
    automatic = isFollowing ? AutomaticProgram(from: settings.program ?? .quiet) : nil
  }

  /// Reads the scene when it is time, and moves the chain to another program when one is due.
  mutating func listen(to chain: inout LimitedChain) throws(RenderingError) {
    guard automatic != nil else { return }
    let time = Double(chain.meters.frames) / chain.geometry.sampleRate
    guard time >= due else { return }
    due += Self.interval
    guard let program = automatic?.hear(chain.meters.scene, at: time) else { return }
    var next = settings
    next.program = program
    next = pace.settings(next, after: settings, shortest: ProgramPace.byItself, now: time)
    do {
      chain.retarget(to: try next.parameters(for: chain.geometry))
    } catch {
      throw .fitting(error)
    }
    settings = next
    programs.append((program, time))
  }
}
