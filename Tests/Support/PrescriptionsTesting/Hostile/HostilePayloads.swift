import CommonTesting
import Prescriptions

/// Payloads by number: noise, and good ones that were changed, at every layer.
package struct HostilePayloads: Sendable {
  private let seed: UInt64
  private var samples: [HostileLayer: [[UInt8]]] = [:]
  private var signed: Set<String> = []

  /// - Parameter count: Good prescriptions to begin from.
  package init(_ trial: HostileTrial, seed: UInt64, count: Int = 24) throws {
    self.seed = seed
    let clinic = trial.clinic
    var random = RandomPrescription(seed: seed, clinic: clinic.identity.name)
    let now = HostileTrial.now
    func note(_ layer: HostileLayer, _ bytes: [UInt8]) { samples[layer, default: []].append(bytes) }
    func note(_ card: CardText) throws {
      signed.insert(card.jws)
      note(.text, Array(card.text.utf8))
      note(.text, Array(card.jws.utf8))
      note(.header, card.parts[0])
      note(.packed, card.parts[1])
      note(.content, try card.content())
    }
    for index in 0..<count {
      let prescription = try random.next()
      note(.audiogram, Array(prescription.fhirBundle.utf8))
      // Whole audiograms and tables need more than a card has once they are packed quickly.
      guard let card = try? clinic.quickCard(prescription), card.jws.utf8.count < 2500 else { continue }
      try note(card)
      note(.bundle, Array(try ExportedBundle.bundle(prescription).minified.utf8))
      if index % 8 == 0 {
        try note(
          clinic.sign(
            DeveloperPass(serial: 1, holder: "Zoë", issued: now, expires: now + 3600, duration: 600)))
        try note(
          clinic.sign(
            BindingPass(serial: 2, patient: prescription.patient, issued: now, expires: now + 3600)))
        try note(clinic.identity.card)
      }
    }
    note(.audiogram, Array(Self.panel.utf8))
    note(.keyFile, try clinic.sealed(with: "a hostile passphrase"))
  }

  /// Good payloads, with which a search may begin.
  package var good: [(layer: HostileLayer, bytes: [UInt8])] {
    HostileLayer.allCases.flatMap { layer in (samples[layer] ?? []).map { (layer, $0) } }
  }

  /// Whether a text is one of the cards that were signed, unchanged.
  func isSigned(_ text: [UInt8]) -> Bool {
    guard let card = try? CardText(reading: String(decoding: text, as: UTF8.self)) else { return false }
    return signed.contains(card.jws)
  }

  /// Payload `index`; it does not depend on those before it.
  package func payload(_ index: Int) -> (layer: HostileLayer, bytes: [UInt8]) {
    var generator = SeededGenerator(seed &+ UInt64(index) &* 0x9E37_79B9)
    // Content, which has most to read, comes more often.
    let layers = HostileLayer.allCases + [.content, .content, .content, .text]
    let layer = layers[index % layers.count]
    if generator.one(in: 16) { return (layer, Self.noise(layer, &generator)) }
    let good = samples[layer] ?? []
    let base = good[Int.random(in: good.indices, using: &generator)]
    var mutation = ByteMutation(base, isText: layer != .packed)
    // Half of the texts keep their form, so that what lies behind it is reached.
    if layer != .packed, generator.one(in: 2) {
      for _ in 0...Int.random(in: 0...2, using: &generator) { mutation.changeToken(using: &generator) }
      return (layer, mutation.bytes)
    }
    let rounds = 1 << Int.random(in: 0...4, using: &generator)
    for _ in 0..<rounds {
      let other = good[Int.random(in: good.indices, using: &generator)]
      mutation.change(using: &generator, other: other)
    }
    return (layer, mutation.bytes)
  }

  private static func noise(_ layer: HostileLayer, _ generator: inout SeededGenerator) -> [UInt8] {
    if layer == .packed, generator.one(in: 4) {
      let size = Int.random(in: 60_000...2_000_000, using: &generator)
      return HostileTrial.packed([UInt8](repeating: UInt8(ascii: " "), count: size))
    }
    let count = Int.random(in: 0...4000, using: &generator)
    let isCard = layer == .text && generator.one(in: 2)
    let noise = (0..<count).map { _ in
      isCard ? UInt8.random(in: 48...57, using: &generator) : UInt8.random(in: 0...255, using: &generator)
    }
    return isCard ? Array(CardText.prefix.utf8) + noise : noise
  }

  /// An audiogram as members of a panel, one of them in HL7's Personal Health Record Format.
  private static let panel = """
    {"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":"urn:1","resource":{"resourceType":\
    "Observation","id":"panel","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"89015-2"}]},\
    "effectiveDateTime":"2026-02-03","hasMember":[{"reference":"urn:2"},{"reference":"Observation/b"}]}},\
    {"fullUrl":"urn:2","resource":{"resourceType":"Observation","status":"final","code":{"coding":[{"system":\
    "http://loinc.org","code":"89016-0"}]},"bodySite":{"text":"left ear"},"valueQuantity":{"value":35,"unit":"dB",\
    "system":"http://unitsofmeasure.org","code":"dB"}}},{"resource":{"resourceType":"Observation","id":"b","status":\
    "final","code":{"text":"x"},"component":[{"code":{"coding":[{"system":"http://x/hearing-sensitivity-codes",\
    "code":"frequency"}]},"valueQuantity":{"value":500,"unit":"Hz"}},{"code":{"coding":[{"system":\
    "http://x/hearing-sensitivity-codes","code":"leftEarSensitivity"}]},"valueQuantity":{"value":30,"unit":"dB"}}]}}]}
    """
}
