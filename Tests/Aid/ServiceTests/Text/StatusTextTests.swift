import Base
import Control
import Testing

@testable import Service

@Suite("Status in words") struct StatusTextTests {
  /// The sample without devices, clock and configuration, before anything was heard, with the parts that a test is about.
  private func report(
    state: StatusReport.State = StatusReport.sample.state, devices: StatusReport.Devices? = nil,
    fitting: StatusReport.Fitting = StatusReport.sample.fitting,
    prescription: StatusReport.Prescription? = nil, meters: MetersReport = .silent,
    latency: StatusReport.Latency? = nil, realtime: StatusReport.Realtime = StatusReport.sample.realtime,
    memory: StatusReport.Memory = StatusReport.sample.memory
  ) -> StatusReport {
    let sample = StatusReport.sample
    return StatusReport(
      daemon: sample.daemon, state: state, devices: devices, fitting: fitting, prescription: prescription,
      calibration: sample.calibration, meters: meters, latency: latency, realtime: realtime, memory: memory,
      clock: nil, configurationFile: nil)
  }

  /// Of both ears, with what a test adds.
  private func fitting(_ add: (inout StatusReport.Fitting) -> Void) -> StatusReport.Fitting {
    var fitting = StatusReport.Fitting(
      isFitted: true, rule: "NAL-RP", compressionRatio: nil, ears: ["left", "right"], bandCount: 20,
      maximumOutputDBSPL: 111)
    add(&fitting)
    return fitting
  }

  @Test(
    "a running aid is told in full; levels say how far they can be trusted, and that in the ear that it is an upper bound"
  )
  func running() {
    let report = StatusReport.sample
    let since = Timestamp(60).clock
    let day = Timestamp(60).day == Timestamp(11_520).day ? "" : Timestamp(60).day + " "
    #expect(
      StatusText(report).text == """
        Auricle 0.1.0, process 812, up 3 h 12 min

        State       running since \(day)\(since)
        Microphone  hw:CARD=PCH,DEV=0 (HDA Intel), 44100 Hz, S32_LE, 2 channels, 3 × 64 frames, calibration provisional
        Earphones   hw:CARD=PCH,DEV=0 (HDA Intel), 44100 Hz, S32_LE, 2 channels, 3 × 64 frames, calibrated 2026-01-31
        Clock       matched, drift −12.3 ppm
        Fitting     NAL-RP-compressive 2.0:1, both ears, 20 bands, at most 111 dB SPL
        Right       in silence, out silence, 2 blocks with samples not a number
        Left        in 62.1 dB SPL (provisional), out at most 84.0 dB SPL, gain 3 to 28 dB, limited 0.4 % of the time, 1 sample clipped
        Delay       5.14 ms, of it the chain's own 0.38 ms
        Load        median 3.1 %, 99th percentile 7.4 %, most 25 % of a period
        Drop-outs   0 in capture, 2 in playback, 4.10 ms lost, last: playback underrun
        Real time   yes, SCHED_FIFO 70
        Memory      not locked: limit of 8 MiB

        """)
  }

  @Test("a device that discards all sound is told, in status and among the cautions of a start")
  func silentDevice() {
    let stream = StatusReport.Devices.Stream(
      name: "null", description: nil, rateHz: 44_100, channels: 2, format: "S16_LE", periodFrames: 64,
      periods: 3)
    let report = report(devices: .init(capture: stream, playback: stream))
    #expect(report.cautions.contains { $0.hasPrefix("Caution: the device null discards all sound.") })
    #expect(report.cautions.contains { $0.contains("null delivers nothing but silence.") })
    #expect(StatusText(report).text.contains("null discards all sound"))
    #expect(!StatusReport.sample.cautions.contains { $0.contains("the device") })
  }

  @Test("Bluetooth earphones stand with the delay to expect, in status and among the cautions of a start")
  func bluetooth() {
    let sample = StatusReport.sample
    let stream = StatusReport.Devices.Stream(
      name: "bluealsa:DEV=00:11:22:33:44:55,CODEC=aac", description: nil, rateHz: 44_100, channels: 2,
      format: "S16_LE", periodFrames: 64, periods: 3)
    let devices = StatusReport.Devices(
      capture: sample.devices?.capture ?? stream, playback: stream)
    let report = report(devices: devices, latency: sample.latency)
    let text = StatusText(report).text
    #expect(text.contains("Bluetooth adds about 120 to 200 ms (AAC)"))
    #expect(text.contains("the chain's own 0.38 ms, Bluetooth may add about 120 to 200 ms\n"))
    #expect(report.cautions.contains { $0.hasPrefix("Caution: Bluetooth adds about 120 to 200 ms") })
    #expect(!sample.cautions.contains { $0.contains("Bluetooth") })

    // Once somebody has measured it, the number stands in place of what is to be expected.
    let measured = self.report(
      devices: devices,
      latency: .init(
        loopSeconds: 0.00514, chainSeconds: 0.00038,
        measured: .init(loopSeconds: 0.1683, measuredUnixSeconds: 1_700_000_000)))
    let words = StatusText(measured).text
    let day = Timestamp(1_700_000_000).day
    #expect(
      words.contains(
        "168.30 ms, measured on \(day); the devices tell 5.14 ms; of it the chain's own 0.38 ms\n"))
    #expect(words.contains("With Bluetooth (AAC) the sound takes 168.30 ms, as measured"))
    #expect(!words.contains("120 to 200 ms") && !measured.cautions.contains { $0.contains("120 to 200") })
  }

  @Test(
    "a prescription goes by its number in the book, as in commands, and its serial; by the serial alone without a book",
    arguments: [
      (3, "number 3 for quiet from City (serial 4)"), (nil, "serial 4 for quiet from City"),
    ] as [(Int?, String)])
  func prescription(_ number: Int?, _ words: String) {
    let report = report(
      prescription: .init(number: number, serial: 4, clinic: "City", environment: "quiet"))
    let lines = StatusText(report).text.split(separator: "\n")
    #expect(lines.contains("Prescription  \(words)"))
  }

  @Test("an aid that waits, muted and without a prescription, says all three and why")
  func waiting() {
    let report = report(
      state: StatusReport.State(
        .waitingForDevice, reason: "no such device hw:CARD=Aid", isMuted: true, since: 11_000),
      fitting: .init(
        isFitted: false, rule: nil, compressionRatio: nil, ears: [], bandCount: 20, maximumOutputDBSPL: 111),
      realtime: .init(
        isGranted: false, policy: "SCHED_OTHER", priority: 0, reason: "limit 0 (RLIMIT_RTPRIO)"),
      memory: .init(isLocked: true, reason: nil))
    let text = StatusText(report)
    let lines = text.text.split(separator: "\n").map(String.init)
    #expect(
      lines.dropFirst() == [
        "State      waiting for a device since \(Timestamp(11_000).clock), muted: no such device hw:CARD=Aid",
        "Devices    none open",
        "Fitting    none, nothing is amplified, at most 111 dB SPL",
        "Right      no sound",
        "Left       no sound",
        "Drop-outs  none",
        "Real time  no: limit 0 (RLIMIT_RTPRIO)",
        "Memory     locked",
      ])
    #expect(text.sentence == "waiting for a device, muted: no such device hw:CARD=Aid")
    #expect(StatusText(.sample).sentence == "running, 44100 Hz, period 64")
  }

  @Test("the period of a state in one sentence is the block, the longer one where the devices' differ")
  func longerPeriod() {
    func devices(block: Int?) -> StatusReport.Devices {
      func stream(_ period: Int) -> StatusReport.Devices.Stream {
        .init(
          name: "hw:A", description: nil, rateHz: 44_100, channels: 2, format: "S16_LE",
          periodFrames: period, periods: 3)
      }
      return .init(capture: stream(1024), playback: stream(441), periodFrames: block)
    }
    // The last is an older daemon's.
    for block in [1024, nil] {
      #expect(
        StatusText(report(devices: devices(block: block))).sentence == "running, 44100 Hz, period 1024")
    }
  }

  @Test(
    "somebody without a role is told no silence, rule or ear in place of what is withheld, and the way to it"
  )
  func withheld() {
    let text = StatusText(StatusReport.sample.withoutHearing).text
    let lines = text.split(separator: "\n")
    #expect(lines.contains("Fitting     fitted, 20 bands, at most 111 dB SPL"))
    #expect(lines.contains("Right       in silence, 2 blocks with samples not a number"))
    #expect(lines.contains("Left        in 62.1 dB SPL (provisional), 1 sample clipped"))
    #expect(lines.last == "More        for those who have a role: auricle status --as audiologist")
    #expect(!StatusText(.sample).text.contains("More "))
  }

  @Test("while a test plays no silence is told, whoever asks, and the clock is not known meanwhile")
  func testing() {
    var report = report(
      state: StatusReport.State(.waitingForDevice, reason: "a hearing test", since: 11_000),
      devices: StatusReport.sample.devices)
    report.procedure = StatusReport.Procedure(name: "hearing test", pid: 9, beganUnixSeconds: 11_000)
    let lines = StatusText(report).text.split(separator: "\n")
    for name in ["Right", "Left "] { #expect(lines.contains("\(name)       a test plays")) }
    #expect(lines.contains("Clock       not known while a test plays"))
    // Without a role the report does not name the test.
    let others = StatusText(report.withoutHearing).text.split(separator: "\n")
    for name in ["Right", "Left "] { #expect(others.contains("\(name)       not measured now")) }
  }

  @Test("what a prescription adds to gain is named with its ears, without its numbers")
  func added() throws {
    let fitting = fitting {
      ($0.frequencyLoweringEars, $0.tinnitusSoundEars) = (["left"], ["left", "right"])
    }
    let report = report(fitting: fitting)
    #expect(
      StatusText(report).text.contains(
        "NAL-RP, both ears, 20 bands, at most 111 dB SPL, frequency lowering (left ear), tinnitus sound (both ears)\n"
      ))
    let json = try JSON.text(fitting)
    #expect(json.contains(#""frequency_lowering_ears":["left"]"#))
    #expect(json.contains(#""tinnitus_sound_ears":["left","right"]"#))
    #expect(!(try JSON.text(StatusReport.sample.fitting)).contains("tinnitus"))
  }

  @Test("a tinnitus sound that is left out until the earphone is calibrated is told as left out")
  func heldBackSound() throws {
    let fitting = fitting { $0.heldBackTinnitusSoundEars = ["left"] }
    let report = report(fitting: fitting)
    #expect(
      StatusText(report).text.contains(
        "at most 111 dB SPL, tinnitus sound left out until the earphone is calibrated (left ear): auricle calibrate\n"
      ))
    #expect(try JSON.text(fitting).contains(#""held_back_tinnitus_sound_ears":["left"]"#))
  }

  @Test("an ear that hears normally and gets gain is named, without its numbers")
  func needlessGain() throws {
    let fitting = fitting { $0.needlessGainEars = ["left"] }
    let report = report(fitting: fitting)
    #expect(
      StatusText(report).text.contains(
        "at most 111 dB SPL, gain that an ear which hears normally does not need (left ear)\n"))
    #expect(try JSON.text(fitting).contains(#""needless_gain_ears":["left"]"#))
    #expect(!(try JSON.text(StatusReport.sample.fitting)).contains("needless"))
  }

  @Test("a limit that leaves little room is told with who can give another one, in status and at a start")
  func lowLimit() throws {
    func fitting(_ limit: Double, isPrescribed: Bool?) -> StatusReport.Fitting {
      StatusReport.Fitting(
        isFitted: true, rule: "NAL-RP", compressionRatio: nil, ears: ["left", "right"], bandCount: 20,
        maximumOutputDBSPL: limit, isMaximumOutputPrescribed: isPrescribed)
    }
    let remedies: [(isPrescribed: Bool?, words: String)] = [
      (true, "Your clinic's card sets it: ask the clinic for another card."),
      (nil, "Another one: auricle setup --again, or safety.maximum-output."),
    ]
    for (isPrescribed, words) in remedies {
      let report = report(fitting: fitting(65, isPrescribed: isPrescribed))
      #expect(report.cautions.contains { $0.hasPrefix("The limit is 65 dB SPL.") && $0.hasSuffix(words) })
      #expect(StatusText(report).text.contains(words))
    }
    // 62 dB SPL of a voice, 12 dB of its peaks and 10 dB of gain are the least.
    let room = report(fitting: fitting(84, isPrescribed: true))
    #expect(!StatusText(room).text.contains("The limit is") && room.limitCaution == nil)
  }

  @Test("cautions about an audiogram that nobody signed are counted, and a card's are not told again")
  func audiogramCautions() throws {
    let fitting = fitting { $0.audiogramCautions = 2 }
    var report = report(fitting: fitting)
    let sentence =
      "Caution: auricle check has 2 cautions about the audiogram. Let a physician or an audiologist look at it."
    #expect(StatusText(report).text.contains("at most 111 dB SPL, 2 cautions about the audiogram\n"))
    #expect(report.cautions.contains(sentence))
    #expect(try JSON.text(report).contains(#""audiogram_cautions":2"#))
    report.prescription = StatusReport.Prescription(
      serial: 7, clinic: "City", environment: "quiet", notes: [])
    #expect(!StatusText(report).text.contains("about the audiogram"))
    #expect(!report.cautions.contains(sentence))
  }

  @Test("while a lost device is waited for, the loss is told although no period was missed")
  func loss() {
    let silent = MetersReport.silent
    let meters = MetersReport(
      left: silent.left, right: silent.right, load: silent.load,
      xruns: .init(capture: 0, playback: 0, lostSeconds: 0, lastCause: "device gone", deviceReopens: 0))
    let report = report(state: StatusReport.State(.waitingForDevice, since: 1), meters: meters)
    #expect(
      StatusText(report).text.contains("Drop-outs   no period missed, but sound broke off: device gone\n")
        || StatusText(report).text.contains(
          "Drop-outs  no period missed, but sound broke off: device gone\n")
    )
  }

  @Test("a delay of the chain that rounds below nothing is none")
  func noDelay() {
    let report = report(latency: .init(loopSeconds: 0.005, chainSeconds: -0.000_05))
    #expect(StatusText(report).text.contains("5.00 ms, of it the chain's own none\n"))
  }

  @Test(
    "once another program lies in its place, the status names the version that plays after the next start",
    arguments: [
      ("0.0.9", "Version \(Version.number) is installed"),
      (Version.number, "Another build of \(Version.number) is installed"),
    ])
  func replaced(_ version: String, _ words: String) {
    var report = StatusReport.sample
    #expect(!StatusText(report).text.contains("is installed"))
    report.daemon = StatusReport.Daemon(
      version: version, pid: 812, startedUnixSeconds: 0, nowUnixSeconds: 11_520, replacedUnixSeconds: 11_000
    )
    #expect(StatusText(report).text.contains("  \(words); it plays after the next start of the daemon\n"))
  }

  @Test("with colour off there is no escape, with colour on the text is the same without them")
  func colour() {
    let plain = StatusText(.sample).text
    let coloured = StatusText(.sample, style: Style(isOn: true)).text
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[32mrunning\u{1B}[0m"))
    #expect(coloured.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
  }
}

@Suite("Status as JSON") struct StatusJSONTests {
  @Test("keys carry their units, silence has no number, and there is a schema")
  func json() throws {
    let text = try JSON.text(StatusReport.sample)
    for part in [
      #""schema":117"#, #""input_level_db_spl":62.14"#, #""input_calibration":"provisional""#,
      #""loop_seconds":0.00514"#, #""granted":true"#, #""drift_ppm":-12.34"#, #""rate_hz":44100"#,
      #"{"centre_hz":250,"gain_db":3.4}"#, #""lost_seconds":0.0041"#, #""percentile_99_share":0.074"#,
      #""maximum_output_db_spl":111"#, #""pid":812"#, #""name":"running""#,
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let right = try #require(text.firstMatch(of: #/"right":\{[^}]*\}/#))
    #expect(!right.0.contains("input_level_db_spl"))
    #expect(try JSON.value(StatusReport.self, from: [UInt8](text.utf8)) == .sample)
  }
}
