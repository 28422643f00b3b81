import Base
import Control
import Engine
import Prescriptions

@testable import Service

/// A daemon's state on a timeline: events at moments that the test tells, without threads, clocks or
/// devices.
///
/// The disk answers at once unless ``isDiskStalled``; the engine says what ``engine(_:_:)`` is given.
final class Timeline {
  static let peer = {
    var peer = Peer(processID: 7, userID: 1000, groupID: 1000, connection: 1)
    peer.roles = [.wearer, .operator, .owner]
    return peer
  }()

  var state: ServiceState
  /// Monotonic, s; the other clocks go along.
  var now: Double
  private let start: Moment
  private var asleep = 0.0
  /// Effects of the last event.
  private(set) var effects: [Effect] = []
  private(set) var answers: [RequestID: Answer] = [:]
  /// Lines of the log so far.
  private(set) var log: [String] = []
  let disk: ServiceDisk?
  var isDiskStalled = false
  private var stalled: [DiskJob] = []
  private var count: RequestID = 0

  /// - Parameter disk: Nil: results are handed in by the test.
  init(
    _ state: ServiceState = ServiceState(ServiceState.Facts(started: .at(100))), disk: ServiceDisk? = nil
  ) {
    self.state = state
    self.disk = disk
    now = state.now.monotonic
    start = state.now
  }

  // MARK: - Events

  /// Lets an event happen, with everything that the disk makes of it.
  func happen(_ event: Event) {
    var events = [event]
    effects = []
    while !events.isEmpty {
      for effect in state.handle(events.removeFirst(), at: moment) {
        effects.append(effect)
        switch effect {
        case .answer(let id, let answer): answers[id] = answer
        case .log(let line): log.append("\(line.level.rawValue): \(line.message)")
        case .disk(_, let job):
          if let disk, !isDiskStalled { events.append(.disk(job(disk))) } else { stalled.append(job) }
        default: break
        }
      }
    }
  }

  private var moment: Moment {
    let passed = now - start.monotonic + asleep
    return Moment(monotonic: now, running: start.running + passed, wall: start.wall + passed)
  }

  /// Lets the machine sleep: the monotonic clock stands still meanwhile.
  func sleep(_ seconds: Double) {
    asleep += seconds
    happen(.time)
  }

  /// Lets time pass.
  func pass(_ seconds: Double) {
    now += seconds
    happen(.time)
  }

  /// - Returns: Its answer; nil while it waits.
  @discardableResult func ask<Method: ControlMethod>(
    _ method: Method, from peer: Peer = Timeline.peer
  ) -> Result<Method.Reply, Failure>? {
    count += 1
    happen(.control(.request(count, method, from: peer)))
    return answer(to: Method.self)
  }

  /// The answer to the request that was asked last; nil while it waits.
  ///
  /// - Parameter earlier: Requests since; 0: the last one.
  func answer<Method: ControlMethod>(
    to _: Method.Type, before earlier: RequestID = 0
  ) -> Result<Method.Reply, Failure>? {
    answers[count - earlier]?.map { reply in
      guard let reply = reply as? Method.Reply else { preconditionFailure("\(Method.name): \(reply)") }
      return reply
    }
  }

  var isAnswered: Bool { answers[count] != nil }

  /// A notice of the engine with this state.
  func engine(_ audio: AidState, _ change: (inout AudioNotice) -> Void = { _ in }) {
    var notice = state.audio
    notice.state = audio
    change(&notice)
    happen(.audio(notice))
  }

  /// Lets the disk do what it has left undone.
  func releaseDisk() {
    isDiskStalled = false
    while let disk, !stalled.isEmpty { happen(.disk(stalled.removeFirst()(disk))) }
  }

  // MARK: - Looking

  var orders: [SoundControl.Order] {
    effects.compactMap { if case .sound(let order) = $0 { order } else { nil } }
  }

  var notices: [ServiceNotice] {
    effects.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
  }

  var end: (status: ExitStatus, isOrderly: Bool)? {
    effects.lazy.compactMap {
      if case .end(let status, let isOrderly) = $0 { (status, isOrderly) } else { nil }
    }
    .first
  }

  /// Settings that were handed to the engine.
  var applied: HearingSettings? {
    effects.compactMap {
      switch $0 {
      case .apply(let hearing): hearing
      case .replace(let settings): settings.hearing
      default: nil
      }
    }.last
  }
}

extension Moment {
  /// The same on all clocks.
  static func at(_ seconds: Double) -> Moment {
    Moment(monotonic: seconds, running: seconds, wall: seconds)
  }
}

extension Timeline {
  /// One whose sound flows.
  static func running(
    _ state: ServiceState = ServiceState(ServiceState.Facts(started: .at(100)))
  ) -> Timeline {
    let timeline = Timeline(state)
    timeline.happen(.begin)
    timeline.engine(.running)
    return timeline
  }
}
