import Acoustics
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Devices on trial, and a configuration that is read again") struct RouteReloadTests: RouteSuite {
  let text = Shared("")
  let folder = TemporaryFolder()

  @Test("a configuration that asks for the devices on trial keeps them")
  func writtenMeanwhile() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    text.value = "device.playback = \"hw:9\""
    daemon.ask(SoundMethods.Reload())
    daemon.pass(30)
    #expect(daemon.orders == [] && playback(daemon) == "hw:9" && !daemon.state.isOnTrial)
  }

  @Test(
    "those that have not sounded yet make way for the former ones all the same when they cannot be used")
  func writtenTooEarly() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    text.value = "device.playback = \"hw:9\""
    daemon.ask(SoundMethods.Reload())
    #expect(!daemon.state.isOnTrial && playback(daemon) == "hw:9")
    reopen(daemon, as: .waitingForDevice(reason: "there is none"))
    daemon.pass(2.1)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1")
    #expect(daemon.state.refusedDevices?.contains("there is none") == true)
  }

  @Test("a configuration that asks for others ends the trial, and for what it asks is used")
  func otherMeanwhile() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    text.value = "device.playback = \"hw:7\""
    daemon.ask(SoundMethods.Reload())
    reopen(daemon)
    daemon.pass(30)
    #expect(daemon.orders == [] && playback(daemon) == "hw:7" && !daemon.state.isOnTrial)
  }

  @Test("devices that are tried beside a reload have its rate and its stream, not those from before it")
  func triedBesideReload() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.isDiskStalled = true
    text.value = "[device]\nplayback = \"hw:1\"\nrate = 48000\nstream = \"hw:5\""
    daemon.ask(SoundMethods.Reload())
    daemon.ask(try9)
    daemon.releaseDisk()
    let device = daemon.state.configuration.configuration.device
    #expect(device.playback == "hw:9" && device.rate == 48_000 && device.stream == "hw:5")
    #expect(daemon.state.isOnTrial)
  }

  @Test("where other earphones came into use while a trial was prepared nothing is tried")
  func overtakenTrial() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    text.value = "device.playback = \"hw:7\""
    daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped)
    daemon.isDiskStalled = true
    daemon.ask(RouteMethods.Try(capture: "hw:3", playback: nil))
    daemon.engine(.faulted(reason: "no such rate"))
    daemon.releaseDisk()
    let refusal = try failure(daemon.answer(to: RouteMethods.Try.self))
    #expect(
      refusal.exitStatus == .temporary && refusal.message.contains("Other devices came into use meanwhile"))
    #expect(playback(daemon) == "hw:1" && !daemon.state.isOnTrial)
  }

  @Test(
    "a trial begun before the file's new devices have sounded for a second comes back to these, not to those before",
    arguments: [false, true])
  func triedAtOnce(isBreakingOff: Bool) throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    text.value = "[device]\nplayback = \"hw:7\"\nperiod = 128"
    daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped)
    daemon.engine(.running) {
      $0.isUnproven = true
      if isBreakingOff { $0.breakingOff = "it drops out" }
    }
    daemon.ask(try9)
    daemon.engine(.stopped) { $0.breakingOff = nil }
    daemon.engine(.running) { $0.isUnproven = false }
    // Those that break off do not sound: the ones before, which do, come back.
    let expected = isBreakingOff ? "hw:1" : "hw:7"
    #expect(daemon.state.isOnTrial && daemon.state.formerDevices?.used.device.playback == expected)
    daemon.pass(10.1)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == expected)
    #expect(daemon.state.configuration.configuration.device.period == (isBreakingOff ? 64 : 128))
  }

  // MARK: - Devices that a reload was refused

  /// Earphones' levels with lines before them.
  private func calibrated(_ lines: String, level: Int = 100, device: String = "HDA 200") -> String {
    """
    \(lines)
    [calibration.earphone]
    full-scale-level = \(level)
    device = "\(device)"
    source = "data sheet"
    status = "provisional"
    """
  }

  /// One whose former devices are open again, for the file's cannot be used.
  private func refused(_ former: String, _ new: String) throws -> Timeline {
    let daemon = try sounding(former)
    text.value = new
    daemon.ask(SoundMethods.Reload())
    reopen(daemon, as: .faulted(reason: "no such rate"))
    reopen(daemon)
    return daemon
  }

  private func status(_ daemon: Timeline) -> CalibrationStatus {
    daemon.state.heard.earphones.device.status
  }

  /// Devices with which the calibrations were made, as a kept route binds them.
  private func bound(_ daemon: Timeline) throws -> String? {
    daemon.ask(try9)
    reopen(daemon)
    return try #require(daemon.ask(RouteMethods.Keep())).get().asked?.playback
  }

  @Test("back on the former devices a calibration that is the same as before counts, and is bound to them")
  func sameCalibration() throws {
    let daemon = try refused(
      calibrated("device.playback = \"hw:1\""), calibrated("device.playback = \"hw:7\""))
    #expect(playback(daemon) == "hw:1" && status(daemon) == .provisional)
    #expect(try bound(daemon) == "hw:1" && status(daemon) == .none)
  }

  @Test(
    "one that came with the refused devices does not count on the former ones, and is bound to those it came with",
    arguments: [("device.playback = \"hw:7\"", "hw:7"), ("", "unknown")])
  func otherCalibration(_ lines: String, _ expected: String) throws {
    let daemon = try refused(calibrated("device.playback = \"hw:1\""), calibrated(lines, level: 90))
    #expect(playback(daemon) == "hw:1" && status(daemon) == .none)
    #expect(try bound(daemon) == expected && status(daemon) == .none)
  }

  @Test("a calibration of the same devices that came with a refused rate counts on them")
  func refusedRate() throws {
    for device in ["device.playback = \"hw:1\"\n", ""] {
      let daemon = try refused(
        calibrated(device), calibrated(device + "device.rate = 48000", level: 90))
      #expect(daemon.state.configuration.configuration.device.rate == 44_100)
      #expect(status(daemon) == .provisional)
      #expect(daemon.state.heard.earphones.sensitivity.left.nominalLevel == SoundPressureLevel(90))
    }
  }

  @Test("former devices to which a calibration led are named where another one leads elsewhere")
  func calibrationsDevice() throws {
    let daemon = try refused(
      calibrated("", device: "cala:"), calibrated("device.playback = \"gone\"", device: "gone:"))
    #expect(playback(daemon) == "cala" && status(daemon) == .none)
    let same = try refused(
      calibrated("", device: "cala:"), calibrated("device.playback = \"away\"", device: "cala:"))
    #expect(playback(same) == nil && status(same) == .provisional)
    #expect(same.state.devicesInUse.playback == "cala")
  }

  @Test("former devices that nobody had named are named where a calibration came with the refused ones")
  func unnamedDevices() throws {
    let daemon = try sounding(calibrated(""))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    text.value = calibrated("device.playback = \"hw:7\"", level: 90)
    daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped) { $0.devices = nil }
    daemon.engine(.faulted(reason: "no such rate"))
    #expect(playback(daemon) == "hw:1" && status(daemon) == .none)
  }

  @Test(
    "that they were refused is told while the former ones are in use, and no longer once others are kept")
  func told() throws {
    let daemon = try refused("device.playback = \"hw:1\"", "device.playback = \"hw:7\"")
    func isTold() -> Bool {
      daemon.state.report.program?.notes.contains { $0.contains("so the former ones still are") } == true
    }
    #expect(isTold())
    daemon.ask(try9)
    reopen(daemon)
    #expect(!isTold())
    daemon.pass(11)
    reopen(daemon)
    #expect(playback(daemon) == "hw:1" && isTold())
    daemon.ask(try9)
    reopen(daemon)
    daemon.ask(RouteMethods.Keep())
    #expect(!isTold() && playback(daemon) == "hw:9")
  }

  // MARK: - A calibration that names no device

  /// One whose calibration names no device and counts with the first card, hw:1, while hw:9 is on trial and sounds.
  ///
  /// - Parameter isKnown: False: hw:1 was not open before.
  private func trying(isKnown: Bool = true) throws -> Timeline {
    let daemon = try sounding(calibrated(""))
    if isKnown { daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") } }
    daemon.ask(try9)
    close(daemon)
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:9") }
    #expect(status(daemon) == .none)
    return daemon
  }

  private func close(_ daemon: Timeline) { daemon.engine(.stopped) { $0.devices = nil } }

  @Test("a trial ends on the device where it began, by its name, and its calibration counts there alone")
  func unnamedAfterTrial() throws {
    let daemon = try trying()
    daemon.ask(RouteMethods.Back())
    #expect(playback(daemon) == "hw:1" && status(daemon) == .none)
    close(daemon)
    #expect(status(daemon) == .provisional)
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    // The same file once more: the device that it does not name stays.
    let report = self.report(daemon.ask(SoundMethods.Reload()))
    #expect(report?.reopened == [] && report?.applied == [])
    #expect(playback(daemon) == "hw:1" && status(daemon) == .provisional)
  }

  @Test("so it does where a reload meanwhile asks for a device that faults")
  func unnamedAfterFault() throws {
    let daemon = try trying()
    text.value = calibrated("device.playback = \"hw:7\"")
    daemon.ask(SoundMethods.Reload())
    close(daemon)
    daemon.engine(.faulted(reason: "no such rate"))
    #expect(playback(daemon) == "hw:1" && status(daemon) == .provisional)
    reopen(daemon)
    #expect(try bound(daemon) == "hw:1")
  }

  @Test(
    "a file without a name leads from devices that were kept to the one with which the calibration counts")
  func unnamedAfterKeeping() throws {
    let daemon = try trying()
    daemon.ask(RouteMethods.Keep())
    daemon.ask(SoundMethods.Reload())
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1" && status(daemon) == .none)
    close(daemon)
    #expect(status(daemon) == .provisional)
  }

  @Test("a file without a name leads from devices that were kept to none on which another daemon plays")
  func claimedAfterKeeping() throws {
    let daemon = try trying()
    daemon.ask(RouteMethods.Keep())
    let other = try PlaybackClaim("hw:1", in: folder.path)
    let failure = try failure(daemon.ask(SoundMethods.Reload()))
    #expect(failure.exitStatus == .temporary && failure.message.contains("another auricled plays"))
    #expect(daemon.orders == [] && playback(daemon) == "hw:9")
    withExtendedLifetime(other) {}
  }

  @Test("where nobody can tell the device it counts no longer, also after a reload")
  func unknownAfterTrial() throws {
    let daemon = try trying(isKnown: false)
    daemon.ask(RouteMethods.Back())
    close(daemon)
    #expect(playback(daemon) == nil && status(daemon) == .none)
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    daemon.ask(SoundMethods.Reload())
    #expect(status(daemon) == .none)
  }

  @Test("another calibration without a name does not count with the device that the file named before")
  func unnamedAfterNamed() throws {
    let daemon = try sounding(calibrated("device.playback = \"hw:1\""))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    text.value = calibrated("", level: 80)
    daemon.ask(SoundMethods.Reload())
    close(daemon)
    #expect(status(daemon) == .none && playback(daemon) == nil)
    // The same one as before is that device's still.
    let same = try sounding(calibrated("device.playback = \"hw:1\""))
    same.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    text.value = calibrated("")
    same.ask(SoundMethods.Reload())
    #expect(same.orders == [] && status(same) == .provisional && playback(same) == "hw:1")
  }

  @Test("a new calibration without a name does not count with the device to which the former one led")
  func unnamedAfterLed() throws {
    let daemon = try sounding(calibrated("", level: 111, device: "hw:CARD=A (HDA 200)"))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:CARD=A") }
    #expect(status(daemon) == .provisional)
    text.value = calibrated("", level: 80)
    daemon.ask(SoundMethods.Reload())
    // Of unknown earphones, at once and after they are opened anew.
    #expect(status(daemon) == .none)
    close(daemon)
    #expect(status(daemon) == .none)
  }

  @Test("a calibration is bound to the earphones that were pulled out, not to none that there are")
  func pulled() throws {
    let daemon = try sounding(calibrated(""))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    daemon.engine(.waitingForDevice(reason: "it was unplugged")) { $0.devices = nil }
    #expect(daemon.state.devicesInUse.playback == "hw:1")
    daemon.ask(try9)
    #expect(daemon.state.route.asked?.playback == "hw:1")
  }

  // MARK: - A calibration that leads to another device

  @Test("a calibration of another card has that one opened, and counts once the former one is closed")
  func otherCard() throws {
    let daemon = try sounding(calibrated("", level: 111, device: "hw:CARD=A (HDA 200)"))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:CARD=A") }
    func level() -> Double { daemon.state.heard.earphones.sensitivity.left.nominalLevel.decibels }
    #expect(status(daemon) == .provisional && level() == 111)
    text.value = calibrated("", level: 91, device: "hw:CARD=B (HDA 200)")
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    // As of unknown earphones: A still sounds.
    #expect(daemon.orders == [.requestStop] && status(daemon) == .none && level() == 120)
    #expect(daemon.state.namedDevices.playback == "hw:CARD=B")
    daemon.engine(.stopped) { $0.devices = nil }
    #expect(daemon.orders == [.join, .start] && status(daemon) == .provisional && level() == 91)
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:CARD=B") }
    let report = try #require(self.report(daemon.answer(to: SoundMethods.Reload.self)))
    #expect(
      report.reopened == ["calibration.earphone.full-scale-level", "calibration.earphone.device"]
        && report.applied == [])
  }

  @Test("where that card is not there the former one sounds on, not calibrated")
  func missingCard() throws {
    let daemon = try sounding(calibrated("", level: 111, device: "hw:CARD=A (HDA 200)"))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:CARD=A") }
    text.value = calibrated("", level: 91, device: "hw:CARD=B (HDA 200)")
    daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped) { $0.devices = nil }
    daemon.engine(.waitingForDevice(reason: "there is none"))
    daemon.pass(2.1)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:CARD=A" && status(daemon) == .none)
  }

  @Test("a calibration that is bound to the card that is open has nothing opened")
  func sameCard() throws {
    let daemon = try sounding(calibrated("", level: 111))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:CARD=A,DEV=0") }
    text.value = calibrated("", level: 111, device: "hw:CARD=A (HDA 200)")
    let report = self.report(daemon.ask(SoundMethods.Reload()))
    #expect(report?.applied == ["calibration.earphone.device"] && report?.reopened == [])
    #expect(daemon.orders == [] && status(daemon) == .provisional)
  }
}
