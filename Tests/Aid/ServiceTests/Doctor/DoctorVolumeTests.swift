import Acoustics
import CommonTesting
import Control
import Engine
import Realtime
import Testing

@testable import Service

@Suite("Findings on the card's volume") struct DoctorVolumeTests {
  private func machine() -> Machine { .usual() }

  private static func control(
    left: Double, right: Double, _ name: String = "Master", isOn: Bool = true, isScaled: Bool = true
  ) -> VolumeSetting {
    VolumeSetting(
      control: name, gain: Binaural(left: left, right: right), isOn: isOn, isScaled: isScaled)
  }

  private static func control(
    _ gain: Double, _ name: String = "Master", isOn: Bool = true, isScaled: Bool = true
  ) -> VolumeSetting {
    control(left: gain, right: gain, name, isOn: isOn, isScaled: isScaled)
  }

  private static let heard = "little or nothing is heard"

  @Test(
    "a control of the earphones' card that is muted, or so low that hardly anything is heard at an ear, is told with the way to it",
    arguments: [
      // As alsa-lib tells silence; the lowest place of a control without dB; 62 dB SPL of speech less 40 dB is 22 dB SPL.
      (Self.control(-1000), Self.heard), (Self.control(0, "PCM", isScaled: false), Self.heard),
      (Self.control(-40), Self.heard),
      (Self.control(1, "PCM", isScaled: false), nil), (Self.control(-39), nil),
      // One of its two switches may be on.
      (Self.control(0, isOn: false), "\(Self.heard), at one ear at least"),
      (Self.control(0, "Headphone,1", isOn: false), "\(Self.heard), at one ear at least"),
      (Self.control(-45, isOn: false), Self.heard),
      (Self.control(left: -1000, right: -20), "\(Self.heard) at the left ear"),
      (Self.control(left: 0, right: -40), "\(Self.heard) at the right ear"),
      // Loudspeakers are muted while earphones are plugged in.
      (Self.control(0, "Speaker", isOn: false), nil),
    ] as [(VolumeSetting, String?)])
  func told(_ control: VolumeSetting, words: String?) throws {
    var machine = machine()
    machine.volumes = .read([Self.control(0, "Line Out"), control])
    let found = DoctorReport(machine).findings.first { $0.subject == "card's volume" }
    #expect((found != nil) == (words != nil))
    guard let found, let words else { return }
    #expect(found.verdict == .warning)
    #expect(found.found == "\(control.control) stands at \(control.place): \(words)")
    #expect(found.remedy?.contains("alsamixer -c Aid") == true)
    #expect(found.repair == .none(.hearing))
    #expect(DoctorReport(machine).isHealthy)
  }

  @Test("a control that is silent at one ear is told where that ear is fitted, not at the other one")
  func oneEar() throws {
    var machine = machine()
    machine.volumes = .read([Self.control(left: -1000, right: 0)])
    var aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    let (fitted, empty) = (StandardAudiogram.n3.audiogram, try Audiogram(points: []))
    func fit(_ audiograms: Binaural<Audiogram>) -> [DoctorReport.Finding] {
      aid.hearing.audiograms = audiograms
      machine.daemon = .success(
        StatusReport(
          aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1)))
      return DoctorReport(machine).findings.filter { $0.subject == "card's volume" }
    }
    let right = fit(Binaural(left: empty, right: fitted))
    #expect(right.isEmpty)
    let left = fit(Binaural(left: fitted, right: empty))
    #expect(
      left.map(\.found) == ["Master stands at −1000 dB left and 0 dB right: \(Self.heard) at the left ear"])
  }

  @Test("a muted control that stands where it is heard is unmuted, and not turned")
  func unmuted() throws {
    var machine = machine()
    machine.volumes = .read([Self.control(-20, isOn: false)])
    let remedy = try finding("card's volume", machine).remedy
    #expect(remedy == "Take the earphones off the ears, and unmute it: alsamixer -c Aid")
    machine.volumes = .read([Self.control(-20, isOn: false), Self.control(-50, "PCM")])
    let both = try #require(try finding("card's volume", machine).remedy)
    #expect(both.hasPrefix("Take the earphones off the ears, unmute them and turn them up"))
  }

  @Test("where a control is turned up without a measured calibration, the way to a limit is told with it")
  func limit() throws {
    var machine = machine()
    machine.volumes = .read([Self.control(-45)])
    // Nothing is calibrated: the only limit is the loudness that was confirmed with the control as it stood.
    let anew = try #require(try finding("card's volume", machine).remedy)
    #expect(anew.hasSuffix("find the greatest loudness anew: auricle setup --again"))
    machine.configuration = .success(
      try loaded(
        """
        [calibration.earphone]
        full-scale-level = 119.9
        source = "data sheet"
        status = "provisional"
        device = "hw:CARD=Aid,DEV=0 (HDA 200)"
        """))
    let stated = try #require(try finding("card's volume", machine).remedy)
    #expect(
      stated.contains("turn it up to where the calibration's source has it, not above: alsamixer -c Aid"))
  }

  @Test(
    "where another's or the system's aid would play louder, its limit is lowered first, and setup is not named"
  )
  func limitOfAnothers() throws {
    var anothers = machine()
    anothers.isAnothers = true
    var systems = machine()
    systems.start = StartAdvice(isSystems: true)
    for var machine in [anothers, systems] {
      machine.volumes = .read([Self.control(-45)])
      let remedy = try #require(try finding("card's volume", machine).remedy)
      #expect(remedy.hasPrefix("First lower safety.maximum-output"))
      #expect(remedy.hasSuffix("turn it up: alsamixer -c Aid"))
      #expect(!remedy.contains("setup"))
    }
  }

  @Test(
    "a muted control of a second jack is not told while the first one's is heard, and is where both are muted"
  )
  func secondJack() throws {
    var machine = machine()
    let second = Self.control(0, "Headphone,1", isOn: false)
    machine.volumes = .read([Self.control(0, "Headphone"), second])
    #expect(!DoctorReport(machine).findings.contains { $0.subject == "card's volume" })
    machine.volumes = .read([Self.control(0, "Headphone", isOn: false), second])
    let found = try finding("card's volume", machine).found
    #expect(found.hasPrefix("Headphone stands at 0 dB, muted and Headphone,1 stands at 0 dB, muted"))
  }

  @Test("the only control of a card is told by whatever name it has; where nobody can read any, nothing is")
  func only() throws {
    var machine = machine()
    machine.volumes = .read([Self.control(0, "Speaker", isOn: false)])
    #expect(try finding("card's volume", machine).found.hasPrefix("Speaker stands at 0 dB, muted"))
    for volumes in [PlaybackVolumes.unread, .read(nil), .read([])] {
      machine.volumes = volumes
      #expect(!DoctorReport(machine).findings.contains { $0.subject == "card's volume" })
    }
  }

  @Test("a card's volume is not told where the calibration of the daemon in force was measured with it")
  func ofCalibration() throws {
    var machine = machine()
    machine.volumes = .read([Self.control(-45)])
    #expect(try finding("card's volume", machine).verdict == .warning)
    machine.configuration = .success(try loaded(""))
    machine.daemon = .success(.sample)
    #expect(machine.otherFile != nil && machine.report?.calibration.earphone.status == .verified)
    #expect(!DoctorReport(machine).findings.contains { $0.subject == "card's volume" })
  }

  @Test(
    "of a calibration that was measured and is provisional, the control is named beside the calibration")
  func provisional() throws {
    let folder = TemporaryFolder()
    // No second, softer tone shows that levels are linear.
    let readings = ["left", "right"].flatMap { ear in
      [500, 1000, 2000, 4000].map {
        "{\"ear\": \"\(ear)\", \"frequency\": \($0), \"played\": -20, \"read\": 94}"
      }
    }
    folder.write(
      """
      {"device": {"device": "hw:CARD=Aid,DEV=0 (ER-3A)", "date": "2026-01-31", "status": "provisional",
         "source": "measured at one level"},
       "measurement": {"examiner": "N. N.", "coupler": "c", "readings": [\(readings.joined(separator: ", "))],
         "volumes": [{"control": "Master", "gain": {"left": 0, "right": 0}, "on": true}]}}
      """, to: "e.json")
    var machine = machine()
    machine.configuration = .success(
      try loaded("calibration.earphone.file = \"\(folder.file("e.json"))\"\n", folder: folder.path))
    machine.volumes = .read([Self.control(0, isOn: false)])
    #expect(!DoctorReport(machine).findings.contains { $0.subject == "card's volume" })
    let calibration = try finding("calibration, earphones", machine)
    #expect(calibration.verdict == .warning && calibration.found.contains("volume control Master"))
    // Nobody may read it here, and no daemon tells it.
    machine.volumes = .read(nil)
    machine.devices[0].refusedFile = "/dev/snd/controlC0"
    let unread = try finding("calibration, earphones", machine)
    #expect(unread.found.contains("is not known here, for its card may not be opened (/dev/snd/controlC0)"))
    #expect(!unread.found.contains("any more") && !unread.found.contains("puts it back"))
    // It is stated as provisional besides.
    let remedy = try #require(unread.remedy)
    #expect(remedy.hasPrefix("It ") && remedy.hasSuffix("measure them: auricle calibrate earphone"))
    #expect(unread.repair == .none(.administrator))
    // The system's aid may read it, whoever else may not.
    #expect(!remedy.contains("systemctl"))
    machine.start = StartAdvice(isSystems: true)
    let ofSystem = try finding("calibration, earphones", machine).remedy
    #expect(
      ofSystem?.contains(
        "While the system's aid runs, its calibration is told here: sudo systemctl start auricled.") == true
    )
    machine.start = StartAdvice(isSystems: false)
    // The sample's daemon, which has read it, has a verified one.
    machine.volumes = .read(nil)
    machine.daemon = .success(.sample(drift: nil, file: folder.file("auricle.toml")))
    #expect(machine.otherFile == nil)
    #expect(try finding("calibration, earphones", machine).verdict == .good)
  }
}
