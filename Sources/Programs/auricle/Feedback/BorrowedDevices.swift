import Base
import Control
import Glibc
import Realtime
import Service

/// The sound devices during a feedback test, released by the daemon where one runs.
///
/// The daemon takes them back, and sounds as before, when this process ends, whatever ends it; see
/// ``DeviceLoan``.
///
/// - Threads: one at a time.
final class BorrowedDevices {
  /// Longest that a daemon may take to give its devices away, s: twice what it gives itself to end.
  private static let patience = 2.0
  /// Time between two renewals, s: also the longest that a test goes on whose devices are taken back.
  private static let interval = 0.5

  private let client: ControlClient?
  private var renewalDue = 0.0
  /// Why the daemon has taken them back; nil: it has not.
  private(set) var loss: Failure?

  /// Asks for them and waits until they are free.
  ///
  /// - Parameter client: Of the daemon that runs; nil: none does.
  /// - Throws: ``Failure`` when it may not be asked, or does not fall silent.
  init(_ client: ControlClient?) throws(Failure) {
    self.client = client
    guard let client else { return }
    var loan = try client.ask(FeedbackMethods.Borrow())
    for _ in 0..<Int(Self.patience / 0.05) where !loan.areDevicesFree {
      usleep(50_000)
      loan = try client.ask(FeedbackMethods.Renew())
    }
    guard !loan.areDevicesFree else { return }
    throw Failure(
      "auricled", inWords: "The daemon does not release the devices", exit: .temporary)
  }

  /// Keeps them, as often as that is due.
  ///
  /// - Returns: False once the daemon has taken them back.
  func keep() -> Bool {
    guard let client, loss == nil, SystemTime.monotonic >= renewalDue else { return loss == nil }
    do throws(Failure) {
      _ = try client.ask(FeedbackMethods.Renew())
      renewalDue = SystemTime.monotonic + Self.interval
    } catch {
      loss = error
    }
    return loss == nil
  }

  /// The playback device as this command's alone, where no daemon has it.
  ///
  /// - Throws: ``Failure`` when another daemon plays on it.
  func claim(of device: String?) throws(Failure) -> PlaybackClaim? {
    guard client == nil, let device else { return nil }
    do throws(Failure) {
      return try PlaybackClaim(device, in: StandardPaths.current.runtimeDirectory)
    } catch {
      // A folder for locks that cannot be used keeps nobody from measuring; a daemon that plays does.
      if error.exitStatus == .temporary { throw error }
      return nil
    }
  }

  /// Gives them back: what sounded before sounds again.
  ///
  /// - Throws: ``Failure`` when the daemon does not answer.
  func giveBack() throws(Failure) {
    if loss == nil { _ = try client?.ask(FeedbackMethods.Return()) }
  }
}
