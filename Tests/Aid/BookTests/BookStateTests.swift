import Testing

@testable import Book
@testable import Prescriptions

/// The fold alone: no database, no clock.
@Suite("BookState") struct BookStateTests {
  static let noon = Rig.noon

  /// Folds changes that happened a minute apart, the first at noon.
  func state(_ changes: [BookChange], at moment: Instant? = nil) -> BookState {
    let events = changes.enumerated().map { index, change in
      BookEvent(number: index + 1, moment: Self.noon + 60 * index, actor: Rig.person, change: change)
    }
    return BookState(folding: events, at: moment ?? Self.noon + 60 * changes.count)
  }

  func loaded(
    _ serial: Int, _ environment: ListeningEnvironment = .quiet, expires: Instant? = nil,
    trialEnds: Instant? = nil
  ) throws -> BookChange {
    let prescription = try Rig.prescription(serial, environment, expires: expires, trialEnds: trialEnds)
    return .loaded(
      Signed(
        content: prescription, clinic: Rig.clinic.identity, text: try Rig.clinic.sign(prescription)))
  }

  @Test("nothing is in force before the first card")
  func empty() {
    let state = state([])
    #expect(state.inForce == nil && state.entries.isEmpty)
  }

  @Test("a loaded card is in force, selects its environment and binds the device")
  func loading() throws {
    let state = state([try loaded(1, .quiet), try loaded(2, .music)])
    #expect(state.selected == .music && state.inForce?.number == 2)
    #expect(state.active == [.quiet: 1, .music: 2])
    #expect(state.boundPatient == Rig.ada)
  }

  @Test("a trial covers its environment until it ends, then the former one is in force by itself")
  func trial() throws {
    let end = Self.noon + 1320
    let changes = [try loaded(1), try loaded(2), .trialBegan(entry: 1, ends: end)]
    #expect(state(changes, at: end + -1).inForce?.number == 1)
    #expect(state(changes, at: end + -1).trials[.quiet]?.ends == end)
    #expect(state(changes, at: end).inForce?.number == 2)
    #expect(state(changes, at: end).trials.isEmpty)
  }

  @Test("a trial in another environment goes back to the environment worn before")
  func trialElsewhere() throws {
    let end = Self.noon + 1320
    let changes = [try loaded(1, .quiet), try loaded(2, .music, trialEnds: end)]
    #expect(state(changes, at: end + -1).selected == .music)
    #expect(state(changes, at: end).selected == .quiet)
    #expect(state(changes, at: end).inForce?.number == 1)
  }

  @Test("whoever chose an environment during a trial keeps that choice")
  func choiceDuringTrial() throws {
    let end = Self.noon + 1320
    let changes = [
      try loaded(1, .quiet), try loaded(2, .music), try loaded(3, .outdoors),
      .trialBegan(entry: 1, ends: end), .selected(.music),
    ]
    #expect(state(changes, at: end).selected == .music)
  }

  @Test("two trials end each at its own time")
  func twoTrials() throws {
    let (first, second) = (Self.noon + 1000, Self.noon + 2000)
    let changes = [
      try loaded(1, .quiet), try loaded(2, .music, trialEnds: second),
      try loaded(3, .quiet, trialEnds: first),
    ]
    #expect(state(changes, at: first + -1).inForce?.number == 3)
    // The quiet trial began while music was worn, and music is still on trial.
    #expect(state(changes, at: first).inForce?.number == 2)
    #expect(state(changes, at: second).inForce?.number == 1)
  }

  @Test("after a first trial that nobody accepted nothing is in force")
  func trialWithoutFormer() throws {
    let end = Self.noon + 1320
    #expect(state([try loaded(1, trialEnds: end)], at: end).inForce == nil)
  }

  @Test("an accepted trial is final, and reverting goes back one by one")
  func acceptAndRevert() throws {
    let end = Self.noon + 1320
    let accepted = [try loaded(1), try loaded(2, trialEnds: end), .accepted(entry: 2)]
    #expect(state(accepted, at: end + 1).inForce?.number == 2)
    #expect(state(accepted + [.reverted(.quiet)]).inForce?.number == 1)
    let trial = [try loaded(1), try loaded(2, trialEnds: end), .reverted(.quiet)]
    #expect(state(trial).inForce?.number == 1 && state(trial).trials.isEmpty)
  }

  @Test("a prescription that expires while worn stays in force, and that is said")
  func expiry() throws {
    let midnight = Self.noon + 43_200
    let after = state([try loaded(1, expires: midnight)], at: midnight)
    #expect(after.inForce?.number == 1)
    #expect(after.notices == [.expiredInForce(entry: 1, at: midnight)])
    #expect(state([try loaded(1, expires: midnight)], at: midnight + -1).notices.isEmpty)
  }

  @Test("a clinic revoked later leaves its prescription in force, and that is said")
  func revocation() throws {
    let state = state([
      .enrolled(Rig.clinic.identity), try loaded(1), .revoked(Rig.clinic.identity.fingerprint),
    ])
    #expect(state.inForce?.number == 1)
    #expect(state.notices == [.clinicRevoked(entry: 1, at: Self.noon + 120)])
    #expect(throws: BookError.clinicRevoked(name: "Clinic North", at: Self.noon + 120)) {
      try state.using(1)
    }
  }

  @Test("a device given to another person has nothing in force, and the former entries cannot be worn")
  func rebinding() throws {
    let pass = try BindingPass(
      serial: 9, patient: Rig.ben, issued: Self.noon, expires: Self.noon + Rig.day)
    let state = state([
      try loaded(1),
      .rebound(Signed(content: pass, clinic: Rig.clinic.identity, text: try Rig.clinic.sign(pass))),
    ])
    #expect(state.inForce == nil && state.boundPatient == Rig.ben && state.entries.count == 1)
    #expect(throws: BookError.otherPatient) { try state.using(1) }
  }

  @Test("a corrected clock leaves a trial what remained of it")
  func clockCorrection() throws {
    let events = [
      BookEvent(number: 1, moment: Self.noon + 900_000, actor: Rig.person, change: try loaded(1)),
      BookEvent(number: 2, moment: Self.noon + 900_000, actor: Rig.person, change: try loaded(2)),
      BookEvent(
        number: 3, moment: Self.noon + 900_000, actor: Rig.person,
        change: .trialBegan(entry: 1, ends: Self.noon + 900_600)),
      BookEvent(number: 4, moment: Self.noon, actor: Rig.person, change: .clockCorrected),
    ]
    let state = BookState(folding: events, at: Self.noon)
    #expect(state.moment == Self.noon && state.trials[.quiet]?.ends == Self.noon + 600)
    #expect(BookState(folding: events, at: Self.noon + 600).inForce?.number == 2)
  }
}
