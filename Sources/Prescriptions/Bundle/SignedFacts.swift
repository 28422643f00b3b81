/// What a prescription's card says outside its bundle, so that it is said only once.
struct SignedFacts {
  /// Name of the clinic whose key signed.
  let clinic: String
  /// The card's `nbf`.
  let issued: Instant
  /// The card's `exp`.
  let expires: Instant?
}
