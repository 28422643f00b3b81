import Acoustics
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Calibration of devices on trial") struct RouteCalibrationTests: RouteSuite {
  let text = Shared("")
  let folder = TemporaryFolder()

  private let calibrated = """
    device.playback = "hw:1"
    [calibration.earphone]
    full-scale-level = 100
    device = "HDA 200"
    date = "2026-01-31"
    status = "verified"
    """

  @Test("other earphones are not calibrated: full scale counts as 120 dB SPL, which is quieter than as 100")
  func calibration() throws {
    let daemon = try sounding(calibrated)
    let own = daemon.state.heard.earphones
    #expect(own.device.status == .provisional)
    daemon.ask(try9)
    #expect(daemon.state.heard.earphones == HearingSettings().earphones)
    #expect(daemon.state.route.uncalibratedEnds == ["earphone"])
    reopen(daemon)
    daemon.pass(11)
    #expect(daemon.state.heard.earphones == own)
  }

  @Test(
    "other earphones count as no quieter than those of the calibration, which may be the same pair by another name"
  )
  func loudEarphones() throws {
    let table = """
      {"device": {"device": "in-ears", "status": "provisional", "source": "data sheet"},
       "sensitivity": {"left": [{"frequency": 250, "level": 118}, {"frequency": 3000, "level": 137}], "right": 119}}
      """
    let folder = TemporaryFolder()
    folder.write(table, to: "earphones.json")
    let daemon = try sounding(
      "device.playback = \"hw:1\"\ncalibration.earphone.file = \"\(folder.file("earphones.json"))\"")
    #expect(daemon.state.heard.earphones.device.status == .provisional)
    daemon.ask(try9)
    let other = daemon.state.heard.earphones
    #expect(other.device.status == .none)
    #expect(other.sensitivity.left.heldLevel(at: 250).decibels == 137, "the loudest of the table")
    #expect(other.sensitivity.right.nominalLevel.decibels == 120, "what unknown earphones count as")
  }

  @Test("a calibration that names the device it was made with counts with that one alone")
  func namedCalibration() throws {
    let daemon = try sounding(calibrated.replacing("HDA 200", with: "hw:CARD=9,DEV=0 (HDA 200)"))
    #expect(daemon.state.heard.earphones.device.status == .none)
    daemon.ask(try9)
    #expect(daemon.state.heard.earphones.device.status == .provisional)
  }

  @Test("a device's name without a colon has one behind it where it binds a calibration")
  func boundWithoutColon() throws {
    let bound = try sounding(calibrated.replacing("HDA 200", with: "lat: (HDA 200)"))
    #expect(bound.state.heard.earphones.device.status == .none, "hw:1 is not lat")
    let other = try sounding(
      calibrated.replacing("HDA 200", with: "lat: (HDA 200)").replacing("hw:1", with: "lat"))
    #expect(other.state.heard.earphones.device.status == .provisional)
  }

  @Test("a calibration of devices on trial counts once the former ones are closed, and theirs no longer")
  func afterClosing() throws {
    let daemon = try sounding(calibrated.replacing("HDA 200", with: "hw:CARD=9,DEV=0 (HDA 200)"))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    daemon.ask(try9)
    #expect(daemon.state.heard.earphones.device.status == .none)
    daemon.engine(.stopped) { $0.devices = nil }
    #expect(daemon.applied?.earphones.device.status == .provisional)
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:9") }
    #expect(daemon.state.heard.earphones.device.status == .provisional)
    daemon.ask(RouteMethods.Back())
    #expect(daemon.state.heard.earphones.device.status == .none)
  }

  @Test(
    "a calibration that names no device is bound to the one that was open, or to none that there is where none was"
  )
  func unnamedDevices() throws {
    for isOpen in [true, false] {
      let daemon = try sounding(calibrated.replacing("device.playback = \"hw:1\"\n", with: ""))
      #expect(daemon.state.heard.earphones.device.status == .provisional)
      if isOpen { daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") } }
      daemon.ask(try9)
      let asked = daemon.state.route.asked
      #expect(asked?.playback == (isOpen ? "hw:1" : "unknown"))
      #expect(asked?.capture == (isOpen ? "hw:0" : nil))
    }
  }

  @Test("devices with which the limit lets through more are told of it")
  func louderDevices() throws {
    let daemon = try sounding(
      calibrated.replacing("HDA 200", with: "hw:CARD=9,DEV=0 (HDA 200)")
        + "\n[safety]\nmaximum-output = 90\n")
    daemon.ask(try9)
    reopen(daemon)
    // 90 dB SPL of 120 at full scale, then of 100.
    #expect(try answer(daemon).notes.first?.contains("20 dB louder than before") == true)
  }
}
