import Base
import Control
import Engine
import Testing

@testable import Service

/// Every state of the sound against every event that can meet it.
@Suite("Every state and every event") struct StateTableTests {
  enum Situation: String, CaseIterable {
    case stopped, starting, running, muted, waiting, faulted
    /// Stopped, while the thread has not ended yet.
    case closing
    /// The devices are a feedback test's.
    case lent
    /// On the way to the end.
    case ending

    func timeline() -> Timeline {
      var timeline = Timeline.running()
      switch self {
      case .running: break
      case .stopped:
        timeline.ask(SoundMethods.Stop())
        timeline.engine(.stopped)
      case .starting:
        timeline = Timeline()
        timeline.happen(.begin)
      case .muted: timeline.ask(SoundMethods.Mute())
      case .waiting: timeline.engine(.waitingForDevice(reason: "none"))
      case .faulted: timeline.engine(.faulted(reason: "broken"))
      case .closing: timeline.ask(SoundMethods.Stop())
      case .lent:
        timeline.ask(FeedbackMethods.Borrow())
        timeline.engine(.stopped)
      case .ending: timeline.ask(SoundMethods.Shutdown())
      }
      return timeline
    }
  }

  private static func request(_ method: any ControlMethod) -> Event {
    .request(90, method, from: Timeline.peer)
  }

  static let events: [(name: String, event: Event)] = [
    ("start", request(SoundMethods.Start())), ("stop", request(SoundMethods.Stop())),
    ("mute", request(SoundMethods.Mute())), ("unmute", request(SoundMethods.Unmute())),
    ("reload", request(SoundMethods.Reload())), ("shutdown", request(SoundMethods.Shutdown())),
    ("status", request(ReportMethods.Status())), ("devices", request(ReportMethods.Devices())),
    ("book", request(PrescriptionMethods.List())), ("volume", request(ProgramMethods.Volume(.by(-2)))),
    ("programs", request(ProgramMethods.List())), ("borrow", request(FeedbackMethods.Borrow())),
    ("renew", request(FeedbackMethods.Renew())), ("return", request(FeedbackMethods.Return())),
    ("clear", request(FeedbackMethods.Clear())), ("version", request(ReportMethods.Version())),
    ("gone", .gone(Timeline.peer)),
    ("SIGTERM", .signal(.terminate)),
    ("SIGHUP", .signal(.reload)),
    ("SIGUSR1", .signal(.dump)),
    ("idle", .audio(AudioNotice())),
    ("sounds", .audio(AudioNotice(state: .running))),
    ("waits", .audio(AudioNotice(state: .waitingForDevice(reason: "none")))),
    ("faults", .audio(AudioNotice(state: .faulted(reason: "broken")))),
    ("no-thread", .soundRefused("no memory")),
    ("lost", .socketLost),
    ("done", .disk({ _ in })),
    ("line", .line(LogLine(.error, "x"))),
    ("time", .time),
  ]

  /// For each event and situation the state that is reported then, and: `s` the engine is told to start,
  /// `q` to end, `j` to take leave of its thread; `a` a request is answered at once; `E` the daemon is
  /// ending.
  private static let table = """
    event      stopped  starting running  muted    waiting  faulted  closing  lent     ending
    start      start/s  start    run/a    mute/a   wait/q   start/q  start    wait/a   stop/E
    stop       stop/a   stop/q   stop/q   stop/q   stop/q   stop/q   stop     stop/a   stop/E
    mute       stop/a   start/a  mute/a   mute/a   wait/a   fault/a  stop/a   start/sa stop/aE
    unmute     stop/a   start/a  run/a    run/a    wait/a   fault/a  stop/a   wait/a   stop/aE
    reload     stop     start    run      mute     wait     fault    stop     wait     stop/E
    shutdown   stop/aE  stop/qE  stop/qE  stop/qE  stop/qE  stop/qE  stop/E   stop/aE  stop/E
    status     stop/a   start/a  run/a    mute/a   wait/a   fault/a  stop/a   wait/a   stop/aE
    devices    stop     start    run      mute     wait     fault    stop     wait     stop/E
    book       stop     start    run      mute     wait     fault    stop     wait     stop/E
    volume     stop     start    run      mute     wait     fault    stop     wait     stop/E
    programs   stop/a   start/a  run/a    mute/a   wait/a   fault/a  stop/a   wait/a   stop/aE
    borrow     stop/a   wait/q   wait/q   wait/q   wait/q   wait/q   stop     wait/a   stop/E
    renew      stop/a   start/a  run/a    mute/a   wait/a   fault/a  stop/a   wait/a   stop/aE
    return     stop/a   start    run/a    mute/a   wait/a   fault/a  stop     start/s  stop/E
    clear      stop     start    run      mute     wait     fault    stop     wait     stop/E
    version    stop/a   start/a  run/a    mute/a   wait/a   fault/a  stop/a   wait/a   stop/aE
    gone       stop     start    run      mute     wait     fault    stop     start/s  stop/E
    SIGTERM    stop/E   stop/qE  stop/qE  stop/qE  stop/qE  stop/qE  stop/E   stop/E   stop/E
    SIGHUP     stop     start    run      mute     wait     fault    stop     wait     stop/E
    SIGUSR1    stop     start    run      mute     wait     fault    stop     wait     stop/E
    idle       stop     start    start    start    start    start    stop/j   wait     stop/jE
    sounds     stop     run      run      run      run      run      stop     wait     stop/E
    waits      stop     wait     wait     wait     wait     wait     stop     wait     stop/E
    faults     stop     fault    fault    fault    fault    fault    stop     wait     stop/E
    no-thread  fault    fault    fault    fault    fault    fault    fault    fault    fault/E
    lost       stop/E   stop/qE  stop/qE  stop/qE  stop/qE  stop/qE  stop/E   stop/E   stop/E
    done       stop     start    run      mute     wait     fault    stop     wait     stop/E
    line       stop     start    run      mute     wait     fault    stop     wait     stop/E
    time       stop     start    run      mute     wait     fault    stop     wait     stop/E
    """

  private static let expected: [String: [String: String]] = {
    let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let situations = lines[0].dropFirst()
    return Dictionary(
      uniqueKeysWithValues: lines.dropFirst().map { line in
        (line[0], Dictionary(uniqueKeysWithValues: zip(situations, line.dropFirst())))
      })
  }()

  @Test("the state after it, the engine's orders, and the answer", arguments: Situation.allCases)
  func meets(_ situation: Situation) {
    for (name, event) in Self.events {
      let timeline = situation.timeline()
      timeline.happen(event)
      #expect(Self.summary(timeline) == Self.expected[name]?[situation.rawValue], "\(name)")
    }
  }

  @Test("no event is left out")
  func complete() { #expect(Set(Self.events.map(\.name)) == Set(Self.expected.keys)) }

  private static func summary(_ timeline: Timeline) -> String {
    let orders = timeline.orders.map { order in
      switch order {
      case .start: "s"
      case .requestStop: "q"
      case .join: "j"
      }
    }.joined()
    let name =
      switch timeline.state.told.name {
      case .stopped: "stop"
      case .starting: "start"
      case .running: "run"
      case .muted: "mute"
      case .waitingForDevice: "wait"
      case .faulted: "fault"
      }
    let marks =
      orders + (timeline.answers[90] == nil ? "" : "a") + (timeline.state.ending == nil ? "" : "E")
    return name + (marks.isEmpty ? "" : "/" + marks)
  }
}
