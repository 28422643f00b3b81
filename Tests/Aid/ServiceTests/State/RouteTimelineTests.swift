import Base
import Bus
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Devices on trial") struct RouteTimelineTests: RouteSuite {
  let text = Shared("")
  let folder = TemporaryFolder()

  @Test("other devices are opened from silence, and the answer waits until they sound")
  func begins() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    #expect(daemon.ask(try9) == nil)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:9")
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join, .start] && !daemon.isAnswered)
    daemon.engine(.running)
    let route = try answer(daemon)
    #expect(route.isOnTrial && route.devices.playback == "hw:9" && route.former?.playback == "hw:1")
    #expect(route.trialLeftSeconds == 10)
  }

  @Test(
    "unless somebody keeps them, the former devices are opened again 10 s after the first sound, not before"
  )
  func endsByItself() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    daemon.engine(.stopped)
    daemon.pass(1.5)
    daemon.engine(.running)
    daemon.pass(9.9)
    #expect(daemon.orders == [] && playback(daemon) == "hw:9")
    // The supervisor wakes for it.
    #expect(daemon.state.deadline <= daemon.now + 0.1)
    daemon.pass(0.2)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1")
    reopen(daemon)
    daemon.pass(30)
    #expect(daemon.orders == [] && playback(daemon) == "hw:1")
    #expect(try failure(daemon.ask(RouteMethods.Keep())).found.contains("nobody kept them"))
  }

  @Test("devices that are kept stay, and a second word on them is refused")
  func kept() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    let route = try #require(daemon.ask(RouteMethods.Keep())).get()
    #expect(!route.isOnTrial && route.devices.playback == "hw:9" && route.former?.playback == "hw:1")
    daemon.pass(30)
    #expect(daemon.orders == [] && playback(daemon) == "hw:9")
    #expect(try failure(daemon.ask(RouteMethods.Keep())).exitStatus == .no)
    #expect(try failure(daemon.ask(RouteMethods.Back())).exitStatus == .no)
  }

  @Test("a word on a trial that has given way to another is refused, and the other goes on")
  func otherTrial() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    let first = try answer(daemon).trial
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:8"))
    reopen(daemon)
    #expect(try failure(daemon.ask(RouteMethods.Keep(trial: first))).exitStatus == .no)
    #expect(try failure(daemon.ask(RouteMethods.Back(trial: first))).exitStatus == .no)
    #expect(daemon.state.isOnTrial && playback(daemon) == "hw:8")
    let second = try #require(daemon.ask(RouteMethods.Keep(trial: daemon.state.route.trial))).get()
    #expect(!second.isOnTrial && second.devices.playback == "hw:8")
  }

  @Test("during a trial the former devices can be tried as well: they are this daemon's own")
  func formerOnes() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:8"))
    reopen(daemon)
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:9"))
    reopen(daemon)
    #expect(playback(daemon) == "hw:9" && daemon.state.route.former?.playback == "hw:1")
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:1"))
    reopen(daemon)
    #expect(playback(daemon) == "hw:1" && daemon.state.isOnTrial)
  }

  @Test("who began a trial that another one has taken the place of does not keep the other's devices")
  func overtaken() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:8"))
    reopen(daemon)
    let first = try #require(daemon.answer(to: RouteMethods.Try.self, before: 1)).get()
    #expect(!first.isOnTrial && first.trial == nil && first.ended?.contains("somebody else") == true)
    #expect(daemon.state.isOnTrial && playback(daemon) == "hw:8")
  }

  @Test("the device before the trial stays this daemon's until the trial is kept")
  func claims() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    text.value = "device.playback = \"hw:2\""
    daemon.ask(SoundMethods.Reload())
    reopen(daemon)
    daemon.ask(try9)
    reopen(daemon)
    #expect(throws: Failure.self) { try PlaybackClaim("hw:2", in: folder.path) }
    daemon.ask(RouteMethods.Keep())
    _ = try PlaybackClaim("hw:2", in: folder.path)
  }

  @Test("the former device's card stays reserved until the trial is kept, and is given back then")
  func cards() throws {
    let read = try loaded("device.playback = \"hw:1\"")
    let daemon = Timeline(
      ServiceState(.init(started: .at(100), sharesCards: true), configuration: read), disk: disk())
    func asked() -> [String] {
      daemon.effects.flatMap { effect -> [String] in
        guard case .reserve(let devices) = effect else { return [] }
        return devices.map { $0.playback ?? "first card" }
      }
    }
    daemon.happen(.begin)
    #expect(asked() == ["hw:1"])
    daemon.happen(.reserved([]))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:1") }
    daemon.ask(try9)
    #expect(asked() == [])
    daemon.engine(.stopped) { $0.devices = nil }
    #expect(asked() == ["hw:9", "hw:1"])
    daemon.happen(.reserved([]))
    daemon.engine(.running) { $0.devices = open("hw:0", "hw:9") }
    daemon.pass(5)
    #expect(asked() == [])
    daemon.ask(RouteMethods.Keep())
    #expect(asked() == ["hw:9"] && daemon.orders == [])
  }

  @Test("a trial can be ended at once")
  func back() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    daemon.ask(RouteMethods.Back())
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1")
  }

  @Test(
    "devices that cannot be used make way for the former ones, and the answer says why",
    arguments: [AidState.faulted(reason: "no such rate"), .waitingForDevice(reason: "there is none")])
  func refused(_ found: AidState) throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon, as: found)
    if case .waitingForDevice = found {
      daemon.pass(1.9)
      #expect(daemon.orders == [] && playback(daemon) == "hw:9")
      daemon.pass(0.2)
    }
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1")
    reopen(daemon)
    let route = try answer(daemon)
    #expect(
      !route.isOnTrial
        && route.ended == (found == .faulted(reason: "no such rate") ? "no such rate" : "there is none"))
    // A configuration that nobody has changed is not to be corrected.
    #expect(daemon.state.report.program?.notes.contains { $0.contains("configuration") } == false)
  }

  /// A daemon whose devices fault, and that tries others.
  private func tryingFromFault() throws -> Timeline {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.engine(.faulted(reason: "old fault"))
    #expect(daemon.ask(try9) == nil)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:9")
    return daemon
  }

  @Test("a trial while the former devices fault is one of the new ones")
  func fromFault() throws {
    let daemon = try tryingFromFault()
    reopen(daemon)
    #expect(try answer(daemon).isOnTrial && answer(daemon).ended == nil)
  }

  @Test("a trial from a fault ends with the new devices' own reason")
  func refusedFromFault() throws {
    let daemon = try tryingFromFault()
    reopen(daemon, as: .faulted(reason: "no such rate"))
    reopen(daemon, as: .faulted(reason: "old fault"))
    #expect(try answer(daemon).ended == "no such rate" && playback(daemon) == "hw:1")
  }

  @Test("a trial from a fault for which there is no audio thread says so")
  func threadlessFromFault() throws {
    let daemon = try tryingFromFault()
    daemon.engine(.stopped)
    daemon.happen(.soundRefused("no memory"))
    #expect(daemon.state.lastTrialEnd == "no audio thread can be made: no memory")
  }

  @Test(
    "a trial does not end by the trouble of the former devices, which a sound server that hangs does not let close; the new ones have their time from their opening on"
  )
  func hangingBefore() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    #expect(daemon.ask(try9) == nil)
    daemon.engine(.waitingForDevice(reason: "the sound device stopped working"))
    daemon.pass(10)
    #expect(daemon.state.isOnTrial && playback(daemon) == "hw:9")
    reopen(daemon, as: .waitingForDevice(reason: "there is none"))
    daemon.pass(1.9)
    #expect(daemon.orders == [] && playback(daemon) == "hw:9")
    daemon.pass(0.2)
    #expect(daemon.orders == [.requestStop] && playback(daemon) == "hw:1")
    #expect(daemon.state.lastTrialEnd == "there is none")
  }

  @Test("earphones pulled out during a trial: the former devices, not silence")
  func pulled() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    daemon.pass(3)
    daemon.engine(.waitingForDevice(reason: "it was unplugged"))
    #expect(playback(daemon) == "hw:1")
  }

  @Test("a stop ends the trial: the next start has the former devices")
  func stopped() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    daemon.ask(SoundMethods.Stop())
    #expect(playback(daemon) == "hw:1")
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join])
  }

  @Test("a trial during a trial still goes back to the devices before both")
  func twice() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    daemon.pass(5)
    daemon.ask(RouteMethods.Try(capture: nil, playback: "hw:8"))
    reopen(daemon)
    daemon.pass(9)
    #expect(playback(daemon) == "hw:8")
    daemon.pass(2)
    #expect(playback(daemon) == "hw:1")
  }

  @Test("no test is begun meanwhile, and for a trial whose devices are closed the daemon does not wake")
  func measuring() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    daemon.ask(try9)
    reopen(daemon)
    let refusal = try failure(daemon.ask(FeedbackMethods.Measure()))
    #expect(refusal.exitStatus == .temporary && refusal.message.contains("found devices on trial"))
    #expect(daemon.state.test == nil)
    daemon.happen(.sleep(.begins))
    daemon.engine(.stopped)
    daemon.pass(20)
    #expect(daemon.state.isOnTrial && daemon.state.deadline > daemon.now)
  }
}
