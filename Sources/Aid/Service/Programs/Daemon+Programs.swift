import Base
import Control
import Engine
import HearingDSP
import Realtime

extension Daemon {
  /// What is reported of programs.
  func programReport() -> ProgramReport {
    let state = currentState().name
    return dial.report(
      aid.currentSettings.hearing, isSounding: aid.devices != nil && (state == .running || state == .muted),
      now: SystemTime.monotonic)
  }

  /// Lets the automatic program listen, and follows it slowly.
  func followScene() {
    guard aid.devices != nil, dial.hear(aid.reading.meters, at: SystemTime.monotonic) else { return }
    let isApplied = wearing.withLock { _ in (try? wear(dial.memory, shortest: ProgramPace.byItself)) != nil
    }
    guard isApplied else { return }
    disk.submit { self.dial.save() }
    write(LogLine(.info, "program: \(programReport().reason ?? dial.program.name)"))
  }

  // MARK: - Turning

  func use(_ choice: ProgramChoice) throws(Failure) -> ProgramAnswer {
    try wearing.withLock { _ throws(Failure) in
      var memory = dial.memory
      memory.choice = choice
      try wear(memory, shortest: ProgramPace.bySwitch)
    }
    keepTurned()
    let report = programReport()
    var sentences = [
      choice == .automatic
        ? "Automatic: the program follows what is heard; now \(report.name)."
        : "Program: \(report.name)."
    ]
    if report.volume.value != 0 || report.tone.value != 0 {
      sentences.append(
        "As turned for it: volume \(ProgramText.words(report.volume.value)), tone "
          + "\(ProgramText.words(report.tone.value)).")
    }
    if desk.hasUnwornCard(for: choice.word) {
      sentences.append(
        "There is a prescription of its own for it; to hear by that one: auricle rx use \(choice.word)")
    }
    return ProgramAnswer(
      message: sentences.joined(separator: " "), program: report, state: currentState())
  }

  func turn(
    _ name: String, _ turn: Turn, _ part: WritableKeyPath<SoundAdjustment, Double>,
    _ limit: KeyPath<AdjustmentLimits, ClosedRange<Double>>
  ) throws(Failure) -> ProgramAnswer {
    let isBeyond = try wearing.withLock { _ throws(Failure) in
      let limits = aid.currentSettings.hearing.adjustmentLimits
      var memory = dial.memory
      // From what is heard, not from a wish beyond the limit.
      var adjustment = memory.adjustment.held(within: limits)
      let wish =
        turn.change.map { ((adjustment[keyPath: part] + $0) * 10).rounded() / 10 } ?? 0
      adjustment[keyPath: part] = wish
      let held = adjustment.held(within: limits)
      // The other of the two keeps the wish it had, for a prescription that allows it.
      memory.adjustment[keyPath: part] = held[keyPath: part]
      try wear(memory, shortest: ProgramPace.byTurn)
      return held != adjustment
    }
    keepTurned()
    let report = programReport()
    let range = name == "Volume" ? report.volume : report.tone
    var sentences = ["\(name): \(ProgramText.words(range.value))."]
    if isBeyond { sentences.append(Self.limitSentence(range)) }
    return ProgramAnswer(
      message: sentences.joined(separator: " "), program: report, state: currentState())
  }

  private static func limitSentence(_ range: ProgramReport.Adjustment) -> String {
    range.least == range.most
      ? "The prescription does not let it be turned; ask your audiologist."
      : "That is the limit: it may be turned from \(ProgramText.range(range))."
  }

  /// Lets something be heard and remembers it. What cannot be played changes nothing.
  private func wear(_ memory: ProgramMemory, shortest: Double) throws(Failure) {
    let former = dial.memory
    dial.remember(memory)
    let next = dial.adjusted(
      after: aid.currentSettings.hearing, shortest: shortest, now: SystemTime.monotonic)
    do {
      try aid.apply(next)
    } catch {
      dial.remember(former)
      throw Failure(error, self.memory.withLock { $0.configuration })
    }
    // The gains, and with them the delay, are others.
    self.memory.withLock { $0.chainOpens = -1 }
  }
}
