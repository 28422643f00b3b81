import Base
import Control
import Engine
import Service

/// The way to measured feedback: through the daemon, or straight to the file when none runs.
struct FeedbackDoor {
  /// Of the daemon; nil: none runs.
  let client: ControlClient?
  private let configuration: ConfigurationOption
  private let socket: SocketOption
  private let file = FeedbackFile(folder: StandardPaths.current.stateDirectory)

  /// Connects to the daemon, where one runs.
  ///
  /// - Throws: ``Failure`` when a daemon is there but may not be asked, or a socket was named and nobody
  ///   answers.
  init(_ configuration: ConfigurationOption, _ socket: SocketOption) throws(Failure) {
    (self.configuration, self.socket) = (configuration, socket)
    do throws(Failure) {
      client = try socket.client()
    } catch {
      guard error.exitStatus == .unavailable, socket.socket == nil else { throw error }
      client = nil
    }
  }

  /// Settings in force where no daemon runs: the configuration, and the prescription.
  func settings() throws(ConfigurationFailures) -> AidSettings {
    var settings = try AidSettings(try ConfigurationSearch(explicit: configuration.file).load().get())
    do throws(Failure) {
      _ = try settings.hearing.followPrescription(by: socket)
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    return settings
  }

  /// The measurement that is kept.
  func report() throws(ConfigurationFailures) -> StatusReport.Feedback {
    do throws(Failure) {
      if let report = try client?.ask(ReportMethods.Status()).feedback { return report }
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
    let (record, problem) = file.read()
    var hearing = try settings().hearing
    hearing.feedback.measurements = record.measurements
    return StatusReport.Feedback(hearing, notes: [problem].compactMap(\.self))
  }

  /// Keeps what was measured where no daemon runs.
  func keep(_ record: FeedbackRecord) throws(Failure) { try file.write(record.over(file.read().record)) }

  /// Removes the measurement.
  func clear() throws(Failure) {
    if let client { _ = try client.ask(FeedbackMethods.Clear()) } else { try file.clear() }
  }
}
