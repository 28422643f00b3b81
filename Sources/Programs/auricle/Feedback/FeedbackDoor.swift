import Base
import Control
import Engine
import Glibc
import Service

/// The way to what was measured of feedback: through the daemon, or straight to the file when none runs.
enum FeedbackDoor {
  case daemon(ControlClient)
  case file

  /// Connects to the daemon, or opens the book where none runs.
  ///
  /// - Throws: ``Failure`` when a daemon is there but may not be asked, or a socket was named and nobody answers.
  init(_ socket: SocketOption) throws(Failure) {
    do throws(Failure) {
      self = .daemon(try socket.client())
    } catch {
      guard error.exitStatus == .unavailable, socket.socket == nil else { throw error }
      self = .file
    }
  }

  var client: ControlClient? { if case .daemon(let client) = self { client } else { nil } }

  private static var kept: FeedbackFile { FeedbackFile(folder: StandardPaths.current.stateDirectory) }

  /// Settings in force: the configuration, the daemon's own where it runs, and the prescription.
  func settings(
    with configuration: ConfigurationOption, _ socket: SocketOption
  ) throws(ConfigurationFailures) -> AidSettings {
    let worn = configuration.file ?? (try? client?.status())?.configurationFile
    let loaded = try ConfigurationSearch(explicit: worn).load().get()
    var settings = try AidSettings(loaded)
    do throws(Failure) {
      _ = try settings.hearing.followPrescription(by: socket)
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    return settings
  }

  /// The measurement that is kept.
  func report(
    with configuration: ConfigurationOption, _ socket: SocketOption
  ) throws(ConfigurationFailures) -> StatusReport.Feedback {
    do throws(Failure) {
      if let report = try client?.status().feedback { return report }
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    let (record, problem) = Self.kept.read()
    var hearing = try settings(with: configuration, socket).hearing
    hearing.feedback.measurements = record.measurements
    return StatusReport.Feedback(hearing, notes: [problem].compactMap(\.self))
  }

  /// Keeps or forgets.
  func change(
    _ call: FeedbackCall, with configuration: ConfigurationOption, _ socket: SocketOption
  ) throws(ConfigurationFailures) -> FeedbackAnswer {
    do throws(Failure) {
      if let client { return try client.change(call) }
      switch call {
      case .keep(let record): try Self.kept.write(record.over(Self.kept.read().record))
      case .clear: try Self.kept.clear()
      // Without a daemon the devices are nobody's.
      case .borrow, .renew, .giveBack: break
      }
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    let message =
      call == .clear
      ? "Forgotten: feedback limits nothing now." : "Kept; it limits the gain from now on."
    return FeedbackAnswer(message: message, feedback: try report(with: configuration, socket))
  }
}
