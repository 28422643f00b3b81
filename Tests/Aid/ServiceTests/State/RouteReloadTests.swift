import CommonTesting
import Control
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
}
