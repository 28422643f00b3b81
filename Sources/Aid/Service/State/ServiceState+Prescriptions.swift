import Base
import Control
import Engine

extension ServiceState {
  /// Lets time pass in the book on the disk.
  mutating func advanceBook() {
    work(.bookTime) { _ in
      { disk in (disk.store.advance(), disk.store.known) }
    } after: { state, result in
      let (failure, known) = result
      state.take(known)
      let trouble = failure?.logMessage
      if let trouble, trouble != state.bookTrouble { state.log(.error, trouble) }
      state.bookTrouble = trouble
    }
  }

  /// Takes in what was read of the book, and lets it be heard.
  mutating func take(_ known: KnownPrescription) {
    self.known = known
    self.known.advance(to: now)
    followPass()
    followPrescription()
  }

  /// Brings the settings in line with the prescription in force, ramped. One that cannot be played leaves
  /// the former one in force. Waits for no disk: a trial ends at its time though its end cannot be written
  /// yet.
  mutating func followPrescription() {
    let source = known.prescribed
    guard source != prescribed else {
      refused = nil
      return
    }
    guard source != refused?.prescribed else { return }
    do throws(FittingFailure) {
      try hear { state in
        state.prescribed = source
        state.refused = nil
      }
      log(.notice, "prescription: \(source)")
      endTest("the prescription changed meanwhile", remedy: "Measure again.")
    } catch {
      let failure = Failure(error, configuration)
      refused = (source, failure)
      log(.error, "the prescription cannot be applied: \(failure.logMessage)")
    }
  }

  /// While a developer's pass is open, everything that happens is in the log, whatever the configuration
  /// says.
  mutating func followPass() {
    let isOpen = known.isDeveloperModeOpen
    guard isDeveloping != isOpen else { return }
    isDeveloping = isOpen
    log(.notice, "developer mode \(isOpen ? "opened" : "closed")")
  }
}
