import Clinic
import Laboratory
import Prescriptions

/// What is measured, with the words for it.
struct Specimen {
  var subject: Subject
  /// Whose hearing, such as "Bisgaard N3" or "prescription in force".
  var name: String
  /// What the running aid adds to it, left out of the measurement: program, volume, tone, what feedback limits; nil: no aid runs, or
  /// something else is measured.
  var inForce: String?
  /// When.
  var moment = Instant.now
}
