import AudioIO
import Base
import Control

/// Methods that choose the devices between which sound goes.
package enum RouteMethods {
  private static let answer = "what auricle route --json prints"

  package struct Show: DaemonMethod {
    package static let description = MethodDescription(
      "route.show", for: .any, "Tells between which devices sound goes, and whether they are on trial.",
      answer: RouteMethods.answer)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<RouteReport> {
      .now(state.route)
    }
  }

  package struct Try: DaemonMethod {
    package static let description = MethodDescription(
      "route.try", for: [.operator],
      "Opens other devices; the former ones come back 10 s after these sound unless route.keep is called, and at"
        + " once when they cannot be used.",
      [
        MethodParameter(
          "capture", .text, isOptional: true, "ALSA name of the microphone's device; default: as it is"),
        MethodParameter(
          "playback", .text, isOptional: true, "ALSA name of the earphones' device; default: as it is"),
      ], answer: RouteMethods.answer)

    /// Longest name, bytes: longer than any of alsa-lib's own, and short enough for messages.
    static let longestName = 255

    package let capture: String?
    package let playback: String?

    package init(capture: String?, playback: String?) {
      (self.capture, self.playback) = (capture, playback)
    }

    package func check() throws(ControlFailure) {
      for (key, name) in [("capture", capture), ("playback", playback)] {
        guard let name else { continue }
        guard 1...Self.longestName ~= name.utf8.count,
          name.utf8.allSatisfy({ 0x20..<0x7F ~= $0 })
        else {
          throw .parameter(
            key, found: "\"\(name.prefix(64))\"", expected: "an ALSA device name, such as \"hw:CARD=PCH\"")
        }
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<RouteReport> {
      guard capture != nil || playback != nil else {
        throw Failure("route", found: "no device", expected: "capture, playback or both", exit: .usage)
      }
      for name in [capture, playback].compactMap(\.self) { try state.refuseHarmful(name) }
      try state.refuseTrial()
      // Refused before anything is claimed.
      _ = try device(in: state)
      return state.work(.devices) { state in
        let name = playbackName(in: state)
        return { [holding = state.claims] disk -> Claimed in
          (name, Result { () throws(ConfigurationFailures) in try disk.claim(on: name, holding: holding) })
        }
      } then: { (state, found) throws(Failure) in
        try state.refuseTrial()
        // A reload may have brought another configuration meanwhile.
        let device = try device(in: state)
        guard found.name == playbackName(in: state) else {
          throw Failure(
            "route", inWords: "Other devices came into use meanwhile, so nothing has changed",
            remedy: "Ask again: auricle route use", exit: .temporary)
        }
        let taken: (claim: PlaybackClaim?, warning: String?)
        do throws(ConfigurationFailures) { taken = try found.claim.get() } catch { throw error.joined }
        if let warning = taken.warning { state.log(.warning, warning) }
        try state.tryDevices(device, taken.claim)
        return .when(\.isTrialHeard, within: FormerDevices.longestAnswer) {
          [trial = state.trials] in $0.trials == trial ? $0.route : $0.route.overtaken
        }
      }
    }

    /// ALSA's name of a playback device, and what came of claiming it.
    private typealias Claimed = (
      name: String?, claim: Result<(claim: PlaybackClaim?, warning: String?), ConfigurationFailures>
    )

    /// The devices in force with those that are asked for.
    private func device(in state: ServiceState) throws(Failure) -> Configuration.Device {
      var wanted = state.configuration.configuration
      for (key, name) in [("device.capture", capture), ("device.playback", playback)] {
        // With the checks of a configuration: no microphone of Bluetooth's.
        if let name { try wanted.set(key, to: TOMLParser.literal(name), option: "route") }
      }
      return wanted.device
    }

    /// ALSA's name of the playback device that is to be opened; nil: nothing names one.
    private func playbackName(in state: ServiceState) -> String? {
      playback ?? state.configuration.configuration.device.playback ?? state.heard.earphones.device.homeName
    }
  }

  private static let trial = MethodParameter(
    "trial", .whole(1...999_999_999), isOptional: true,
    "its number, as route.try has told it; whichever is under way when left out")

  package struct Keep: DaemonMethod {
    package static let description = MethodDescription(
      "route.keep", for: [.operator],
      "Keeps the devices on trial until the daemon ends or reads a configuration that names others.",
      [RouteMethods.trial], answer: RouteMethods.answer)

    package let trial: Int?

    package init(trial: Int? = nil) { self.trial = trial }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<RouteReport> {
      try state.needTrial(trial)
      guard state.isTrialHeard else {
        throw Failure(
          "route", found: "devices that do not sound yet", expected: "some that were heard",
          remedy: "Wait until they do.", exit: .temporary)
      }
      let former = state.route.former
      state.keepTrial()
      var report = state.route
      report.former = former
      return .now(report)
    }
  }

  package struct Back: DaemonMethod {
    package static let description = MethodDescription(
      "route.back", for: [.operator], "Ends the trial at once: the former devices are opened again.",
      [RouteMethods.trial], answer: RouteMethods.answer)

    package let trial: Int?

    package init(trial: Int? = nil) { self.trial = trial }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<RouteReport> {
      try state.needTrial(trial)
      state.endTrial("it was ended")
      return .when(\.isOpened, within: FormerDevices.patience) { $0.route }
    }
  }
}

extension ServiceState {
  /// Refuses a name that would have alsa-lib do more than open a sound device, unless the configuration has it.
  fileprivate func refuseHarmful(_ name: String) throws(Failure) {
    let (asked, used) = (configuration.askedDevice, configuration.configuration.device)
    if SilentDevice.isCalled(name), used.playback != name, used.capture != name {
      throw Failure(
        "route", found: "\(name), which plays nothing", expected: "a device that can be heard",
        remedy: "To be silent: auricle mute, or auricle stop.", exit: .usage)
    }
    guard ![asked.capture, asked.playback, used.capture, used.playback].contains(name),
      !DeviceArguments.areHarmless(in: name)
    else { return }
    throw Failure(
      "route", found: "\"\(name)\"",
      expected: "a name that auricle devices lists, or one without arguments",
      remedy: "A device behind a plugin gets a name in /etc/asound.conf, or stands in the configuration.",
      exit: .usage)
  }

  /// Refuses a trial that nobody could hear, or that would break into a measurement.
  fileprivate func refuseTrial() throws(Failure) {
    if test != nil {
      throw Failure(
        "route", found: "a feedback test under way", expected: "the sound of the aid",
        remedy: "Wait for its end, or end it with Ctrl-C where it was begun.", exit: .temporary)
    }
    guard ending == nil, state.name != .stopped else {
      throw Failure(
        "route", found: "no sound", expected: "an aid that runs, to hear whether the devices are right",
        remedy: "Start it: auricle start. Or name devices for the next start: auricle config set"
          + " device.playback=NAME", exit: .unavailable)
    }
  }

  fileprivate func needTrial(_ number: Int?) throws(Failure) {
    if isOnTrial {
      guard let number, number != trials else { return }
      throw Failure(
        "route", found: "other devices on trial than those that were meant", expected: "trial \(number)",
        remedy: "Look at them: auricle route", exit: .no)
    }
    throw Failure(
      "route",
      inWords: lastTrialEnd.map { "The trial is over: \($0)" } ?? "No devices are on trial",
      remedy: "Begin one: auricle route use", exit: .no)
  }
}
