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
  /// - Throws: ``Failure`` when a daemon is there but may not be asked, or a socket was named and nobody
  ///   answers.
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
    let worn = configuration.file ?? (try? client?.ask(ReportMethods.Status()))?.configurationFile
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
      if let report = try client?.ask(ReportMethods.Status()).feedback { return report }
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    let (record, problem) = Self.kept.read()
    var hearing = try settings(with: configuration, socket).hearing
    hearing.feedback.measurements = record.measurements
    return StatusReport.Feedback(hearing, notes: [problem].compactMap(\.self))
  }

  /// Keeps what was measured, or forgets all.
  ///
  /// - Parameter record: Nil: forgets.
  func change(
    to record: FeedbackRecord?, with configuration: ConfigurationOption, _ socket: SocketOption
  ) throws(ConfigurationFailures) -> FeedbackAnswer {
    do throws(Failure) {
      switch (client, record) {
      case (let client?, let record?): return try client.ask(FeedbackMethods.Keep(record))
      case (let client?, nil): return try client.ask(FeedbackMethods.Clear())
      case (nil, let record?): try Self.kept.write(record.over(Self.kept.read().record))
      case (nil, nil): try Self.kept.clear()
      }
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    let message =
      record == nil
      ? "Forgotten: feedback limits nothing now." : "Kept; it limits the gain from now on."
    return FeedbackAnswer(message: message, feedback: try report(with: configuration, socket))
  }
}
