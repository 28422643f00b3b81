import Acoustics
import Base
import Bus
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Devices on trial") struct RouteTimelineTests {
  private let text = Shared("")
  private let folder = TemporaryFolder()

  /// One that sounds, by a configuration.
  private func sounding(_ configuration: String = "") throws -> Timeline {
    text.value = configuration
    let disk = ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), claimFolder: folder.path
    ) { [text] in
      do { return .success(try loaded(text.value)) } catch let error as ConfigurationFailures {
        return .failure(error)
      } catch { return .failure(ConfigurationFailures(failures: [])) }
    }
    let read = try loaded(configuration)
    let hearing = try AidSettings(read).hearing
    let daemon = Timeline(
      ServiceState(.init(started: .at(100)), configuration: read, configured: hearing), disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  /// Lets the engine close its devices and open those asked for.
  private func reopen(_ daemon: Timeline, as state: AidState = .running) {
    daemon.engine(.stopped)
    daemon.engine(state)
  }

  private func playback(_ daemon: Timeline) -> String? {
    daemon.state.configuration.configuration.device.playback
  }

  private func answer(_ daemon: Timeline) throws -> RouteReport {
    try #require(daemon.answer(to: RouteMethods.Try.self)).get()
  }

  private func failure<Reply>(_ answer: Result<Reply, Failure>?) throws -> Failure {
    guard case .failure(let failure) = answer else {
      throw Failure("test", found: "no failure", exit: .software)
    }
    return failure
  }

  private let try9 = RouteMethods.Try(capture: nil, playback: "hw:9")

  // MARK: - Trial

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

  @Test("a device that plays nothing is not tried: silence has its own words")
  func silentDevice() throws {
    let daemon = try sounding("device.playback = \"hw:1\"")
    let refusal = try failure(daemon.ask(RouteMethods.Try(capture: nil, playback: "null")))
    #expect(refusal.exitStatus == .usage && refusal.message.contains("auricle mute"))
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

  // MARK: - With a configuration that is read again

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

  // MARK: - What is refused

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

  // MARK: - Calibration

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
}
