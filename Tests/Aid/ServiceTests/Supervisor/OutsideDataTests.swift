import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Fitting
import Glibc
import PrescriptionsTesting
import Testing

@testable import Prescriptions
@testable import Service

/// Each in a process of its own, since what is tested is that it does not end.
@Suite("A daemon that outside data cannot end") struct OutsideDataTests {
  @Test("a card with a threshold at 2⁶³ − 1 Hz, signed by nobody who is trusted, leaves the sound on")
  func untrustedCard() async {
    await #expect(processExitsWith: .success) {
      let rig = try SoundingDaemon()
      let stranger = try CardMaker("Nobody")
      for hasBook in [false, true] {
        if hasBook { try rig.load() }
        for frequency in ["9223372036854775807", "9223372036854775806", "1000000"] {
          let card = try Self.card(thresholdAt: frequency, by: stranger)
          let failure = try #require(throws: Failure.self) {
            try rig.load(card)
          }
          #expect(failure.message.contains("unknown clinic"))
          #expect(rig.isSounding)
        }
      }
      #expect(rig.heardLeft == StandardAudiogram.n3.audiogram)
    }
  }

  @Test("such a card of a trusted clinic is refused by its content, and the sound goes on")
  func trustedCard() async {
    await #expect(processExitsWith: .success) {
      let rig = try SoundingDaemon()
      try rig.load()
      let card = try Self.card(thresholdAt: "9223372036854775807", by: rig.clinic)
      let failure = try #require(throws: Failure.self) { try rig.load(card) }
      #expect(failure.message.contains("found a frequency outside 125 to 16000 Hz"))
      #expect(rig.isSounding)
      #expect(rig.heardLeft == StandardAudiogram.n3.audiogram)
    }
  }

  @Test("a bit flipped in the book's list of tables keeps the last prescription on, and is said")
  func damagedBook() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      do {
        let rig = try SoundingDaemon(in: folder)
        try rig.load()
        rig.close()
      }
      var bytes = folder.bytes(of: "book/book.sqlite")
      let name = Array("user_id INTEGER".utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
      bytes[place + 6] ^= 1
      folder.write(bytes, to: "book/book.sqlite")
      let rig = try SoundingDaemon(in: folder)
      #expect(rig.isSounding)
      #expect(rig.heardLeft == StandardAudiogram.n3.audiogram)
      #expect(rig.daemon.state.report.prescription?.notes.first?.contains("damaged") == true)
      let calls: [any BookMethod] = [
        PrescriptionMethods.List(), BookMethods.ShowAudit(count: 10), BookMethods.VerifyAudit(),
        PrescriptionMethods.Use("quiet"),
      ]
      for call in calls {
        #expect(throws: Failure.self) { try rig.refusal(call) }
      }
      #expect(rig.isSounding)
      #expect(rig.heardLeft == StandardAudiogram.n3.audiogram)
    }
  }

  @Test(
    "of a lost book no question makes a new one: what the configuration names stays unheard, and the reason told",
    arguments: [true, false])
  func lostBook(isFolderLeft: Bool) throws {
    let folder = TemporaryFolder()
    do {
      let rig = try SoundingDaemon(in: folder)
      try rig.load()
      rig.close()
    }
    for name in TemporaryFolder.names(in: folder.file("book")) { unlink(folder.file("book/" + name)) }
    if !isFolderLeft { rmdir(folder.file("book")) }
    let rig = try SoundingDaemon(in: folder, audiogram: .n4)
    #expect(rig.heardLeft == nil)
    let identity = rig.clinic.key.identity
    let calls: [any BookMethod] = [
      PrescriptionMethods.List(), TrustMethods.List(), BookMethods.ShowAudit(count: 10),
      BookMethods.VerifyAudit(), PrescriptionMethods.Card(number: nil), PrescriptionMethods.Use("quiet"),
      PrescriptionMethods.Accept(), PrescriptionMethods.Revert(),
      PrescriptionMethods.Look(card: try rig.clinic.prescription(1)),
      PrescriptionMethods.Load(card: try rig.clinic.prescription(1), confirmation: nil),
      TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped),
      BookMethods.CorrectClock(), BookMethods.AcceptDamage(),
    ]
    for call in calls {
      let name = type(of: call).name
      let failure = try #require(throws: Failure.self) { try rig.refusal(call) }
      #expect(failure.message.contains("found its key and no book"), "\(name)")
      rig.daemon.pass(1)
      #expect(rig.heardLeft == nil, "\(name)")
      #expect(!rig.daemon.state.report.fitting.isFitted)
      #expect(rig.daemon.state.report.prescription?.notes.first?.contains("its key and no book") == true)
    }
    #expect(rig.isSounding)
    #expect(TemporaryFolder.names(in: folder.file("book")).isEmpty)
  }

  /// A card whose one threshold is at a frequency in words.
  private static func card(thresholdAt frequency: String, by clinic: CardMaker) throws -> String {
    let ear = """
      {"resourceType":"Observation","status":"final","bodySite":{"text":"left"},"code":{"coding":[{"system":\
      "http://loinc.org","code":"89015-2"}]},"component":[{"code":{"text":"left air \(frequency)"},\
      "valueQuantity":{"value":30,"unit":"dB"}}]}
      """
    let entries = (0..<3).map { "{\"fullUrl\":\"resource:\($0)\",\"resource\":\(ear)}" }
    let content = """
      {"iss":"x","nbf":\(clinic.now.seconds),"vc":{"type":["https://smarthealth.cards#health-card"],\
      "credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":{"resourceType":"Bundle","type":"collection",\
      "entry":[\(entries.joined(separator: ","))]}}}}
      """
    let header = try CardText(reading: clinic.prescription(1)).parts[0]
    return try clinic.key.jws(header: header, packed: HostileTrial.packed(Array(content.utf8), level: 12))
  }
}

/// A daemon that sounds, with a book in a folder.
private struct SoundingDaemon {
  let folder: TemporaryFolder
  let clinic: CardMaker
  let daemon: Timeline

  /// - Parameter audiogram: What the configuration names.
  init(in folder: TemporaryFolder = TemporaryFolder(), audiogram: StandardAudiogram? = nil) throws {
    self.folder = folder
    clinic = try CardMaker()
    if let audiogram {
      let ears = Binaural(both: audiogram.audiogram)
      folder.write(AudiogramFile(ears: ears).text, to: "heard.json")
    }
    let text = audiogram == nil ? "" : "[hearing]\naudiogram = \"heard.json\""
    let configuration = try loaded(text, folder: folder.path)
    let disk = ServiceDisk(folder: nil, store: PrescriptionStore(folder: folder.file("book"))) {
      .success(configuration)
    }
    _ = disk.store.open()
    daemon = Timeline(
      ServiceState(
        ServiceState.Facts(started: .now), configuration: configuration,
        configured: try AidSettings(configuration).hearing, known: disk.store.known), disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
  }

  func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try #require(daemon.ask(method)).get()
  }

  /// As `auricle rx scan` does it: looked at, confirmed, taken in.
  @discardableResult func load(_ card: String) throws -> BookAnswer {
    let preview = try ask(PrescriptionMethods.Look(card: card))
    return try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
  }

  func refusal(_ method: some BookMethod) throws { _ = try ask(method) }

  /// Loads N3 from a clinic that is trusted then.
  func load() throws {
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
    _ = try load(try clinic.prescription(1))
  }

  /// Gives the book back.
  func close() { daemon.disk?.store.close() }

  var isSounding: Bool { daemon.state.state.name == .running }

  /// The audiogram by which the left ear hears.
  var heardLeft: Audiogram? { daemon.state.heard.audiograms?.left }
}
