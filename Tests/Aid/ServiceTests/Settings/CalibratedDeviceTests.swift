import Acoustics
import CommonTesting
import Control
import Glibc
import Testing

@testable import Engine
@testable import EngineTesting
@testable import Service

@Suite("Calibrations and the devices in use") struct CalibratedDeviceTests {
  private static let own = "hw:CARD=A,DEV=0"
  private static let other = "hw:CARD=B,DEV=0"

  /// Both ends calibrated, the earphones on their own device: full scale is 90 dB SPL, and 120 for the microphone.
  private static func calibrated(earphones device: String = "\(own) (HDA 200)") -> String {
    """
    [calibration.microphone]
    full-scale-level = 120
    source = "data sheet"
    status = "provisional"
    [calibration.earphone]
    full-scale-level = 90
    source = "data sheet"
    status = "provisional"
    device = "\(device)"
    """
  }

  // MARK: - Sound of commands

  private func settings(of device: String) throws -> AidSettings {
    try AidSettings(
      playing: loaded("device.playback = \"\(device)\"\nsafety.maximum-output = 90\n" + Self.calibrated()))
  }

  @Test("a feedback test of a command counts full scale of another device as no calibration does")
  func feedbackLevel() throws {
    func fullScales(_ settings: AidSettings) throws -> [SoundPressureLevel] {
      let sides = try FeedbackTest(settings: settings).sides([.left, .right])
      return [sides.left.fullScale, sides.right.fullScale]
    }
    // 120 dB SPL is what earphones count as that nobody has measured: a tone of 55 dB SPL is −65 dB FS then, and −35 by the
    // calibration.
    #expect(try fullScales(settings(of: Self.other)) == [SoundPressureLevel(120), SoundPressureLevel(120)])
    #expect(try fullScales(settings(of: Self.own)) == [SoundPressureLevel(90), SoundPressureLevel(90)])
  }

  @Test("a sound of a command on another device is held as without a calibration")
  func heldLevel() throws {
    func peak(on device: String) throws -> Double {
      let room = EchoRoom()
      let hearing = try settings(of: device).hearing
      let aid = room.aid { $0.hearing = hearing }
      try aid.startSilently()
      defer { aid.stop() }
      _ = try aid.play([TestSound(.left, level: 0)], isCancelled: { false })
      return 20 * log10(Double(room.peak))
    }
    // A limit of 90 dB SPL where full scale stands for 120, and where it stands for 90.
    #expect(try peak(on: Self.other) <= -30 + 1e-4)
    #expect(try peak(on: Self.own) > -10)
    #expect(try settings(of: Self.other).hearing.loudestSine() == -30)
    #expect(try settings(of: Self.own).hearing.loudestSine() == 0)
  }

  @Test("earphones are held as if they were as loud as the microphones while these are not calibrated")
  func uncalibratedMicrophone() throws {
    let text = """
      safety.maximum-output = 90
      [calibration.earphone]
      full-scale-level = 100
      source = "data sheet"
      status = "provisional"
      """
    // Full scale of an assumed microphone is 120 dB SPL.
    #expect(try AidSettings(playing: loaded(text)).hearing.loudestSine() == -30)
  }

  @Test(
    "a calibration that names no device goes on counting with the one that is found for it, and with no other"
  )
  func foundDevice() throws {
    func status(_ configuration: LoadedConfiguration) throws -> CalibrationStatus {
      try AidSettings(playing: configuration).hearing.earphones.device.status
    }
    let text = Self.calibrated(earphones: "HDA 200")
    #expect(try status(loaded(text).with(Self.own, of: .earphone)) == .provisional)
    let named = try loaded("device.playback = \"\(Self.other)\"\n" + text)
    #expect(try status(named.with(Self.own, of: .earphone)) == CalibrationStatus.none)
  }

  // MARK: - Reasons

  @Test("a calibration that does not count says with which device it was made, and which one is used")
  func otherDevice() throws {
    let read = try loaded(
      "device.playback = \"\(Self.other)\"\ndevice.capture = \"\(Self.own)\"\n" + Self.calibrated())
    let hearing = try AidSettings(read).hearing
    #expect(hearing.foreignCalibrations(for: read) == [.earphone])
    let device = hearing.calibrated(for: read).calibration(of: .earphone)
    #expect(device.status == .none)
    #expect(device.caveat == "it was made with hw:CARD=A,DEV=0, and hw:CARD=B,DEV=0 is used")
  }

  @Test("one that counts with nothing says so")
  func unknownDevice() throws {
    let read = try loaded(
      "device.playback = \"\(Self.other)\"\n" + Self.calibrated(earphones: "unknown: (HDA 200)"))
    let device = try AidSettings(playing: read).hearing.calibration(of: .earphone)
    #expect(device.status == .none)
    #expect(device.caveat == "nobody can tell with which device it was made")
  }

  // MARK: - Measurements

  @Test(
    "a measured microphone is verified on a card alone: behind anything that turns its level it is provisional"
  )
  func unheldMicrophone() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "measurement": {
        "examiner": "N. N.", "calibrator": "c", "readings": [{"channel": 0, "frequency": 1000, "sound": 94, "measured": -26}]}}
      """, to: "m.json")
    func device(_ name: String) throws -> DeviceCalibration {
      let text = "calibration.microphone.file = \"m.json\"\ndevice.capture = \"\(name)\""
      return try AidSettings(loaded(text, folder: folder.path)).hearing.microphones.device
    }
    #expect(try device(Self.own).status == .verified)
    let behind = try device("pipewire")
    #expect(behind.status == .provisional)
    #expect(
      behind.caveat
        == "sound comes through a plugin or a sound server (pipewire), where the volume can be turned and nothing holds it"
    )
  }

  @Test(
    "the stated calibration has the status and the source of its file, whatever it counts as; the configuration can lower it"
  )
  func stated() throws {
    let folder = TemporaryFolder()
    folder.write(AidSettingsTests.readings(), to: "e.json")
    let text = "device.playback = \"pipewire\"\ncalibration.earphone.file = \"e.json\"\n"
    let behind = try loaded(text, folder: folder.path)
    #expect(try AidSettings(behind).hearing.earphones.device.status == .provisional)
    let stated = try behind.statedEarphones()
    #expect(stated.device.status == .verified && stated.device.source == nil && stated.device.caveat == nil)
    #expect(stated.measurement?.readings.count == 10 && stated.transducer?.identifier == "er3a")
    let lowered = try loaded(
      text + "calibration.earphone.status = \"provisional\"", folder: folder.path)
    #expect(try lowered.statedEarphones().device.status == .provisional)
  }
}
