import Acoustics
import Base
import Control
import Engine

extension ServiceState {
  /// Takes over what was done to the file, and lets it be heard.
  ///
  /// - Throws: ``Failure``: of the file, which changes nothing; or of settings that cannot be played, which
  ///   leaves the former ones in force.
  mutating func hear(_ failure: Failure?, after change: (inout MeasuredFeedback) -> Void) throws(Failure) {
    if let failure { throw failure }
    change(&feedback)
    do throws(FittingFailure) {
      try hear(shortest: ProgramPace.byTurn) { _ in }
    } catch {
      throw Failure(error, configuration)
    }
  }

  /// Takes in what the devices and cancellers tell.
  mutating func followFeedback() {
    var measured = feedback
    let former = measured.distrusted
    let hasChanged = measured.look(
      audio.devices, reading: audio.reading, opens: audio.opens, now: now.monotonic)
    guard hasChanged else { return feedback = measured }
    for ear in measured.distrusted where !former.contains(ear) { log(.warning, Self.distrust(ear)) }
    do throws(Failure) {
      try hear(nil) { $0 = measured }
    } catch {
      log(.error, error.logMessage)
    }
  }

  static func distrust(_ ear: Ear) -> String {
    "\(ear.rawValue): the canceller did harm, or something howled: what was measured may no longer hold, and the gain "
      + "granted for it is taken back for some minutes. Look how the earpiece sits; if it comes again: auricle fit feedback"
  }
}
