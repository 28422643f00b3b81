import Base
import Control
import Engine
import Service

/// The way from nothing to safe sound: each step asks what the program cannot know, writes it into the
/// configuration and is done.
struct SetupRun {
  let interview: any Interview
  let bench: any SetupBench
  var file: ConfigurationFile
  let progressFile: SetupFile
  var progress: SetupProgress
  /// Devices named on the command line: nothing is asked about them.
  let named: (input: String?, output: String?)

  /// - Returns: Anything but done where the last step stays open, because no sound flows.
  /// - Throws: ``Failure`` and ``ConfigurationFailures``; what was done by then is kept.
  mutating func run() throws -> ExitStatus {
    try leaveOutUnreadable()
    if progress.ground != nil { progress.settle(on: try ground()) }
    let device = file.configuration.device
    if named.input ?? device.capture != device.capture || named.output ?? device.playback != device.playback
    {
      progress.reopen(.devices)
    }
    introduce()
    while let step = progress.next {
      let number = (SetupStep.allCases.firstIndex(of: step) ?? 0) + 1
      interview.say("\nStep \(number) of \(SetupStep.allCases.count): \(step.words)")
      let status = try carryOut(step)
      guard status == .done else { return status }
    }
    progress.reopen(.devices)
    try progressFile.write(progress)
    return .done
  }

  /// Takes out files that the configuration names and that cannot be read: the step that names one asks for another.
  private mutating func leaveOutUnreadable() throws {
    let named = [
      (key: "hearing.audiogram", step: SetupStep.prescription), ("calibration.earphone.file", .loudness),
      ("calibration.microphone.file", .calibration),
    ]
    for (key, step) in named {
      let faults = Self.faults(of: file)
      guard !faults.isEmpty else { return }
      var changed = file
      try changed.unset(key, subject: key)
      let left = Self.faults(of: changed)
      guard left.count < faults.count else { continue }
      for fault in faults where !left.contains(fault) { say(fault) }
      interview.say("It is left out of the configuration; you are asked for another.")
      file = changed
      if progress.done.contains(step) { progress.reopen(step) }
    }
  }

  private static func faults(of file: ConfigurationFile) -> [Failure] {
    do throws(ConfigurationFailures) { _ = try AidSettings(try file.loaded()) } catch {
      return error.failures
    }
    return []
  }

  private func introduce() {
    guard !progress.done.isEmpty else {
      interview.say(
        "From nothing to safe sound in \(SetupStep.allCases.count) steps. Leave with Ctrl-C whenever you want: "
          + "auricle setup goes on at that step. Keep the earphones out of your ears until you are asked.")
      return
    }
    interview.say("Done already: \(English.list(progress.done.map(\.words), "and")).")
  }

  /// - Returns: Anything but done of a step that stays open, and cannot be asked again now.
  private mutating func carryOut(_ step: SetupStep) throws -> ExitStatus {
    switch step {
    case .devices: try chooseDevices()
    case .loudness: try confirmLoudness()
    case .sides: try checkSides()
    case .calibration: try nameCalibration()
    case .prescription: try takePrescription()
    case .feedback: try measureFeedback()
    case .start: return try start()
    }
    return .done
  }

  // MARK: - For the steps

  /// Notes a step as done, after everything that it changed is on the disk.
  mutating func finish(_ step: SetupStep, level: Double? = nil) throws {
    let expected = try ground()
    try file.save()
    progress.finish(step, on: expected, level: level)
    try settle()
  }

  /// Puts a part of the next step on the disk.
  mutating func keep(level: Double? = nil) throws {
    let expected = try ground()
    try file.save()
    progress.keep(on: expected, level: level)
    try settle()
  }

  /// Goes back to what somebody else has changed meanwhile, and puts the progress on the disk.
  private mutating func settle() throws {
    let next = progress.next
    progress.settle(on: try ground())
    if progress.next != next {
      interview.say(
        "Another program has changed the devices or the loudness in \(file.path) meanwhile: that is done again."
      )
    }
    try progressFile.write(progress)
  }

  /// Goes back to a step.
  mutating func reopen(_ step: SetupStep) throws {
    progress.reopen(step)
    try progressFile.write(progress)
  }

  /// Ground on which the steps rest now.
  func ground() throws -> SetupProgress.Ground {
    let device = file.configuration.device
    return SetupProgress.Ground(
      configuration: try AbsolutePath.of(file.path), capture: device.capture, playback: device.playback,
      limit: try limit())
  }

  mutating func set(_ key: String, _ value: String) throws(Failure) {
    try file.set(key, to: value, from: nil, subject: key)
  }

  /// Reads away what was typed before a question.
  func drain() throws(Failure) { while interview.hasAnswer() { _ = try interview.ask("") } }

  /// A typed path; `~` is the home folder, as in a shell.
  func path(_ typed: String) -> String {
    guard typed == "~" || typed.hasPrefix("~/"), let home = ProcessEnvironment.variables["HOME"] else {
      return typed
    }
    return home + typed.dropFirst()
  }

  /// Says what went wrong, as a command would.
  func say(_ failure: any Error) {
    let failures = (failure as? ConfigurationFailures)?.failures ?? [failure as? Failure].compactMap(\.self)
    interview.say(failures.isEmpty ? "\(failure)" : failures.map(\.message).joined(separator: "\n"))
  }
}
