import Base
import Control
import Engine
import Glibc
import Testing

@testable import Service

/// Every state of the sound against every event that can meet it.
@Suite("Every state and every event") struct StateTableTests {
  enum Situation: String, CaseIterable {
    case stopped, starting, running, muted, waiting, faulted
    /// Stopped, while the thread has not ended yet.
    case closing
    /// A feedback test in place of the sound that flowed.
    case testing
    /// A feedback test of a daemon that was stopped.
    case quiet
    /// The result of a feedback test waits for the disk.
    case keeping
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
      case .testing: timeline.ask(FeedbackMethods.Measure())
      case .quiet:
        timeline = Timeline()
        timeline.ask(FeedbackMethods.Measure())
        timeline.engine(.running)
      case .keeping:
        timeline.ask(FeedbackMethods.Measure())
        timeline.happen(.test(1, .ended(.success(FeedbackRecord(left: FeedbackMethodTests.ear())))))
      case .ending: timeline.ask(SoundMethods.Shutdown())
      }
      return timeline
    }
  }

  private static func request(_ method: any ControlMethod) -> Event {
    .control(.request(90, method, from: Timeline.peer))
  }

  static let events: [(name: String, event: Event)] = [
    ("start", request(SoundMethods.Start())), ("stop", request(SoundMethods.Stop())),
    ("mute", request(SoundMethods.Mute())), ("unmute", request(SoundMethods.Unmute())),
    ("reload", request(SoundMethods.Reload())), ("shutdown", request(SoundMethods.Shutdown())),
    ("status", request(ReportMethods.Status())), ("devices", request(ReportMethods.Devices())),
    ("route", request(RouteMethods.Show())),
    ("try", request(RouteMethods.Try(capture: nil, playback: "hw:9"))),
    ("keep", request(RouteMethods.Keep())), ("back", request(RouteMethods.Back())),
    ("book", request(PrescriptionMethods.List())), ("volume", request(ProgramMethods.Volume(.by(-2)))),
    ("programs", request(ProgramMethods.List())), ("measure", request(FeedbackMethods.Measure())),
    ("end-test", request(FeedbackMethods.Stop())),
    ("clear", request(FeedbackMethods.Clear())), ("version", request(ReportMethods.Version())),
    ("gone", .control(.gone(Timeline.peer))),
    ("SIGTERM", .signal(SIGTERM)),
    ("SIGHUP", .signal(SIGHUP)),
    ("SIGUSR1", .signal(SIGUSR1)),
    ("idle", .audio(AudioNotice())),
    ("sounds", .audio(AudioNotice(state: .running))),
    ("waits", .audio(AudioNotice(state: .waitingForDevice(reason: "none")))),
    ("faults", .audio(AudioNotice(state: .faulted(reason: "broken")))),
    ("no-thread", .soundRefused("no memory")),
    ("progress", .test(1, .progress(FeedbackNotice(share: 0.5)))),
    ("result", .test(1, .ended(.success(FeedbackRecord(left: FeedbackMethodTests.ear()))))),
    ("no-result", .test(1, .ended(.failure(.dropOuts)))),
    ("lost", .socketLost), ("replaced", .programReplaced),
    ("done", .disk({ _ in })),
    ("line", .line(LogLine(.error, "x"))),
    ("time", .time),
  ]

  /// For each event and situation the state that is reported then, and: `s` the engine is told to start,
  /// `q` to end, `j` to take leave of its thread, `o` to open devices in silence; `m` a feedback test measures,
  /// `x` is ended, `t` its caller is told; `a` a request is answered at once; `E` the daemon is ending.
  private static let table = """
    event     stopped   starting running  muted    waiting faulted closing testing   quiet     keeping ending
    start     start/s   start    run/a    mute/a   wait/q  start/q start   wait/a    wait/sa   run/a   stop/aE
    stop      stop/a    stop/q   stop/q   stop/q   stop/q  stop/q  stop    stop/qxt  stop/qxt  stop/q  stop/E
    mute      stop/a    start/a  mute/a   mute/a   wait/a  fault/a stop/a  mute/xta  stop/qxta mute/a  stop/aE
    unmute    stop/a    start/a  run/a    run/a    wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    reload    stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    shutdown  stop/aE   stop/qE  stop/qE  stop/qE  stop/qE stop/qE stop/E  stop/qxtE stop/qxtE stop/qE stop/E
    status    stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    devices   stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    route     stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    try       stop/a    start    run      mute     wait    fault   stop/a  wait/a    stop/a    run/a   stop/aE
    keep      stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    back      stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    book      stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    volume    stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    programs  stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    measure   stop/otma wait/tma wait/tma wait/tma wait/qa wait/qa stop/a  wait/a    stop/a    run/a   stop/aE
    end-test  stop/a    start    run/a    mute/a   wait/a  fault/a stop    run/xta   stop/qxt  run/a   stop/E
    clear     stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    version   stop/a    start/a  run/a    mute/a   wait/a  fault/a stop/a  wait/a    stop/a    run/a   stop/aE
    gone      stop      start    run      mute     wait    fault   stop    run/xt    stop/qxt  run     stop/E
    SIGTERM   stop/E    stop/qE  stop/qE  stop/qE  stop/qE stop/qE stop/E  stop/qxtE stop/qxtE stop/qE stop/E
    SIGHUP    stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    SIGUSR1   stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    idle      stop      start    start    start    start   start   stop/j  wait      stop      start   stop/jE
    sounds    stop      run      run      run      run     run     stop    wait      stop      run     stop/E
    waits     stop      wait     wait     wait     wait    wait    stop    wait      stop      wait    stop/E
    faults    stop      fault    fault    fault    fault   fault   stop    wait      stop      fault   stop/E
    no-thread fault     fault    fault    fault    fault   fault   fault   fault/xt  stop/xt   fault   fault/E
    progress  stop      start    run      mute     wait    fault   stop    wait/t    stop/t    run     stop/E
    result    stop      start    run      mute     wait    fault   stop    run       stop/q    run     stop/E
    no-result stop      start    run      mute     wait    fault   stop    run/xt    stop/qxt  run     stop/E
    lost      stop/E    stop/qE  stop/qE  stop/qE  stop/qE stop/qE stop/E  stop/qxtE stop/qxtE stop/qE stop/E
    replaced  stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    done      stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    line      stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
    time      stop      start    run      mute     wait    fault   stop    wait      stop      run     stop/E
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
      case .startSilently: "o"
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
    var effects = ""
    for effect in timeline.effects {
      switch effect {
      case .measure: effects += "m"
      case .endTest: effects += "x"
      case .tell: effects += "t"
      default: break
      }
    }
    let marks =
      orders + effects + (timeline.answers[90] == nil ? "" : "a")
      + (timeline.state.ending == nil ? "" : "E")
    return name + (marks.isEmpty ? "" : "/" + marks)
  }
}
