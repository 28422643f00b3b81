import Prescriptions

extension BookState {
  /// True when a hand-over is in this book, or was and has been ended by a pass.
  package func follows(_ handOver: HandOver) -> Bool {
    self.handOver == handOver || returned.contains(handOver.device)
  }

  /// Makes the device a clinic's: that clinic is trusted, every other one no longer, and nothing that another one has
  /// prescribed stays in force. Whoever owned the device until now may have been a clinic of their own.
  ///
  /// Clinics that are trusted later prescribe too: on a clinic's device enrolling is the audiologist's and the operator's.
  mutating func take(_ wanted: HandOver) {
    handOver = wanted
    let owner = wanted.clinic.fingerprint
    // Enrolled anew only where that changes anything: the trail keeps when it was.
    if !clinics.contains(where: { $0.identity == wanted.clinic && $0.revoked == nil }) {
      clinics.removeAll { $0.identity.fingerprint == owner }
      clinics.append(TrustedClinic(identity: wanted.clinic, enrolled: moment))
    }
    clinics = clinics.map { clinic in
      guard clinic.identity.fingerprint != owner, clinic.revoked == nil else { return clinic }
      return TrustedClinic(identity: clinic.identity, enrolled: clinic.enrolled, revoked: moment)
    }
    func isOwners(_ number: Int) -> Bool { entry(number)?.card.clinic.fingerprint == owner }
    trials = trials.filter { isOwners($0.value.entry) }
    lines = lines.mapValues { $0.filter(isOwners) }.filter { !$0.value.isEmpty }
    for environment in trials.keys { trials[environment]?.formerSelection = nil }
    formerlySelected = nil
    if selected.flatMap(inForce(in:)) == nil {
      selected =
        (lines.values.compactMap(\.last) + trials.values.map(\.entry)).max().flatMap(entry)?
        .environment
    }
    // A pass of another clinic may have opened it.
    developerModeEnds = nil
  }
}
