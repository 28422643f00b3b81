import Control
import HearingDSP
import Service

/// The state folder of a device, made by using it.
struct SampleState {
  private let folder: String
  private let cards: SampleCards

  init(in folder: String, _ cards: SampleCards) {
    self.folder = folder
    self.cards = cards
  }

  /// Trusts the clinic, and no more.
  func enrol() throws {
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    try enrol(daemon)
  }

  private func enrol(_ daemon: DevicelessDaemon) throws {
    let identity = cards.clinic.identity
    try daemon.answer(
      TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

  /// Everything that leaves a trace.
  ///
  /// - Parameter killed: Gets a copy of what lies there before the book is closed.
  func use(killedAt killed: String) throws {
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    try enrol(daemon)
    let calls: [any ControlMethod] = [
      PrescriptionMethods.Look(card: cards["rule"]), PrescriptionMethods.Look(card: cards["tables"]),
      PrescriptionMethods.Look(card: cards["developer"]), PrescriptionMethods.Try("1", seconds: 86_400),
      PrescriptionMethods.Revert(), PrescriptionMethods.Use("music"),
      PrescriptionMethods.Look(card: cards["trial"]), PrescriptionMethods.Use("quiet"),
      ProgramMethods.Use("music"), ProgramMethods.Volume(.by(-6)), ProgramMethods.Tone(.by(2)),
      ProgramMethods.Use("everyday"), ProgramMethods.Volume(.by(-3)), FeedbackMethods.Keep(Self.measured),
    ]
    // Some are refused, which leaves a trace too.
    for call in calls {
      if let look = call as? PrescriptionMethods.Look {
        let preview = try daemon.answer(look) as? CardPreview
        try daemon.answer(
          PrescriptionMethods.Load(card: look.card, confirmation: preview?.confirmation))
      } else {
        _ = try? daemon.answer(call)
      }
    }
    try daemon.makeChain()
    _ = FFTPlanning.keepWisdom(at: folder + "/wisdom")
    // Not after the last use of the daemon, which closes the book.
    withExtendedLifetime(daemon) { Fixtures.lay(Fixtures.state(in: folder), at: killed) }
  }

  /// A path as `auricle fit feedback` keeps it, short.
  static let measured: FeedbackRecord = {
    func ear(_ level: Double) -> String {
      let response = (0..<24).map { "\(level / Double(1 + $0 * $0))" }.joined(separator: ",")
      return """
        {"measured_unix_seconds":1790000000,"capture":"hw:0,0","playback":"hw:0,0","rate_hz":48000,\
        "level_db_spl":65,"delay_seconds":0.0042,"device_delay_seconds":0.004,"response":[\(response)],\
        "frequencies_hz":[250,500,1000,2000,4000,8000],"levels_db":[-60,-50,-45,-38,-30,-41],\
        "noise_db":[-90,-92,-95,-96,-97,-97],"own_db":[-62,-51,-46,-40,-31,-43],\
        "crossing_db":[-144,-144,-72,-61,-55,-63]}
        """
    }
    let text = "{\"schema\":102,\"left\":\(ear(0.01)),\"right\":\(ear(-0.02))}"
    guard let record = try? JSON.value(FeedbackRecord.self, from: [UInt8](text.utf8)) else {
      preconditionFailure("a sample that cannot be read")
    }
    return record
  }()
}
