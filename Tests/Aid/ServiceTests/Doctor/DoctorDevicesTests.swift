import Base
import Control
import Engine
import Realtime
import Testing

@testable import AudioIO
@testable import Service

@Suite("Findings on devices") struct DoctorDevicesTests {
  private func machine() -> Machine { .usual() }

  @Test("no card is bad, and the remedy says that plugging one in suffices")
  func noCard() throws {
    var machine = machine()
    machine.devices = []
    let finding = try finding("microphone's device", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "this machine has no sound card that captures and plays")
    #expect(!DoctorReport(machine).isHealthy)
  }

  @Test("a device that is on no card is good once it was opened, and no card is then missed")
  func plugin() throws {
    var machine = machine()
    machine.devices = []
    machine.configuration = .success(try loaded("device.capture = \"net\"\ndevice.playback = \"net\""))
    #expect(try finding("earphones' device", machine).found == "net, named, not tried")
    #expect(try finding("sound cards", machine).verdict == .warning)
    machine.tried = [.capture, .playback]
    #expect(try finding("earphones' device", machine).found == "net, can be opened")
    #expect(try finding("sound cards", machine).verdict == .good)
    machine.refusals = [.playback: "the device net cannot be opened"]
    #expect(try finding("earphones' device", machine).verdict == .bad)
    #expect(try finding("sound cards", machine).verdict == .warning)
  }

  @Test("who has the device is named")
  func busy() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .bad && finding.found.contains("in use by pipewire (process 812)"))
  }

  @Test("a card that a daemon has which is not the one that answers is another hearing aid's")
  func anotherAid() throws {
    var machine = machine()
    machine.devices[0].playback = nil
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "auricled")]
    let refused = try finding("earphones' device", machine)
    #expect(
      refused.verdict == .bad && refused.found.contains("in use by another hearing aid (process 812)"))
    machine.daemon = .success(.sample)
    machine.devices[0].holders[0].processID = try #require(machine.report).daemon.pid
    #expect(try finding("earphones' device", machine).verdict == .good)
    // One that does not answer may be it.
    machine.daemon = .failure(Failure("daemon", found: "no answer", exit: .temporary))
    machine.devices[0].holders[0].processID = 812
    #expect(try finding("earphones' device", machine).verdict == .good)
  }

  @Test("a device without the rate that is asked for is bad, with the rates that it has")
  func rate() throws {
    var machine = machine()
    machine.devices[0].playback = .usual(rates: [32_000, 44_100])
    #expect(try finding("earphones' device", machine).verdict == .good)
    machine.configuration = .success(try loaded("device.rate = 48000"))
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "hw:CARD=Aid,DEV=0 does not run at 48000 Hz: it offers 32000 and 44100 Hz")
  }

  @Test("a sound server that holds the card is told from another program")
  func server() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "wireplumber")]
    #expect(try finding("earphones' device", machine).remedy?.contains("sound server") == true)
    machine.devices[0].holders = [DeviceHolder(processID: 813, command: "arecord")]
    #expect(try finding("earphones' device", machine).remedy == "Stop it, or choose another device.")
  }

  @Test("cards that this user may not use are bad, with the file and the command that gives the right")
  func permission() throws {
    var machine = machine()
    machine.devices[0].refusedFile = "/dev/snd/controlC0"
    let finding = try finding("sound cards", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "hw:CARD=Aid,DEV=0 may not be opened (/dev/snd/controlC0)")
    #expect(finding.remedy?.hasPrefix("It needs the group audio: sudo usermod -aG audio") == true)
    #expect(finding.repair == .none(.administrator))
  }

  @Test(
    "two clocks far apart are a warning, at the end of matching another one; usual ones are good",
    arguments: [
      (-12.3, .good, "two, −12.3 ppm apart, matched"),
      (730, .warning, "two, 730.0 ppm apart, more than crystals differ"),
      // 0.5 % is the greatest correction of the rate matcher; 4500 is nine tenths of it.
      (
        -4600, .warning,
        "two, −4600.0 ppm apart, and matching ends at 5000: sound breaks off again and again"
      ),
      (nil, .good, "two, matched; their difference is not known yet"),
    ] as [(Double?, DoctorReport.Finding.Verdict, String)])
  func clocks(_ drift: Double?, _ verdict: DoctorReport.Finding.Verdict, _ words: String) throws {
    var machine = machine()
    machine.daemon = .success(.sample(drift: drift))
    let finding = try finding("clocks", machine)
    #expect(finding.verdict == verdict)
    #expect(finding.found == words)
    #expect((finding.remedy == nil) == (verdict == .good))
  }

  @Test(
    "drop-outs are told with their cause, and with a longer period where real time is not what is missing")
  func dropOuts() throws {
    var machine = machine()
    machine.daemon = .success(.sample)
    let finding = try finding("drop-outs", machine)
    #expect(finding.found == "2 since the start, 4.10 ms of sound lost, the last by playback underrun")
    #expect(finding.remedy?.contains("auricle config set device.period=128 or device.periods=4") == true)
  }
}
