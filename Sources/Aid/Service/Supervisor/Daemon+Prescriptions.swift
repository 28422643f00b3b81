import Base
import Book
import Control
import Engine
import HearingDSP
import Prescriptions

extension Daemon {
  /// Carries out a method of the book, and applies what it changed.
  func answer<Method: BookMethod>(_ method: Method, from peer: Peer) throws(Failure) -> Method.Reply {
    try onDisk(within: Method.patience) { self.carryOut(method, from: peer) }.get()
  }

  private func carryOut<Method: BookMethod>(
    _ method: Method, from peer: Peer
  ) -> Result<Method.Reply, Failure> {
    let actor = Actor(channel: .socket, userID: peer.userID, processID: peer.processID)
    do throws(Failure) {
      let reply = try desk.answer(method, from: actor, admitting: checkPlayable)
      follow()
      return .success(reply)
    } catch {
      return .failure(error)
    }
  }

  /// Brings the prescription applied in line with the book, ramped while sound flows. A prescription that cannot be
  /// played leaves the former one in force.
  func follow() { wearing.withLock { _ in followAlone() } }

  private func followAlone() {
    let prescribed = desk.prescribed
    let (isApplied, configured, configuration) = memory.withLock {
      ($0.applied == prescribed, $0.configured, $0.configuration)
    }
    guard !isApplied else { return }
    let wishes = feedback.informed(dial.adjusted(configured.following(prescribed)))
    let refusal = apply(wishes, configuration)
    memory.withLock {
      $0.applied = prescribed
      $0.refusal = refusal
      $0.chainOpens = -1
    }
    write(
      refusal.map { LogLine(.error, "the prescription cannot be applied: \($0.logMessage)") }
        ?? LogLine(.notice, "prescription: \(prescribed)"))
  }

  private func apply(_ wishes: HearingSettings, _ configuration: LoadedConfiguration) -> Failure? {
    do {
      try aid.apply(wishes)
      return nil
    } catch {
      return Failure(error, configuration)
    }
  }

  /// Refuses a prescription that this device's chain could not play, before it is in the book.
  private func checkPlayable(_ prescription: Prescription) throws(Failure) {
    let configuration = memory.withLock { $0.configuration }
    var wishes = aid.currentSettings.hearing
    wishes.audiograms = prescription.audiograms
    wishes.plan = prescription.plan
    let device = configuration.configuration.device
    do {
      _ = try wishes.parameters(
        for: ChainGeometry(sampleRate: Double(device.rate), blockFrames: device.period))
    } catch let error as FittingFailure {
      throw Failure(error, configuration)
    } catch {
      throw Failure("prescription", found: "\(error)", exit: .badData)
    }
  }

  /// Lets time pass in the book: trials end, passes close; one that could not be opened is tried again.
  ///
  /// - Threads: the disk's.
  func advanceBook() {
    let trouble = desk.advance()?.logMessage
    let isNew = memory.withLock { memory in
      defer { memory.bookTrouble = trouble }
      return trouble != nil && memory.bookTrouble != trouble
    }
    if isNew, let trouble { write(LogLine(.error, trouble)) }
    followBook()
  }

  /// Brings everything in line with the book as it is known now, without waiting for the disk: a trial ends at its
  /// time though its end cannot be written yet.
  func followBook() {
    followPass()
    follow()
  }

  /// While a developer's pass is open, everything that happens is in the log, whatever the configuration says.
  private func followPass() {
    let isOpen = desk.isDeveloperModeOpen
    let hasChanged = memory.withLock { memory in
      guard memory.isDeveloping != isOpen else { return false }
      memory.isDeveloping = isOpen
      let usual = memory.configuration.configuration.log.level
      memory.log = MessageLog(threshold: isOpen ? .debug : usual)
      return true
    }
    if hasChanged { write(LogLine(.notice, "developer mode \(isOpen ? "opened" : "closed")")) }
  }

  /// What goes in and what comes out, for a developer's log: levels and work, nobody's thresholds.
  func traceSound() {
    guard memory.withLock({ $0.isDeveloping }) else { return }
    let report = report()
    func level(_ value: Double?) -> String { value.map { NumberText.fixed($0) } ?? "silence" }
    let ears = [("left", report.meters.left), ("right", report.meters.right)].map { name, ear in
      "\(name) in \(level(ear.inputLevel)), out \(level(ear.outputLevel)) dB SPL, "
        + "limited \(NumberText.percent(ear.limiter.activeShare))"
    }
    let load = report.meters.load
    write(
      LogLine(
        .debug,
        "\(report.state.name.rawValue): \(ears.joined(separator: "; ")); load median "
          + "\(NumberText.percent(load.median)), most \(NumberText.percent(load.maximum))"))
  }

  /// What the status report says of the prescription.
  func standing(_ refusal: Failure?) -> StatusReport.Prescription? {
    guard let standing = desk.standing else { return nil }
    guard let refusal else { return standing }
    // The status goes to every reader, and by signal to the log.
    return standing.with(note: "It cannot be applied, the former one stays in force: \(refusal.logMessage)")
  }
}

extension Prescribed: CustomStringConvertible {
  /// For the log: serials, no names.
  var description: String {
    switch self {
    case .byConfiguration: "as the configuration says"
    case .nothing: "none in force, nothing is amplified"
    case .card(let card):
      "serial \(card.content.serial) of \(card.clinic.fingerprint.grouped.prefix(9))"
    }
  }
}
