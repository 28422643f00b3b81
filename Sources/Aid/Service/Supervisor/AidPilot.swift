import CLinux
import Control
import Engine
import Synchronization

/// Brings an aid to where it is wished to be, without ever waiting for its audio thread.
///
/// Opening a device can take seconds, and a thread that opens one cannot be told to stop. Wishes are therefore
/// noted at once, and ``steer()`` is called again and again until they have come true.
///
/// - Threads: control; ``steer()`` on one thread only.
final class AidPilot: Sendable {
  /// Where the aid is wished to be.
  enum Wish: Sendable { case silent, sounding }

  private struct Plan {
    var wish = Wish.silent
    /// The devices are to be closed first, because they, or what went wrong, belong to the past.
    var reopens = false
    /// An audio thread exists.
    var isActive = false
    /// Since when that has been asked to end: it does, whatever is wished meanwhile, and another must be made then.
    var ending: ContinuousClock.Instant?
    /// Why no thread could be had.
    var refusal: String?
    /// Who has the devices meanwhile, a clause; the wish waits. Nil: nobody else.
    var loan: String?

    /// Whether a thread is to exist.
    var isToSound: Bool { wish == .sounding && loan == nil }
  }

  /// Time after which a device that does not close is told of: longer than the longest buffer takes to fade out. Own choice.
  static let closing = Duration.seconds(2)

  let aid: HearingAid
  private let plan = Mutex(Plan())

  init(_ aid: HearingAid) { self.aid = aid }

  /// Wishes for sound. A fault is left behind, and a wait for the device cut short.
  func requestSound() {
    let isStuck =
      switch aid.state {
      case .faulted, .waitingForDevice: true
      case .stopped, .starting, .running, .muted: false
      }
    plan.withLock { plan in
      plan.wish = .sounding
      plan.refusal = nil
      if isStuck { plan.reopens = true }
    }
  }

  /// Wishes for silence and free devices.
  func requestSilence() {
    plan.withLock {
      $0.wish = .silent
      $0.reopens = false
    }
  }

  /// Wishes that devices are closed and opened again, if they are in use.
  func requestReopening() { plan.withLock { if $0.isActive { $0.reopens = true } } }

  /// Gives the devices away for a while; what is wished stays wished.
  ///
  /// - Parameter reason: Who has them, a clause: told as what is waited for.
  func lend(because reason: String) {
    plan.withLock {
      $0.loan = reason
      $0.reopens = false
    }
  }

  /// Ends that: what was wished before, or meanwhile, comes true.
  func takeBack() { plan.withLock { $0.loan = nil } }

  /// Goes one step towards the wish.
  func steer() {
    plan.withLock { plan in
      if plan.isActive, !plan.isToSound || plan.reopens || plan.ending != nil {
        if plan.ending == nil { plan.ending = .now }
        aid.requestStop()
        guard aid.state == .stopped else { return }
        // The thread has given the devices back and is about to end: this does not wait.
        aid.stop()
        plan.isActive = false
        plan.ending = nil
        plan.reopens = false
      }
      if plan.isToSound, !plan.isActive, plan.refusal == nil {
        do {
          try aid.start()
          plan.isActive = true
        } catch {
          plan.refusal = "no audio thread can be made: \(error)"
        }
      }
    }
  }

  /// Whether the wish has come true as far as it lies with this program.
  var isSettled: Bool {
    plan.withLock { plan in
      plan.isToSound
        ? plan.refusal != nil || (plan.isActive && !plan.reopens && plan.ending == nil)
        : !plan.isActive
    }
  }

  /// Whether no audio thread is left.
  var isAtRest: Bool { plan.withLock { !$0.isActive } }

  /// The aid's state, seen from the wish: a thread that is only ending counts as stopped.
  var state: AidState {
    let plan = plan.withLock { $0 }
    if let refusal = plan.refusal { return .faulted(reason: refusal) }
    if plan.wish == .silent { return .stopped }
    if let loan = plan.loan { return .waitingForDevice(reason: loan) }
    let state = aid.state
    guard let ending = plan.ending else {
      // Between two threads.
      return state == .stopped || !plan.isActive ? .starting : state
    }
    // A thread that is to end says nothing of what is to come, but why it cannot end it may know.
    if case .waitingForDevice = state { return state }
    return ending.duration(to: .now) < Self.closing
      ? .starting : .waitingForDevice(reason: "the sound device that was used before does not close")
  }
}
