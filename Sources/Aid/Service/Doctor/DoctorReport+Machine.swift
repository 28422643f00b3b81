import Base
import Control
import Engine

extension DoctorReport {
  /// Examines a machine: one finding per fact, in the order in which sound depends on them.
  ///
  /// - Parameter loop: Outcome of a measurement of the loop's delay; nil, the default: none was asked for.
  package init(_ machine: Machine, loop: Result<StatusReport.Feedback, Failure>? = nil) {
    var findings: [Finding] = []
    switch machine.configuration {
    case .success(let loaded):
      let prescription = Self.bookPrescription(machine)
      let settings = Result { () throws(ConfigurationFailures) in
        try AidSettings.reading(loaded, isAudiogramHeard: prescription == nil)
      }
      findings += Self.configuration(loaded, settings, prescription: prescription, machine)
      findings += Self.devices(machine, loaded)
      findings += Self.jacks(machine)
      findings += Self.volume(machine, (try? settings.get())?.settings.hearing, loaded)
    case .failure(let error):
      // Which devices it names is not known.
      findings += error.failures.map { Self.finding("configuration", $0) } + [Self.cards(machine)]
    }
    findings += Self.priority(machine) + Self.kernel(machine) + Self.daemon(machine)
    findings += Self.sound(machine)
    findings += loop.map { [Self.loop($0)] } ?? []
    findings += Self.files(machine)
    self.init(
      findings: findings,
      loop: (try? loop?.get()).map { Loop(left: $0.left.delay, right: $0.right.delay) })
  }

  static func finding(_ subject: String, _ failure: Failure) -> Finding {
    let expected = failure.expected.map { ", expected \($0)" } ?? ""
    return Finding(
      subject, .bad, found: "\(failure.subject): \(failure.found)\(expected)", remedy: failure.remedy)
  }
}
