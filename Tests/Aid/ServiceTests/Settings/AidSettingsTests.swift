import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite struct AidSettingsTests {
  /// Failures of a configuration that cannot be used.
  private func failures(_ text: String, in folder: TemporaryFolder) throws -> [Failure] {
    do {
      _ = try AidSettings(try loaded(text, folder: folder.path))
      return []
    } catch let error as ConfigurationFailures {
      return error.failures
    }
  }

  @Test("an empty configuration amplifies nothing, opens the first card, and asks for its defaults")
  func defaults() throws {
    let settings = try AidSettings(.defaults)
    #expect(settings.hearing.fittedEars.isEmpty)
    #expect(settings.captureName == nil && settings.playbackName == nil)
    #expect(settings.stream == StreamRequest(rate: 44_100, period: 64, periods: 3))
    #expect(settings.hearing.maximumOutput == SoundPressureLevel(111))
    #expect(settings.hearing.calibrationStatus == .none)
    #expect(settings.hearing.gainCap == 20)
  }

  @Test("every key reaches the aid")
  func everyKey() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"format": "auricle-audiogram", "version": 1, "right": {},
       "left": {"air": {"500": 40, "1000": 50, "2000": 60}}}
      """, to: "a.json")
    let settings = try AidSettings(
      try loaded(
        """
        [device]
        capture = "hw:A"
        playback = "hw:B"
        rate = 48000
        period = 128
        periods = 2
        format = "S24_3"
        clock = "matched"
        [calibration.microphone]
        full-scale-level = [101, 102]
        source = "data sheet"
        status = "provisional"
        [calibration.earphone]
        full-scale-level = 113
        transducer = "Sennheiser HDA-200"
        device = "number 7"
        date = 2026-01-31
        status = "verified"
        [hearing]
        audiogram = "a.json"
        rule = "half-gain"
        attack = "10 ms"
        release = "200 ms"
        link = 0.5
        bands = [500, 1000, 2000]
        [safety]
        maximum-output = 100
        ramp = 1
        """, folder: folder.path))
    #expect(settings.captureName == "hw:A" && settings.playbackName == "hw:B")
    #expect(
      settings.stream == StreamRequest(rate: 48_000, period: 128, periods: 2, format: .signed24Packed))
    #expect(settings.clock == .separate)
    #expect(settings.ramp == 1)
    let hearing = settings.hearing
    #expect(hearing.fittedEars == [.left])
    #expect(hearing.plan.target == .rule(.halfGain))
    #expect(hearing.ruleName == "half gain")
    #expect(hearing.dynamics.attack == 0.010 && hearing.dynamics.release == 0.200)
    #expect(hearing.dynamics.binauralLink == 0.5)
    #expect(hearing.bands.centres == [500, 1000, 2000])
    #expect(hearing.maximumOutput == SoundPressureLevel(100))
    #expect(try hearing.microphones.sensitivity(channel: 1).nominalLevel == SoundPressureLevel(102))
    #expect(hearing.earphones.sensitivity.left.nominalLevel == SoundPressureLevel(113))
    #expect(hearing.earphones.transducer?.identifier == "hda200")
    #expect(hearing.earphones.device.date == CalendarDate("2026-01-31"))
    // The worse of verified and provisional; either lifts the cap.
    #expect(hearing.calibrationStatus == .provisional)
    #expect(hearing.gainCap == nil)
    #expect(hearing.microphones.device.source == "data sheet")
  }

  @Test("every file that is missing is named, with the line that asked for it")
  func missingFiles() throws {
    let folder = TemporaryFolder()
    let failures = try failures(
      "[hearing]\naudiogram = \"a.json\"\n[calibration.earphone]\nfile = \"e.json\"", in: folder)
    #expect(failures.map(\.subject) == [folder.file("a.json"), folder.file("e.json")])
    #expect(failures.map(\.exitStatus) == [.noInput, .noInput])
    #expect(failures[0].expected == "the audiogram that \(folder.file("auricle.toml")):2 names")
  }

  @Test("an audiogram's bad point is named with line, ear, frequency and range")
  func badPoint() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"format": "auricle-audiogram", "version": 1, "left": {},
       "right": {"air": {
         "500": 130}}}
      """, to: "a.json")
    let failure = try #require(try failures("hearing.audiogram = \"a.json\"", in: folder).first)
    #expect(failure.subject == folder.file("a.json:3"))
    #expect(failure.found == "right ear, air conduction of 130 dB HL at 500 Hz")
    #expect(failure.expected == "-10 to 120 dB HL")
    #expect(failure.exitStatus == .badData)
  }

  @Test("an audiogram that the rule cannot use is refused before a device is opened")
  func tooFewPoints() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"format": "auricle-audiogram", "version": 1, "right": {}, "left": {"air": {"1000": 40}}}
      """, to: "a.json")
    let failure = try #require(try failures("hearing.audiogram = \"a.json\"", in: folder).first)
    #expect(failure.subject == folder.file("a.json"))
    #expect(failure.found.hasPrefix("left ear, air-conduction thresholds"))
    #expect(failure.exitStatus == .badData)
  }

  /// Readings of an earphone whose full scale is 114 dB SPL; `left` replaces those of the left ear.
  static func readings(
    left: String? = nil, coupler: String = "IEC 60318-4 (occluded-ear simulator)"
  ) -> String {
    func own(_ ear: String) -> String {
      ([500, 1000, 2000, 4000].map { ($0, -20, 94) } + [(1000, -30, 84)]).map { frequency, played, read in
        "{\"ear\": \"\(ear)\", \"frequency\": \(frequency), \"played\": \(played), \"read\": \(read)}"
      }.joined(separator: ", ")
    }
    return """
      {"device": {"device": "ER-3A no. 7", "date": "2026-01-31", "status": "verified"}, "transducer": "er3a",
       "measurement": {"examiner": "N. N.", "coupler": "\(coupler)", "readings": [\(left ?? own("left")), \(own("right"))]}}
      """
  }

  func earphones(_ content: String, _ lines: String = "") throws -> OutputCalibration {
    let folder = TemporaryFolder()
    folder.write(content, to: "e.json")
    let text = "calibration.earphone.file = \"e.json\"\n\(lines)"
    return try AidSettings(try loaded(text, folder: folder.path)).hearing.earphones
  }

  @Test(
    "readings make a calibration verified, with the levels that follow, unless the configuration states less"
  )
  func verified() throws {
    let device = "device.playback = \"hw:1\"\n"
    let earphones = try earphones(Self.readings(), device)
    #expect(earphones.device.status == .verified && earphones.device.caveat == nil)
    #expect(try earphones.sensitivity.left.level(at: 2000) == SoundPressureLevel(114))
    #expect(earphones.transducer?.identifier == "er3a")
    let lowered = try self.earphones(
      Self.readings(), device + "calibration.earphone.status = \"provisional\"")
    #expect(lowered.device.status == .provisional)
  }

  @Test("readings of a device that neither the configuration nor the file names are provisional")
  func unnamedDevice() throws {
    let earphones = try earphones(Self.readings())
    #expect(earphones.device.status == .provisional)
    #expect(earphones.device.caveat?.hasPrefix("no device is named, neither by device.playback") == true)
    #expect(try earphones.sensitivity.left.level(at: 2000) == SoundPressureLevel(114))
    // Named by the calibration.
    let own = Self.readings().replacing("ER-3A no. 7", with: "hw:CARD=PCH,DEV=0 (ER-3A)")
    #expect(try self.earphones(own).device.status == .verified)
  }

  @Test(
    "the device of an end is the named one, otherwise its calibration's, whatever is wrong with other files"
  )
  func deviceNames() throws {
    let calibrated = """
      hearing.audiogram = "gone.json"
      [calibration.earphone]
      full-scale-level = 111
      source = "data sheet"
      status = "provisional"
      device = "hw:CARD=PCH,DEV=0 (HDA 200)"

      """
    let bound = AidSettings(devicesOf: try loaded(calibrated))
    #expect(bound.deviceName(of: .earphone) == "hw:CARD=PCH,DEV=0")
    let named = AidSettings(
      devicesOf: try loaded(calibrated + "[device]\nplayback = \"hw:B\"\ncapture = \"hw:A\"\n"))
    #expect(named.deviceName(of: .earphone) == "hw:B" && named.deviceName(of: .microphone) == "hw:A")
    let other = try loaded(calibrated).with("hw:C", of: .microphone)
    #expect(other.configuration.device.capture == "hw:C" && other.configuration.device.playback == nil)
    #expect(try loaded(calibrated).with(nil, of: .earphone) == loaded(calibrated))
  }

  @Test("too few readings, and those of another coupler, are provisional, with the reason")
  func shortcomings() throws {
    let few = try earphones(
      Self.readings(left: "{\"ear\": \"left\", \"frequency\": 1000, \"played\": -20, \"read\": 94}"))
    #expect(few.device.status == .provisional)
    #expect(
      few.device.caveat?.contains("no reading of the left ear at 500, 2000 and 4000 Hz, and 1 more") == true
    )
    let other = try earphones(Self.readings(coupler: "a sheet of foam"))
    #expect(other.device.status == .provisional)
    #expect(other.device.caveat?.contains("it was read in a sheet of foam") == true)
    #expect(throws: (any Error).self) {
      try earphones(Self.readings(coupler: "x\\u001b[2J"))
    }
  }

  @Test(
    "what is called verified and has no readings counts as provisional: gain is not held, and the reason is told"
  )
  func withoutReadings() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "channels": [118]}
      """, to: "m.json")
    let text = """
      calibration.microphone.file = "m.json"
      [calibration.earphone]
      full-scale-level = 111
      device = "x"
      date = 2026-01-31
      status = "verified"
      """
    let hearing = try AidSettings(try loaded(text, folder: folder.path)).hearing
    #expect(try hearing.microphones.sensitivity(channel: 0).nominalLevel == SoundPressureLevel(118))
    for device in [hearing.microphones.device, hearing.earphones.device] {
      #expect(device.status == .provisional && device.caveat?.contains("no readings are kept") == true)
    }
    #expect(hearing.gainCap == nil)
    // A measured microphone is verified, where its device is known.
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "measurement": {
        "examiner": "N. N.", "calibrator": "c", "readings": [{"channel": 0, "frequency": 1000, "sound": 94, "measured": -26}]}}
      """, to: "m.json")
    let named = "calibration.microphone.file = \"m.json\"\n"
    let measured = try AidSettings(
      try loaded(named + "device.capture = \"hw:1\"", folder: folder.path))
    #expect(measured.hearing.microphones.device.status == .verified)
    let unnamed = try AidSettings(try loaded(named, folder: folder.path)).hearing.microphones.device
    #expect(unnamed.status == .provisional)
    #expect(unnamed.caveat?.hasPrefix("no device is named, neither by device.capture") == true)
    #expect(
      try measured.hearing.microphones.sensitivity(channel: 1).nominalLevel == SoundPressureLevel(120))
  }

  @Test(
    "a profile gives levels, transducer and source, and is provisional whatever the configuration states")
  func profile() throws {
    for status in ["", "status = \"verified\"", "status = \"provisional\""] {
      let text = "[calibration.earphone]\nprofile = \"airpods-pro-2\"\n\(status)"
      let earphones = try AidSettings(try loaded(text)).hearing.earphones
      #expect(earphones.device.status == .provisional)
      #expect(earphones.transducer?.identifier == "airpods-pro-2")
      #expect(abs(try earphones.sensitivity.right.level(at: 1000).decibels - 113.67) < 1e-9)
      #expect(earphones.device.source?.hasPrefix("ResearchKit 3.2.0") == true)
    }
    let none = try AidSettings(
      try loaded("[calibration.earphone]\nprofile = \"airpods-pro-2\"\nstatus = \"none\"")
    ).hearing.earphones
    #expect(none.device.status == .none)
  }

  @Test(
    "a calibration file that is trusted says why: a day of measurement, or a source, of its own or the configuration's",
    arguments: [
      (#""status": "verified""#, "\"verified\" without \"date\""),
      (#""status": "provisional""#, "\"provisional\" without \"source\""),
      (#""status": "provisional", "source": " ""#, "\"provisional\" without \"source\""),
    ])
  func fileWithoutReason(entries: String, found: String) throws {
    let folder = TemporaryFolder()
    folder.write("{\"device\": {\"device\": \"m\", \(entries)}, \"channels\": [118]}", to: "m.json")
    let named = "[calibration.microphone]\nfile = \"m.json\"\n"
    let failure = try #require(try failures(named, in: folder).first)
    #expect(failure.subject == folder.file("m.json"))
    #expect(failure.found == "\"status\": " + found)
    #expect(failure.exitStatus == .badData)
    let told = named + "source = \"data sheet\"\n"
    guard entries.contains("provisional") else { return }
    if entries.contains("source") { return }
    let settings = try AidSettings(try loaded(told, folder: folder.path))
    #expect(settings.hearing.microphones.device.status == .provisional)
    #expect(settings.hearing.microphones.device.source == "data sheet")
  }

  @Test("a file that is not a calibration is refused with its place in the text")
  func badCalibration() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"device": {"device": "m", "status": "good"}, "channels": [118]}
      """, to: "m.json")
    let failure = try #require(
      try failures("calibration.microphone.file = \"m.json\"", in: folder).first)
    #expect(failure.subject == folder.file("m.json"))
    #expect(failure.found.hasPrefix("device.status: "))
    #expect(failure.exitStatus == .badData)
    folder.write(
      """
      {"device": {"device": "m", "status": "verified"}, "channels": [200]}
      """, to: "m.json")
    let level = try #require(
      try failures("calibration.microphone.file = \"m.json\"", in: folder).first)
    #expect(level.found.contains("200 dB SPL at 0 dB FS"))
  }

  @Test(
    "a calibration whose names would act on a terminal is refused, and its message has none of that",
    arguments: ["X\\u001b[2J", "a\\u202eb", "a\\nb"])
  func namesThatAct(_ name: String) throws {
    let folder = TemporaryFolder()
    for (device, source) in [(name, "sheet"), ("m", name)] {
      folder.write(
        """
        {"device": {"device": "\(device)", "status": "provisional", "source": "\(source)"}, "channels": [118]}
        """, to: "m.json")
      let failure = try #require(
        try failures("calibration.microphone.file = \"m.json\"", in: folder).first)
      #expect(failure.exitStatus == .badData && failure.found.contains("act on a terminal"))
      #expect(!failure.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test(
    "a calibration leads to no device by whose name alsa-lib may start programs, other than beside a device of that end",
    arguments: [("microphone", "capture", "channels"), ("earphone", "playback", "sensitivity")])
  func harmfulDevice(end: String, key: String, levels: String) throws {
    let folder = TemporaryFolder()
    let name = "tee:null,'|id',raw"
    let values = end == "microphone" ? "[118]" : "{\"left\": 110, \"right\": 110}"
    folder.write(
      """
      {"device": {"device": "\(name) (mine)", "status": "provisional", "source": "sheet"}, "\(levels)": \(values)}
      """, to: "c.json")
    let calibrations: [(text: String, exit: Base.ExitStatus)] = [
      ("calibration.\(end).file = \"c.json\"", .badData),
      ("calibration.\(end).device = \"\(name) (mine)\"", .configuration),
    ]
    for (text, exit) in calibrations {
      let failure = try #require(try failures(text, in: folder).first)
      #expect(failure.exitStatus == exit)
      #expect(failure.found == "\"\(name)\", by which alsa-lib may start programs or write files")
      #expect(failure.message.hasSuffix("Where it is the right one, name it by device.\(key) too."))
      #expect(try failures("device.\(key) = \"hw:0\"\n\(text)", in: folder) == [])
    }
  }
}
