import Base
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("A kept route in the configuration file") struct RouteFileTests {
  private let folder = TemporaryFolder()

  /// The file after a route was kept.
  private func kept(_ text: String, _ route: RouteReport) throws -> String {
    folder.write(text, to: "auricle.toml")
    let path = folder.file("auricle.toml")
    var file = try ConfigurationFile(ConfigurationSearch(explicit: path))
    try file.keep(route)
    try file.save()
    return String(decoding: try FileContent.bytes(of: path, limit: 1 << 20), as: UTF8.self)
  }

  private func route(
    _ capture: String?, _ playback: String?, asked: RouteReport.Names?
  ) -> RouteReport {
    let none = StatusReport.Calibration.End(status: .none, device: nil, date: nil)
    return RouteReport(
      devices: .init(capture: capture, playback: playback), former: asked, asked: asked,
      state: .init(.running, since: 0), isOnTrial: false, trial: nil, trialLeftSeconds: nil, ended: nil,
      calibration: .init(microphone: none, earphone: none), uncalibratedEnds: [], configurationFile: nil)
  }

  @Test("both devices are named, and everything else stays")
  func names() throws {
    let text = try kept(
      "# mine\n[device]\nplayback = \"hw:1\"\nperiod = 32\n",
      route("hw:0", "hw:9", asked: .init(capture: "hw:0", playback: "hw:1")))
    #expect(text == "# mine\n[device]\nplayback = \"hw:9\"\nperiod = 32\ncapture = \"hw:0\"\n")
  }

  @Test("a calibration is bound to the device it was made with, which the file named before")
  func binds() throws {
    let text = try kept(
      """
      [device]
      playback = "hw:1"
      [calibration.earphone]
      full-scale-level = 100
      device = "HDA 200"
      date = "2026-01-31"
      status = "verified"

      """, route("hw:0", "hw:9", asked: .init(capture: "hw:0", playback: "hw:1")))
    #expect(text.contains("device = \"hw:1 (HDA 200)\""))
    #expect(text.contains("playback = \"hw:9\""))
    // The microphone's has not changed, and nothing is calibrated there.
    #expect(!text.contains("calibration.microphone"))
    let again = try kept(text, route("hw:0", "hw:8", asked: .init(capture: "hw:0", playback: "hw:9")))
    #expect(again.contains("device = \"hw:1 (HDA 200)\""), "bound already")
  }

  @Test("a device without a colon in its name binds a calibration too, once")
  func bindsPlainNames() throws {
    let file = "[device]\nplayback = \"lat\"\n[calibration.earphone]\nfull-scale-level = 100\n"
    let text = try kept(file, route("lat", "other", asked: .init(capture: "lat", playback: "lat")))
    #expect(text.contains("device = \"lat:\"\n"))
    let again = try kept(text, route("lat", "default", asked: .init(capture: "lat", playback: "other")))
    #expect(again.contains("device = \"lat:\"\n"))
    #expect(try loaded(again).configuration.device.playback == "default")
  }

  @Test("a calibration file that names its device itself is never bound to another")
  func bindsNoFileOfItsOwn() throws {
    folder.write(
      """
      {"device": {"device": "third: (in-ears)", "status": "provisional", "source": "x"},
       "sensitivity": {"left": 90, "right": 90}}
      """, to: "ear.json")
    let file = "[device]\nplayback = \"lat\"\n[calibration.earphone]\nfile = \"ear.json\"\n"
    for device in ["other", "third"] {
      let text = try kept(file, route("lat", device, asked: .init(capture: "lat", playback: "lat")))
      #expect(!text.contains("device = \"lat"), "\(text)")
    }
  }

  @Test("a calibration that was made with a device which nobody can name counts with none")
  func bindsUnknown() throws {
    let text = try kept(
      "[calibration.earphone]\nfull-scale-level = 100\n",
      route("hw:0", "hw:9", asked: .init(capture: "hw:0", playback: "unknown")))
    #expect(text.contains("device = \"unknown:\""))
    let read = try loaded(text)
    let foreign = try AidSettings(read).hearing.foreignCalibrations(for: read, found: FoundDevices())
    #expect(foreign == [.earphone])
  }

  @Test("such a calibration leads to no device where none is named, and counts with none")
  func unknownLeadsNowhere() throws {
    let calibration = "[calibration.earphone]\nfull-scale-level = 100\ndevice = \"unknown:\"\n"
    for device in ["", "device.playback = \"unknown\"\n"] {
      let read = try loaded(device + calibration)
      let settings = try AidSettings(read)
      #expect(settings.playbackDevice == (device.isEmpty ? nil : "unknown"))
      let foreign = settings.hearing.foreignCalibrations(for: read, found: FoundDevices())
      #expect(foreign == [.earphone])
    }
  }

  @Test("names with quotation marks and backslashes are written so that they are read again")
  func quoted() throws {
    let name = #"plug:SLAVE="hw:\"0"#
    let text = try kept("", route(nil, name, asked: nil))
    #expect(try loaded(text).configuration.device.playback == name)
    #expect(try loaded(text).configuration.device.capture == nil)
  }
}
