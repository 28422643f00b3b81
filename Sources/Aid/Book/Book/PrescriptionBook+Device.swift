import Prescriptions

/// Actions on the device itself: whose it is, and its clock.
extension PrescriptionBook {
  // MARK: - A clinic's device

  /// Makes the device a clinic's, as the mark of the machine says. That clinic is trusted from then on, every other one
  /// no longer, and what another one has prescribed is not in force any more. Nothing where it is so already.
  ///
  /// - Throws: ``BookError/handedOver(name:found:expected:)`` when it is another clinic's, ``BookError/card(_:)``; those of the disk.
  package func handOver(_ wanted: HandOver, by actor: Actor) throws(BookError) {
    guard try state.handingOver(wanted) != nil else { return }
    try perform(by: actor) { state throws(BookError) in
      try state.handingOver(wanted) ?? .handedOver(wanted)
    }
  }

  /// Makes the device its owner's again.
  ///
  /// - Throws: ``BookError/notHandedOver``, ``BookError/otherClinicsPass(name:owner:found:expected:)``,
  ///   ``BookError/otherDevice(found:expected:)``, ``BookError/card(_:)``, ``BookError/passUsed``; those of the disk.
  package func giveBack(_ pass: Signed<ReturnPass>, by actor: Actor) throws(BookError) {
    try perform(by: actor) { state throws(BookError) in try state.returning(pass) }
  }

  // MARK: - The clock

  /// Believes the system's clock although it is behind the latest moment the book has seen, for a device
  /// whose clock was once ahead. Trials keep what remained of them; what was over stays over, of cards that
  /// are loaded later too, unless they were issued after the moment that is believed.
  ///
  /// - Throws: ``BookError/clockNotBehind``, ``BookError/clockBeforeIssue(entry:at:)``; those of the disk.
  package func correctClock(by actor: Actor) throws(BookError) {
    try transact { memory throws(BookError) in
      let former = time
      let wall = former.clock.wall()
      guard wall < former.latest else { throw .clockNotBehind }
      if let newest = memory.state.newest(issuedAfter: wall) {
        throw .clockBeforeIssue(entry: newest.number, at: newest.prescription.issued)
      }
      // The latest moment, from which the correction is counted, has to be in the book, as its first event too.
      if memory.lastMoment.map({ $0 < now }) ?? true {
        try append(.timePassed, by: .clock, to: &memory)
      }
      time.correct()
      do throws(BookError) {
        try append(.clockCorrected, by: actor, to: &memory)
      } catch {
        time = former
        throw error
      }
    }
  }
}
