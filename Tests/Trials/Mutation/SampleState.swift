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
    _ = try daemon.answer(
      .book(.enrol(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
    ).get()
  }

  /// Everything that leaves a trace.
  ///
  /// - Parameter killed: Gets a copy of what lies there before the book is closed.
  func use(killedAt killed: String) throws {
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    try enrol(daemon)
    let calls: [ControlCall] = [
      .book(.load(card: cards["rule"])), .book(.load(card: cards["tables"])),
      .book(.load(card: cards["developer"])), .book(.beginTrial("1", seconds: 86_400)), .book(.revert),
      .book(.use("music")), .book(.load(card: cards["trial"])), .book(.use("quiet")),
      .program(.use("music")), .program(.volume(.by(-6))), .program(.tone(.by(2))),
      .program(.use("everyday")), .program(.volume(.by(-3))), .feedback(.keep(Self.measured)),
    ]
    // Some are refused, which leaves a trace too.
    for call in calls { _ = daemon.answer(call) }
    try daemon.makeChain()
    _ = FFTPlanning.keepWisdom(at: folder + "/wisdom")
    // Not after the last use of the daemon, which closes the book.
    withExtendedLifetime(daemon) { Fixtures.lay(Fixtures.state(in: folder), at: killed) }
  }

  /// A path as `auricle fit feedback` keeps it, short.
  static let measured: FeedbackRecord = {
    func ear(_ level: Double) -> FeedbackRecord.Ear {
      FeedbackRecord.Ear(
        measured: 1_790_000_000, capture: "hw:0,0", playback: "hw:0,0", rate: 48_000, level: 65,
        delay: 0.0042, deviceDelay: 0.004, response: (0..<24).map { level / Double(1 + $0 * $0) },
        frequencies: [250, 500, 1000, 2000, 4000, 8000], levels: [-60, -50, -45, -38, -30, -41],
        noise: [-90, -92, -95, -96, -97, -97])
    }
    return FeedbackRecord(left: ear(0.01), right: ear(-0.02))
  }()
}
