import Base
import Book
import Control

/// A device that a clinic has handed out, and its return.
extension ServiceState {
  /// Lets the wearer run the machine, or no longer, as its mark and the book say.
  mutating func followOwner() {
    let (former, clinic) = (facts.rule, known.clinicName)
    facts.rule = former.on(deviceOf: clinic, configured: facts.configuredOwner)
    guard facts.rule != former else { return }
    let reason =
      clinic.map { "this device belongs to \($0) from now on" } ?? "this device belongs to no clinic"
    endDebug(reason)
    endRecording(reason)
    emit(.admit(facts.rule))
    log(.notice, reason)
  }

  /// Owner of this device, as the daemon goes by it.
  var device: DeviceAnswer {
    let handOver = known.book?.state.handOver
    let mark = known.device.mark
    return DeviceAnswer(
      clinic: known.clinicName, key: (mark?.clinic ?? handOver?.clinic)?.fingerprint.grouped,
      device: (mark?.device ?? handOver?.device)?.text,
      isFollowed: mark != nil && handOver == mark?.handOver,
      isReturned: mark.map { known.book?.state.returned.contains($0.device) == true } ?? false,
      wearerIsOperator: facts.rule.owner == .wearer, configurationFile: configuration.file,
      pid: facts.processID)
  }
}
