import Prescriptions

extension ClinicKey {
  /// A prescription's card for tests that do not ask how small it is: packed by libdeflate, in a hundredth of the 90 ms that the clinic takes to
  /// make it smaller by 3 %. As the clinic packs it where a card has no room otherwise.
  package func quickCard(_ prescription: Prescription) throws -> CardText {
    let content = try content(of: prescription)
    let jws = try jws(
      header: identity.card.parts[0],
      packed: HostileTrial.packed(Array(content.minified.utf8), level: 12))
    return try jws.utf8.count > CardText.greatestSize ? sign(prescription) : CardText(jws: jws)
  }
}
