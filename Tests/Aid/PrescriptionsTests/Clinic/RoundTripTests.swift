import Glibc
import Paper
import PaperTesting
import PrescriptionsTesting
import Testing

@testable import Prescriptions

@Suite("The whole way of a card") struct RoundTripTests {
  /// Prescriptions tried: 100, or as many as the environment asks for; `make trials` asks for 2,000.
  ///
  /// - Parameter times: As many times that number.
  static func count(_ times: Int = 1) -> Int {
    times * (getenv("AURICLE_ROUND_TRIPS").flatMap { Int(String(cString: $0)) } ?? 100)
  }

  @Test("every prescription comes back from its picture as it was signed, each value")
  func pictures() throws {
    let key = try ClinicKey(new: "City Hearing Clinic", created: Instant(seconds: 1))
    let clinic = TrustedClinic(identity: key.identity, enrolled: Instant(seconds: 1))
    var random = RandomPrescription(seed: 20_261_121, clinic: key.identity.name)
    for number in 1...Self.count() {
      let prescription = try random.next()
      // Of one in ten the smallest packing, which takes a hundred times as long.
      let card = try number % 10 == 0 ? key.sign(prescription) : key.quickCard(prescription)
      let symbol = try QRSymbol(text: card.text)
      // Four pixels a module: a page at 150 dots an inch has as many or more up to version 26.
      let picture = symbol.raster(width: 4 * (symbol.side + 2 * QRSymbol.quietZone))
      // The usual limit is for a machine that has nothing else to do.
      let texts = PictureReader.texts(in: picture, within: .seconds(60))
      #expect(texts == [card.text], "number \(number), version \(symbol.version)")
      guard let text = texts.first else { continue }
      // At the moment of issue none has expired and no trial is over.
      let read = try Card.read(text, trusting: [clinic], at: prescription.issued)
      guard case .prescription(let signed) = read else {
        Issue.record("number \(number) is no prescription")
        continue
      }
      #expect(signed.content == prescription, "number \(number)")
    }
  }
}
