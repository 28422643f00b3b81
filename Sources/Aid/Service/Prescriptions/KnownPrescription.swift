import Base
import Book
import Prescriptions

/// The prescription in force as it was read from the disk last, and why it cannot be read now.
///
/// A value that goes on in time without the disk; ``PrescriptionStore`` makes it anew after each piece of
/// work.
struct KnownPrescription: Sendable {
  /// Nil while the book is not open.
  var book: BookSnapshot?
  /// Why there is no book.
  var failure: Failure?
  /// The last prescription in force of a book that cannot be read now.
  var lastGood: Signed<Prescription>?
  /// Why nothing in the folder of the book is to be trusted.
  var danger: Failure?
  /// Owner of the machine, by its mark.
  var device = DeviceStanding.own

  /// Moves on to the present.
  mutating func advance(to now: Moment) { book?.advance(wall: now.wall, running: now.running) }

  /// Source of the settings that are heard.
  var prescribed: Prescribed {
    // Whatever the book says or does not: on a clinic's device the configuration prescribes nothing.
    let source = prescribedByBook
    return source == .byConfiguration && clinicName != nil ? .nothing : source
  }

  /// Name of the clinic whose device this is, by the machine's mark or by the book; nil: it is its owner's.
  var clinicName: String? { device.clinicName ?? book?.state.handOver?.clinic.name }

  private var prescribedByBook: Prescribed {
    if let mark = device.mark, let state = book?.state, !state.follows(mark.handOver) { return .nothing }
    if let state = book?.state {
      if let entry = state.inForce { return Prescribed(entry.card) }
      return state.entries.isEmpty && state.boundPatient == nil ? .byConfiguration : .nothing
    }
    guard danger == nil else { return .nothing }
    if let lastGood { return isForeign ? .nothing : Prescribed(lastGood) }
    return failure == nil ? .byConfiguration : .nothing
  }

  /// True when the last prescription is of another clinic than the one whose device this is: without the book
  /// nobody knows whether that may prescribe here.
  private var isForeign: Bool {
    guard let mark = device.mark, let lastGood else { return false }
    return mark.clinic.fingerprint != lastGood.clinic.fingerprint
  }

  /// For the status report; nil without a book.
  var standing: StatusReport.Prescription? {
    let heard = isForeign ? nil : lastGood
    let (failure, known) = danger.map { ($0, nil) } ?? (failure, heard)
    guard let book else { return failure.map { StatusReport.Prescription(known, problem: $0.message) } }
    return StatusReport.Prescription(book.state, notes: book.notices.map { "\($0)" })
  }

  /// True when an environment, by its word, has a prescription other than the one that is heard.
  func hasOtherCard(for word: String) -> Bool {
    guard let state = book?.state, let environment = try? ListeningEnvironment(word: word) else {
      return false
    }
    return state.selected != environment && state.inForce(in: environment) != nil
  }

  /// End of a developer's pass, s since 1970-01-01 UTC; nil: none is open.
  var developerModeEnds: Double? { book?.state.developerModeEnds?.time }
}
