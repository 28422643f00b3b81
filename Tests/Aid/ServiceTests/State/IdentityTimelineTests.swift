import Acoustics
import AudioIO
import Base
import Bus
import Control
import Testing

@testable import Engine
@testable import Service

@Suite("Models of the devices on a timeline") struct IdentityTimelineTests {
  private static let headset = DeviceIdentity(
    [DeviceProduct(.usb, vendor: 0x046D, product: 0x0A4D)], name: "Headset")
  private static let board = DeviceIdentity([], name: "HDA Intel PCH")

  private static let devices = {
    let format = StreamFormat(rate: 48_000, channels: 2, format: .float32, period: 64, buffer: 192)
    return AidDevices(
      captureName: "hw:CARD=PCH", playbackName: "hw:CARD=Headset", capture: format, playback: format,
      period: 64)
  }()

  private func sounding() throws -> Timeline {
    let read = try loaded(
      """
      [calibration.earphone]
      full-scale-level = 111
      device = "hw:CARD=Headset (HDA 200)"
      source = "data sheet"
      status = "provisional"
      product = "usb:v046Dp0A4D"
      """)
    let daemon = Timeline(
      ServiceState(
        .init(started: .at(100)), configuration: read, configured: try AidSettings(read).hearing))
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  @Test(
    "another model that comes by the same name takes the calibration out of force, and the right one puts it back"
  )
  func exchanged() throws {
    let daemon = try sounding()
    daemon.happen(.found(FoundDevices(earphone: Self.headset)))
    #expect(daemon.state.heard.earphones.device.status == .provisional && daemon.applied == nil)
    daemon.happen(.found(FoundDevices(earphone: Self.board)))
    #expect(daemon.applied?.earphones.device.status == CalibrationStatus.none)
    #expect(daemon.state.heard.gainCap == 20)
    // Of the name that the calibration is bound to: the device does not move to another card.
    #expect(daemon.state.devicesInUse.playback == "hw:CARD=Headset")
    #expect(
      daemon.log.contains {
        $0.hasPrefix(
          "warning: the calibration of the earphones does not count: sound goes to HDA Intel PCH")
      })
    daemon.happen(.found(FoundDevices(earphone: Self.headset)))
    #expect(daemon.applied?.earphones.device.status == .provisional)
    #expect(daemon.log.contains { $0.hasPrefix("notice: the calibration of the earphones counts") })
    daemon.happen(.found(FoundDevices()))
    #expect(daemon.state.heard.earphones.device.status == .provisional && daemon.applied == nil)
  }

  @Test("that nobody tells the model any more is not logged as the right one's return")
  func untold() throws {
    let daemon = try sounding()
    daemon.happen(.found(FoundDevices(earphone: Self.board)))
    daemon.happen(.found(FoundDevices()))
    #expect(!daemon.log.contains { $0.contains("the calibration of the earphones counts") })
  }

  @Test("the status has both models and the match, and says why the calibration does not count")
  func status() throws {
    let daemon = try sounding()
    #expect(daemon.state.report.calibration.earphone.identity?.match == .unknown)
    daemon.happen(.found(FoundDevices(microphone: Self.board, earphone: Self.headset)))
    let identity = daemon.state.report.calibration.earphone.identity
    #expect(identity?.calibrated == "usb:v046Dp0A4D" && identity?.found == "Headset (usb:v046Dp0A4D)")
    #expect(identity?.match == .same)
    daemon.engine(.running) { $0.devices = Self.devices }
    let text = StatusText(daemon.state.report).text
    #expect(text.contains("Earphones   hw:CARD=Headset, Headset (usb:v046Dp0A4D), 48000 Hz"))
    #expect(text.contains("calibration provisional on this model"))
    // Of a microphone that is not calibrated only what it is.
    let microphone = daemon.state.report.calibration.microphone.identity
    #expect(microphone?.calibrated == nil && microphone?.found == "HDA Intel PCH")
    daemon.happen(.found(FoundDevices(earphone: Self.board)))
    let report = daemon.state.report
    #expect(report.calibration.earphone.identity?.match == .other)
    #expect(StatusText(report).text.contains("not the calibrated model"))
    #expect(
      report.cautions.contains {
        $0.hasPrefix("Calibration of the earphones does not count: sound goes to HDA Intel PCH, and")
      })
    #expect(daemon.state.route.uncalibratedEnds == ["earphone"])
  }

  @Test("another model ends a measurement")
  func measurement() throws {
    let daemon = try sounding()
    daemon.ask(FeedbackMethods.Measure())
    #expect(daemon.state.test != nil)
    daemon.happen(.found(FoundDevices(earphone: Self.headset)))
    #expect(daemon.state.test != nil)
    daemon.happen(.found(FoundDevices(earphone: Self.board)))
    #expect(daemon.state.test == nil)
    #expect(daemon.effects.contains { if case .endTest = $0 { true } else { false } })
  }

  @Test("who looks looks once for each name, each opening and each set of Bluetooth earphones")
  func watch() {
    var looks = 0
    var watch = IdentityWatch { _ in
      looks += 1
      return FoundDevices()
    }
    var question = IdentityWatch.Question(capture: "hw:0", playback: "hw:0")
    #expect(watch.news(question) != nil && watch.news(question) == nil && looks == 1)
    question.opens = 1
    #expect(watch.news(question) != nil && watch.news(question) == nil)
    question.playback = "bluealsa:DEV=00:11:22:33:44:55"
    #expect(watch.news(question) != nil && question.isOnBluetooth)
    question.bluetooth = [BluetoothEarphones(address: "00:11:22:33:44:55", name: "Buds")]
    #expect(watch.news(question) != nil && looks == 4)
    // Devices that nobody has named are not guessed at.
    #expect(IdentityWatch().look(IdentityWatch.Question()) == FoundDevices())
  }

  @Test(
    "Bluetooth earphones stay the model that they are once BlueZ or its bus is gone, also when they are opened anew"
  )
  func keptBluetooth() {
    let buds = BluetoothEarphones(
      address: "00:11:22:33:44:55", name: "Buds", modalias: "bluetooth:v004Cp2014d0B60")
    let model = DeviceIdentity([DeviceProduct(.bluetooth, vendor: 0x4C, product: 0x2014)])
    var watch = IdentityWatch()
    var question = IdentityWatch.Question(
      playback: "bluealsa:DEV=00:11:22:33:44:55", opens: 1, bluetooth: [buds])
    let known = watch.news(question)
    question.bluetooth = []
    let untold = watch.news(question)
    question.opens = 2
    let opened = watch.news(question)
    question.playback = "bluealsa:DEV=00:11:22:33:44:66"
    let other = watch.news(question)
    #expect(known?.earphone == model && untold?.earphone == model && opened?.earphone == model)
    #expect(other == FoundDevices())
  }

  @Test(
    "a card stays the model that it is while it is open by one name, and is asked anew by another opening or name"
  )
  func keptCard() {
    var models: [DeviceIdentity?] = [Self.headset, nil, nil, Self.board, nil]
    var watch = IdentityWatch { _ in FoundDevices(earphone: models.removeFirst()) }
    var question = IdentityWatch.Question(capture: "hw:0", playback: "hw:1", opens: 1)
    let first = watch.news(question)
    // The microphone is another, and nobody tells either.
    question.capture = "hw:2"
    let untold = watch.news(question)
    question.opens = 2
    let opened = watch.news(question)
    question.capture = "hw:0"
    let told = watch.news(question)
    question.playback = "hw:3"
    let other = watch.news(question)
    #expect(first?.earphone == Self.headset && untold?.earphone == Self.headset)
    #expect(opened == FoundDevices() && told?.earphone == Self.board && other == FoundDevices())
  }
}
