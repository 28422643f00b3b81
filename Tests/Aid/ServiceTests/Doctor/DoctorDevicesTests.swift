import Base
import Control
import Engine
import Glibc
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
    #expect(finding.found == "this machine has no sound card with converters that captures and plays")
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

  @Test("ALSA's device that discards all sound is no good one, and no fault either")
  func silent() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.capture = \"null\"\ndevice.playback = \"null\""))
    machine.tried = [.capture, .playback]
    let earphones = try finding("earphones' device", machine)
    #expect(earphones.verdict == .warning && earphones.found == "null, which discards all sound")
    let microphone = try finding("microphone's device", machine)
    #expect(microphone.verdict == .warning)
    #expect(microphone.found == "null, which delivers nothing but silence")
  }

  @Test("who has the device is named")
  func busy() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .bad && finding.found.contains("in use by pipewire (process 812)"))
  }

  @Test(
    "a named card that somebody has is told with what to do about it, whatever the attempt to open it says")
  func namedAndBusy() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"hw:CARD=Aid,DEV=0\""))
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    machine.tried = [.playback]
    let busy = PCMOpenError.busy(name: "hw:CARD=Aid,DEV=0", holders: machine.devices[0].holders)
    machine.refusals = [.playback: busy.description]
    let server = try finding("earphones' device", machine)
    #expect(server.verdict == .bad)
    #expect(server.found == "hw:CARD=Aid,DEV=0, in use by pipewire (process 812)")
    #expect(server.remedy?.contains("auricle start") == true)
    // Asked, it keeps the card: an aid that starts would have no other answer.
    let words = "PipeWire keeps hw:CARD=Aid,DEV=0, and did not give it up when it was asked"
    machine.keepers = [.playback: words]
    let keeper = try finding("earphones' device", machine)
    #expect(keeper.verdict == .bad && keeper.found.hasSuffix(words))
    #expect(keeper.remedy?.hasPrefix("End that program, or have it leave the card alone") == true)
    // That of the microphone's card says nothing about the earphones'.
    machine.keepers = [.capture: words]
    let other = try finding("earphones' device", machine)
    #expect(other.found == server.found && other.remedy == server.remedy)
    machine.keepers = [:]
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "auricled")]
    #expect(
      try finding("earphones' device", machine).found
        == "hw:CARD=Aid,DEV=0, in use by another hearing aid (process 812)")
  }

  @Test("a card that somebody has is told with what to do about it also behind a plugin that converts")
  func namedBehindPlugin() throws {
    var machine = machine()
    let name = "plughw:CARD=Aid,DEV=0"
    machine.configuration = .success(try loaded("device.playback = \"\(name)\""))
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    machine.tried = [.playback]
    let words = PCMOpenError.busy(name: name, holders: machine.devices[0].holders).description
    machine.refusals = [.playback: words]
    let server = try finding("earphones' device", machine)
    #expect(server.verdict == .bad)
    #expect(server.found == "\(name), in use by pipewire (process 812)")
    #expect(server.remedy?.contains("auricle start") == true)
    let keeper = "PipeWire keeps \(name), and did not give it up when it was asked"
    machine.keepers = [.playback: keeper]
    machine.refusals = [.playback: "\(words). \(keeper)"]
    let kept = try finding("earphones' device", machine)
    #expect(kept.found.hasSuffix(keeper))
    #expect(kept.remedy?.hasPrefix("End that program, or have it leave the card alone") == true)
    // Free when it was listed: a rate that it has not, a plugin converts.
    machine.devices[0].playback = .usual(rates: [48_000])
    #expect(try finding("earphones' device", machine).found == machine.refusals[.playback])
    machine.devices[0].playback = nil
    // Another refusal of it is told as it is.
    machine.refusals = [.playback: "\(name) grants a buffer of 32 frames where 192 are needed"]
    #expect(try finding("earphones' device", machine).remedy == "auricle devices lists what there is.")
  }

  @Test("a device that the daemon has open is good, whatever else the card's other direction is used by")
  func otherDirection() throws {
    var machine = machine()
    machine.devices[0].holders = [
      DeviceHolder(processID: 9, command: "auricled"), DeviceHolder(processID: 812, command: "pipewire"),
    ]
    func stream(_ name: String) -> StatusReport.Devices.Stream {
      .init(
        name: name, description: nil, rateHz: 44_100, channels: 2, format: "S16_LE", periodFrames: 64,
        periods: 3)
    }
    let devices = StatusReport.Devices(
      capture: stream("hw:CARD=Aid"), playback: stream("hw:CARD=Other,DEV=0"))
    machine.daemon = .success(.sample(drift: nil, devices: devices))
    #expect(try finding("microphone's device", machine).verdict == .good)
    // The daemon has not this end of it: a reload would find it in use.
    let other = try finding("earphones' device", machine)
    #expect(other.verdict == .bad && other.found.contains("in use by pipewire (process 812)"))
  }

  @Test("a card that a sound server had, and gave up when it was asked, is good")
  func givenUp() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    machine.tried = [.capture, .playback]
    for subject in ["microphone's device", "earphones' device"] {
      let finding = try finding(subject, machine)
      #expect(finding.verdict == .good && finding.found == "hw:CARD=Aid,DEV=0, Aid, USB Audio")
    }
  }

  @Test("a card of which nothing bad is known, and that refuses to be set up, is bad with its own words")
  func refusesSettingUp() throws {
    var machine = machine()
    machine.devices[0].capture = .usual()
    machine.devices[0].playback = .usual()
    machine.tried = [.capture, .playback]
    machine.refusals = [.playback: "hw:CARD=Aid,DEV=0 grants a buffer of 32 frames where 192 are needed"]
    let refused = try finding("earphones' device", machine)
    #expect(refused.verdict == .bad && refused.found == machine.refusals[.playback])
    #expect(try finding("microphone's device", machine).verdict == .good)
  }

  @Test("a device whose server does not run sends to the server, not to the examination that says so")
  func withoutServer() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"headset\""))
    machine.tried = [.capture, .playback]
    let refusal = PCMOpenError.failed(name: "headset", call: "snd_pcm_open", errno: ENOENT).description
    machine.refusals = [.playback: refusal]
    #expect(refusal.contains("auricle doctor"))
    let found = try finding("earphones' device", machine)
    #expect(found.verdict == .bad && found.found == "the device headset cannot be opened")
    #expect(
      found.remedy
        == "Start its server, which for ALSA's plugin jack is jackd, or name another device in device.playback."
    )
  }

  @Test("without a name in the configuration the calibration's device is judged, not the first card")
  func ofCalibration() throws {
    var machine = machine()
    machine.configuration = .success(
      try loaded(
        """
        [calibration.earphone]
        full-scale-level = 111
        source = "data sheet"
        status = "provisional"
        device = "hw:CARD=Nope,DEV=0 (HDA 200)"
        """))
    #expect(try finding("earphones' device", machine).found == "hw:CARD=Nope,DEV=0, named, not tried")
    machine.tried = [.capture, .playback]
    let words = "no sound device is called hw:CARD=Nope,DEV=0: there are hw:CARD=Aid,DEV=0"
    machine.refusals = [.playback: words]
    let earphones = try finding("earphones' device", machine)
    #expect(earphones.verdict == .bad && earphones.found == words)
    #expect(earphones.remedy?.hasPrefix("The calibration was made with it") == true)
    #expect(earphones.remedy?.contains("device.playback") == true)
    // Connected, it refuses for another reason than that it is away.
    machine.devices[0].name = "hw:CARD=Nope,DEV=0"
    machine.refusals = [.playback: "hw:CARD=Nope,DEV=0 grants a buffer of 32 frames where 192 are needed"]
    #expect(try finding("earphones' device", machine).remedy == "auricle devices lists what there is.")
    machine.devices[0].name = "hw:CARD=Aid,DEV=0"
    // The microphone has no calibration.
    #expect(try finding("microphone's device", machine).found == "hw:CARD=Aid,DEV=0, Aid, USB Audio")
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

  @Test(
    "advice on drop-outs goes by the block and the configured periods, not by playback's period and buffer",
    arguments: [
      // Two clocks: a buffer of twice the periods.
      (512, 512, 4, 2, "auricle config set device.periods=3, then"),
      (1024, 441, 14, 3, "auricle config set device.periods=4, then"),
      (64, 64, 64, 3, "auricle config set device.period=128 or device.periods=4, then"),
      (1024, 441, 14, 4, "End other programs that work hard, or try another card."),
    ])
  func dropOutAdvice(
    capture: Int, playback: Int, buffer: Int, configured: Int, remedy: String
  ) throws {
    func stream(_ period: Int, _ periods: Int) -> StatusReport.Devices.Stream {
      .init(
        name: "hw:A", description: nil, rateHz: 44_100, channels: 2, format: "S16_LE",
        periodFrames: period, periods: periods)
    }
    var machine = machine()
    machine.configuration = .success(try loaded("device.periods = \(configured)", folder: "/tmp"))
    let devices = StatusReport.Devices(
      capture: stream(capture, 6), playback: stream(playback, buffer), periodFrames: max(capture, playback))
    machine.daemon = .success(.sample(drift: nil, devices: devices, file: "/tmp/auricle.toml"))
    let advice = try #require(try finding("drop-outs", machine).remedy)
    #expect(advice.contains(remedy), "\(advice)")
  }
}
