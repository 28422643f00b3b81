import Laboratory

/// What is measured, with the words for it.
struct Specimen {
  var subject: Subject
  /// Whose hearing, such as "Bisgaard N3" or "prescription in force".
  var name: String
}
