import Control
import Glibc

/// A daemon's silence while its devices are needed, and its sound afterwards.
///
/// - Threads: one at a time.
struct SoundPause {
  /// Longest that a daemon may take to give its devices back, s: twice what it gives itself to end.
  private static let patience = 2.0

  private let socket: String?
  private let configurationFile: String?
  private let wasSounding: Bool
  private let wasMuted: Bool
  private let hadDaemon: Bool
  /// Whether the daemon has gone with its sound, as one does that `auricle start` began.
  let hasDaemonEnded: Bool

  /// Asks for silence and waits until the devices are free.
  ///
  /// - Parameter client: Of the daemon that runs; nil: none does.
  /// - Throws: ``Failure`` when it may not be asked, or does not fall silent.
  init(_ client: ControlClient?, socket: String?, configurationFile: String?) throws(Failure) {
    self.socket = socket
    hadDaemon = client != nil
    guard let client else {
      self.configurationFile = configurationFile
      (wasSounding, wasMuted, hasDaemonEnded) = (false, false, false)
      return
    }
    let report = try client.status()
    self.configurationFile = configurationFile ?? report.configurationFile
    wasSounding = report.state.name != .stopped
    wasMuted = report.state.isMuted
    var hasEnded = false
    if wasSounding {
      _ = try client.stop()
      hasEnded = try Self.waitForSilence(client)
    }
    hasDaemonEnded = hasEnded
  }

  /// - Returns: Whether the daemon has ended instead.
  private static func waitForSilence(_ client: ControlClient) throws(Failure) -> Bool {
    for _ in 0..<Int(patience / 0.05) {
      do throws(Failure) {
        // One that is about to end hangs up meanwhile.
        if try client.status().state.name == .stopped, try client.nextNotification(timeout: 0.5) == nil {
          return false
        }
      } catch {
        return true
      }
      usleep(50_000)
    }
    throw Failure(
      "auricled", found: "that it does not fall silent", expected: "free devices", exit: .temporary)
  }

  /// The playback device as this command's alone, where no daemon has it.
  ///
  /// - Throws: ``Failure`` when another daemon plays on it.
  func claim(of device: String?) throws(Failure) -> PlaybackClaim? {
    guard !hadDaemon || hasDaemonEnded, let device else { return nil }
    do throws(Failure) {
      return try PlaybackClaim(device, in: StandardPaths.current.runtimeDirectory)
    } catch {
      // A folder for locks that cannot be used keeps nobody from measuring; a daemon that plays does.
      if error.exitStatus == .temporary { throw error }
      return nil
    }
  }

  /// Lets sound flow again if it did.
  ///
  /// - Throws: ``Failure`` when it does not begin.
  func end() throws(Failure) {
    guard wasSounding else { return }
    let client: ControlClient
    if hasDaemonEnded {
      client = try BackgroundDaemon(socket: socket, configurationFile: configurationFile).started()
    } else {
      client = try ControlClient(path: socket ?? Self.path)
      _ = try client.start()
    }
    // A mute ends with its daemon; the wearer's wish does not.
    if wasMuted { _ = try client.mute() }
  }

  private static var path: String {
    StandardPaths.current.clientSocket(explicit: nil) { access($0, F_OK) == 0 }
  }
}
