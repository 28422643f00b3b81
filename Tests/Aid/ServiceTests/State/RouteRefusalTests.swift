import Base
import CommonTesting
import Control
import Testing

@testable import Service

@Suite("Devices that are not tried") struct RouteRefusalTests: RouteSuite {
  let text = Shared("")
  let folder = TemporaryFolder()

  @Test("a device that plays nothing is not tried: silence has its own words")
  func silentDevice() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    let refusal = try failure(daemon.ask(RouteMethods.Try(capture: nil, playback: "null")))
    #expect(refusal.exitStatus == .usage && refusal.message.contains("auricle mute"))
  }

  @Test("a name that would start a program is refused, unless the configuration has it")
  func harmfulName() throws {
    let name = "tee:hw:9,'|touch x',raw"
    let daemon = try sounding("device.playback = \"hw:1\"")
    let refusal = try failure(daemon.ask(RouteMethods.Try(capture: nil, playback: name)))
    #expect(refusal.exitStatus == .usage && !daemon.state.isOnTrial)
    let own = try sounding("device.playback = \"\(name)\"")
    own.ask(RouteMethods.Try(capture: "hw:9", playback: name))
    #expect(own.state.isOnTrial)
  }

  @Test("without sound there is nothing to hear, and devices are not tried")
  func silent() throws {
    let daemon = try sounding()
    daemon.ask(SoundMethods.Stop())
    daemon.engine(.stopped)
    #expect(try failure(daemon.ask(try9)).exitStatus == .unavailable)
    #expect(playback(daemon) == nil)
  }

  @Test("a device that another daemon plays on is refused, and nothing changes")
  func taken() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    let other = try PlaybackClaim("hw:9", in: folder.path)
    let failure = try self.failure(daemon.ask(try9))
    #expect(failure.found.contains("another auricled plays"))
    #expect(daemon.orders == [] && playback(daemon) == "hw:1" && !daemon.state.isOnTrial)
    withExtendedLifetime(other) {}
  }

  @Test(
    "names that no device has are refused",
    arguments: ["", "hw:1\nhw:2", "hw:\u{7F}", String(repeating: "a", count: 256), "hw:ä"])
  func badNames(_ name: String) {
    #expect(throws: ControlFailure.self) { try RouteMethods.Try(capture: name, playback: nil).check() }
    #expect(throws: ControlFailure.self) { try RouteMethods.Try(capture: nil, playback: name).check() }
  }

  @Test("a Bluetooth microphone is refused, and nothing changes")
  func bluetoothMicrophone() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    let method = RouteMethods.Try(capture: "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco", playback: nil)
    #expect(try failure(daemon.ask(method)).exitStatus == .usage)
    #expect(daemon.orders == [] && !daemon.state.isOnTrial)
  }

  @Test("no device at all is refused")
  func noName() throws {
    let daemon = try sounding()
    #expect(try failure(daemon.ask(RouteMethods.Try(capture: nil, playback: nil))).exitStatus == .usage)
    #expect(!daemon.state.isOnTrial)
  }
}
