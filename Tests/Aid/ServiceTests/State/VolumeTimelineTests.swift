import Acoustics
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Volume controls of the earphones' card") struct VolumeTimelineTests {
  private let folder = TemporaryFolder()

  /// Writes a calibration: full scale 114 dB SPL at each ear, measured while Master stood at 0 dB.
  private func write(device: String = "hw:1", status: String = "verified") {
    let readings = ["left", "right"].flatMap { ear in
      ([500, 1000, 2000, 4000].map { ($0, -20, 94) } + [(1000, -30, 84)]).map { frequency, played, read in
        "{\"ear\": \"\(ear)\", \"frequency\": \(frequency), \"played\": \(played), \"read\": \(read)}"
      }
    }
    folder.write(
      """
      {"device": {"device": "\(device) (ER-3A)", "date": "2026-01-31", "status": "\(status)",
        "source": "measured"},
       "measurement": {"examiner": "N. N.", "coupler": "c", "readings": [\(readings.joined(separator: ", "))],
         "volumes": [{"control": "Master", "gain": {"left": 0, "right": 0}, "on": true}]}}
      """, to: "e.json")
  }

  /// - Parameters:
  ///   - more: Further lines of the configuration.
  ///   - status: As stated with the calibration.
  private func sounding(_ more: String = "", status: String = "verified") throws -> Timeline {
    write(status: status)
    let read = try loaded(
      "device.playback = \"hw:1\"\ncalibration.earphone.file = \"\(folder.file("e.json"))\"\n" + more)
    let daemon = Timeline(
      ServiceState(
        .init(started: .at(100)), configuration: read, configured: try AidSettings(read).hearing))
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  private func master(_ gain: Double) -> PlaybackVolumes {
    .read([VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)])
  }

  @Test(
    "one that is turned makes the calibration provisional and says how it stood; put back, it is verified again"
  )
  func turned() throws {
    let daemon = try sounding()
    #expect(daemon.state.heard.earphones.device.status == .verified)
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.heard.earphones.device.status == .verified)
    daemon.happen(.volumes(master(-12)))
    let device = daemon.state.heard.earphones.device
    #expect(device.status == .provisional)
    #expect(
      device.caveat
        == "the volume control Master stands at −12 dB, and levels were measured at 0 dB; auricle calibrate volume "
        + "puts it back")
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.heard.earphones.device.status == .verified)
  }

  @Test(
    "one that is turned is told as well of a calibration that is provisional already, and so is its return")
  func turnedProvisional() throws {
    let daemon = try sounding(status: "provisional")
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.heard.earphones.device.caveat == nil)
    let muted = VolumeSetting(control: "Master", gain: Binaural(both: 0), isOn: false)
    daemon.happen(.volumes(.read([muted])))
    let device = daemon.state.heard.earphones.device
    #expect(device.status == .provisional)
    let words = "the volume control Master stands at 0 dB, muted"
    #expect(device.caveat?.hasPrefix(words) == true)
    #expect(daemon.log.filter { $0.contains("counts as provisional: \(words)") }.count == 1)
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.heard.earphones.device.caveat == nil)
    #expect(daemon.log.filter { $0.contains("stand as calibrated again") }.count == 1)
  }

  @Test("controls that cannot be read any more make it provisional as well")
  func unread() throws {
    let daemon = try sounding()
    daemon.happen(.volumes(.read(nil)))
    #expect(daemon.state.heard.earphones.device.caveat?.contains("cannot be read any more") == true)
  }

  @Test("controls that can be read at last, as the earphones were connected meanwhile, end nothing")
  func readAtLast() throws {
    let daemon = try sounding()
    daemon.happen(.volumes(.read(nil)))
    daemon.ask(FeedbackMethods.Measure())
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.test != nil)
  }

  @Test("one that is turned while something is measured ends that")
  func turnedMeanwhile() throws {
    for (news, words): (PlaybackVolumes, String) in [
      (master(-12), "a volume control was turned meanwhile"),
      (.read(nil), "the volume controls cannot be read any more"),
    ] {
      let daemon = try sounding()
      daemon.happen(.volumes(master(0)))
      daemon.ask(FeedbackMethods.Measure())
      daemon.happen(.volumes(master(0.01)))
      #expect(daemon.state.test != nil, "within what is the same")
      daemon.happen(.volumes(news))
      #expect(daemon.state.test == nil)
      #expect(daemon.effects.contains { if case .endTest = $0 { true } else { false } })
      #expect(daemon.state.report.procedure?.reason == words)
    }
  }

  /// Calibrations of levels that nobody measured, and that no volume control is noted with.
  private static let stated = [
    "calibration.earphone.profile = \"airpods-pro-2\"",
    """
    calibration.earphone.full-scale-level = 100
    calibration.earphone.transducer = "hda200"
    calibration.earphone.source = "data sheet"
    calibration.earphone.status = "provisional"
    """,
  ]

  /// Requests for a test.
  private static var begins: [(Timeline) -> Void] {
    [
      { $0.ask(ProcedureMethods.Start(ProcedureOrder(.hearingTest))) },
      { $0.ask(ProcedureMethods.Start(resuming: "r")) },
      { $0.ask(FeedbackMethods.Measure()) },
    ]
  }

  /// A daemon with a calibration, its controls looked at as when a test is asked for, and a test under way.
  private func testing(
    _ begin: (Timeline) -> Void, _ calibration: String, seeing volumes: PlaybackVolumes?
  ) throws -> Timeline {
    let read = try loaded("device.playback = \"hw:1\"\n" + calibration)
    let daemon = Timeline(
      ServiceState(
        .init(started: .at(100)), configuration: read, configured: try AidSettings(read).hearing))
    daemon.happen(.begin)
    daemon.engine(.running)
    if let volumes { daemon.happen(.volumes(volumes)) }
    begin(daemon)
    #expect(daemon.state.test != nil)
    return daemon
  }

  @Test(
    "whatever the levels rest on, one that is turned or muted, or cannot be read any more, ends every test; one that is written anew where it stands ends none",
    arguments: stated)
  func turnedUnmeasured(calibration: String) throws {
    let turned = "a volume control was turned meanwhile"
    let muted = VolumeSetting(control: "Master", gain: Binaural(both: -20), isOn: false)
    let cases: [(news: PlaybackVolumes, words: String?)] = [
      (master(-20), nil), (master(-20.4), nil), (master(-5), turned), (master(-21), turned),
      (.read([muted]), turned), (.read([]), turned),
      (.read(nil), "the volume controls cannot be read any more"),
    ]
    for begin in Self.begins {
      for (news, words) in cases {
        let daemon = try testing(begin, calibration, seeing: master(-20))
        daemon.happen(.volumes(news))
        #expect((daemon.state.test == nil) == (words != nil), "\(news)")
        let reason = daemon.state.report.procedure?.reason
        #expect(words.map { reason?.contains($0) == true } ?? (reason == nil))
        let isEnded = daemon.effects.contains { if case .endTest = $0 { true } else { false } }
        #expect(isEnded == (words != nil))
      }
    }
  }

  @Test(
    "a test goes on where there is no control, where nobody can read any, and where one can be read at last, which counts from then on"
  )
  func unknownBefore() throws {
    for begin in Self.begins {
      // A card without volume controls.
      let bare = try testing(begin, Self.stated[0], seeing: .read([]))
      for news in [.read(nil), .read([])] as [PlaybackVolumes] { bare.happen(.volumes(news)) }
      #expect(bare.state.test != nil)
      for before in [nil, .read(nil)] as [PlaybackVolumes?] {
        // A sound server, and earphones that are opened once the test has begun.
        let daemon = try testing(begin, Self.stated[0], seeing: before)
        for news in [.read(nil), master(-20), master(-20.4)] as [PlaybackVolumes] {
          daemon.happen(.volumes(news))
        }
        #expect(daemon.state.test != nil)
        daemon.happen(.volumes(master(0)))
        #expect(daemon.state.test == nil)
      }
    }
  }

  @Test("a test begins with controls that stand elsewhere than in the last one, and compares with those")
  func nextTest() throws {
    let daemon = try testing(Self.begins[0], Self.stated[0], seeing: master(-20))
    daemon.ask(ProcedureMethods.Stop())
    daemon.happen(.volumes(master(0)))
    Self.begins[0](daemon)
    daemon.happen(.volumes(master(0)))
    #expect(daemon.state.test != nil)
    daemon.happen(.volumes(master(-20)))
    #expect(daemon.state.test == nil)
  }

  @Test("no hearing test and no match begins, or goes on, while one stands elsewhere or cannot be read")
  func turnedBefore() throws {
    var match = ProcedureOrder(.loudness)
    (match.ear, match.frequency, match.threshold) = (.left, 1000, 20)
    for (name, start) in [
      ("hearing test", ProcedureMethods.Start(ProcedureOrder(.hearingTest))),
      ("loudness match", ProcedureMethods.Start(match)),
      ("procedure", ProcedureMethods.Start(resuming: "r")),
    ] {
      let daemon = try sounding("calibration.earphone.transducer = \"hda200\"")
      for (volumes, words) in [
        (
          master(-12),
          "the volume control Master stands at −12 dB, and levels were measured at 0 dB. Put it back: auricle "
            + "calibrate volume. Then begin again."
        ),
        (
          .read(nil),
          "its volume control Master cannot be read any more, and levels were measured at 0 dB. See whether the "
            + "earphones are connected: auricle devices. Then begin again."
        ),
      ] as [(PlaybackVolumes, String)] {
        daemon.happen(.volumes(volumes))
        guard case .failure(let failure)? = daemon.ask(start) else {
          Issue.record("begun")
          continue
        }
        #expect(failure.message == "\(name): \(words)" && failure.exitStatus == .unavailable)
        #expect(daemon.state.test == nil)
      }
      daemon.happen(.volumes(master(0)))
      daemon.ask(start)
      #expect(daemon.state.test != nil)
    }
  }

  @Test(
    "a plugin that the calibration alone names is the device that is opened, and holds no volume either")
  func unnamed() throws {
    write(device: "default:")
    let settings = try AidSettings(try loaded("calibration.earphone.file = \"\(folder.file("e.json"))\""))
    #expect(settings.playbackName == nil && settings.playbackDevice == "default")
    let device = settings.hearing.earphones.device
    #expect(device.status == .provisional && device.caveat?.contains("a plugin or a sound server") == true)
  }

  @Test(
    "who looks looks every two seconds, at other earphones at once, where controls were measured with")
  func watch() throws {
    let daemon = try sounding()
    var looks = 0
    var watch = VolumeWatch { _ in
      looks += 1
      return .read([])
    }
    let settings = daemon.state.configured
    for now in [0.0, 1, 1.9, 2, 3, 4.5] { _ = watch.news(for: settings, on: "hw:1", now: now) }
    #expect(looks == 3)
    // Other earphones are looked at at once, so that no test can begin before.
    for (device, now) in [("hw:2", 4.6), ("hw:2", 4.7), ("hw:1", 4.8)] {
      _ = watch.news(for: settings, on: device, now: now)
    }
    #expect(looks == 5)
    #expect(watch.news(for: HearingSettings(), on: "hw:1", now: 100) == nil && looks == 5)
  }

  @Test(
    "during a test they are looked at every two seconds, whatever the calibration is, and before it at once"
  )
  func watchDuringTest() throws {
    var looks = 0
    var watch = VolumeWatch { _ in
      looks += 1
      return .read([])
    }
    let unmeasured = HearingSettings()
    _ = watch.news(for: unmeasured, on: "hw:1", now: 10)
    #expect(looks == 0)
    let requests: [any ControlMethod] = [
      ProcedureMethods.Start(ProcedureOrder(.hearingTest)), FeedbackMethods.Measure(),
    ]
    for (index, request) in requests.enumerated() {
      watch.note(.request(RequestID(index + 1), request, from: Timeline.peer))
      for now in [10.1, 10.2] { _ = watch.news(for: unmeasured, on: "hw:1", now: now) }
      #expect(looks == index + 1)
    }
    // The next one is due 2 s after the last.
    for now in [10.3, 11, 12.2, 13, 14.3] {
      _ = watch.news(for: unmeasured, on: "hw:1", isTesting: true, now: now)
    }
    #expect(looks == 4)
    // Another one is refused meanwhile: it brings no look forward, nor one after the test.
    watch.note(.request(3, FeedbackMethods.Measure(), from: Timeline.peer))
    _ = watch.news(for: unmeasured, on: "hw:1", isTesting: true, now: 14.4)
    #expect(looks == 4)
    _ = watch.news(for: unmeasured, on: "hw:1", now: 20)
    #expect(looks == 4)
  }

  @Test(
    "a look that misses a control once tells nothing where none were measured with, and is told where they were; two in a row, and a control that is turned, are told"
  )
  func missedLook() throws {
    let measured = try sounding().state.configured
    let (whole, bare, away) = (master(0), PlaybackVolumes.read([]), PlaybackVolumes.read(nil))
    // Of a control that tells its gain in dB a card may refuse that once, and tell its place.
    let unscaled = PlaybackVolumes.read([
      VolumeSetting(control: "Master", gain: Binaural(both: 50), isOn: true, isScaled: false)
    ])
    func told(
      _ looks: [PlaybackVolumes], by settings: HearingSettings = HearingSettings(),
      on devices: [String?] = [], isAskedAgain: Bool = false
    ) -> [PlaybackVolumes?] {
      var index = 0
      var watch = VolumeWatch { _ in looks[index] }
      watch.note(.request(1, FeedbackMethods.Measure(), from: Timeline.peer))
      var news: [PlaybackVolumes?] = []
      for place in looks.indices {
        index = place
        if isAskedAgain { watch.note(.request(2, FeedbackMethods.Measure(), from: Timeline.peer)) }
        let device = devices.isEmpty ? "hw:1" : devices[place]
        news.append(
          watch.news(for: settings, on: device, isTesting: true, now: 10 + 2 * Double(place)))
      }
      return news
    }
    for missed in [bare, away, unscaled] {
      #expect(told([whole, missed, whole, missed, whole]) == [whole, nil, whole, nil, whole])
      #expect(told([whole, missed, missed, missed]) == [whole, nil, missed, missed])
      #expect(told([whole, missed], by: measured) == [whole, missed])
      // The first look of a test is told as it is.
      #expect(told([missed, whole]) == [missed, whole])
      // So it is where another test is asked for meanwhile, which is refused.
      #expect(told([whole, missed, whole], isAskedAgain: true) == [whole, nil, whole])
      #expect(told([whole, missed, missed], isAskedAgain: true) == [whole, nil, missed])
    }
    #expect(told([whole, master(-12)]) == [whole, master(-12)])
    // The device is away while it is opened anew; another one is told at once.
    #expect(told([whole, away, whole], on: ["hw:1", nil, "hw:1"]) == [whole, nil, whole])
    // That counts as no look, before one that misses a control and after it.
    #expect(
      told([whole, away, bare, whole], on: ["hw:1", nil, "hw:1", "hw:1"]) == [whole, nil, nil, whole])
    #expect(
      told([whole, bare, away, whole], on: ["hw:1", "hw:1", nil, "hw:1"]) == [whole, nil, nil, whole])
    #expect(told([whole, away, bare], on: ["hw:1", nil, "hw:2"]) == [whole, nil, bare])
    #expect(told([whole, bare], on: ["hw:1", "hw:2"]) == [whole, bare])
  }

  @Test("a procedure that is asked for has the controls looked at anew first; other requests have not")
  func watchBeforeProcedure() throws {
    let daemon = try sounding()
    let settings = daemon.state.configured
    var stand = master(-12)
    var watch = VolumeWatch { _ in stand }
    let first = watch.news(for: settings, on: "hw:1", now: 10)
    #expect(first == master(-12))
    // As by auricle calibrate volume.
    stand = master(0)
    watch.note(.request(1, ReportMethods.Status(), from: Timeline.peer))
    watch.note(.gone(Timeline.peer))
    let early = watch.news(for: settings, on: "hw:1", now: 10.1)
    #expect(early == nil)
    watch.note(
      .request(2, ProcedureMethods.Start(ProcedureOrder(.hearingTest)), from: Timeline.peer))
    let fresh = watch.news(for: settings, on: "hw:1", now: 10.2)
    #expect(fresh == master(0))
    let next = watch.news(for: settings, on: "hw:1", now: 10.3)
    #expect(next == nil)
  }

  @Test("through a plugin or a Bluetooth link nothing holds the volume, so nothing is verified")
  func unheld() throws {
    _ = try sounding()
    for (name, word) in [
      ("default", "a plugin or a sound server"), ("bluealsa:DEV=00:11:22:33:44:55", "Bluetooth"),
    ] {
      let read = try loaded(
        "device.playback = \"\(name)\"\ncalibration.earphone.file = \"\(folder.file("e.json"))\"")
      let device = try AidSettings(read).hearing.earphones.device
      #expect(device.status == .provisional && device.caveat?.contains(word) == true)
    }
  }
}
