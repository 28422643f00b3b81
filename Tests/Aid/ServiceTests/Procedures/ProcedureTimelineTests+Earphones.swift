import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Procedures
import Testing

@testable import Engine
@testable import Service

/// Earphones that a procedure may have, and those that come in their place.
extension ProcedureTimelineTests {
  @Test(
    "a protocol's list of earphones is held to: identity, profile and calibration are checked, a telephone's link is refused"
  )
  func earphones() throws {
    let headset = DeviceIdentity([DeviceProduct(.usb, vendor: 0x46D, product: 0xA4D)], name: "Headset")
    func refusal(
      of list: EarphoneAllowance, on device: String = "hw:CARD=Aid", found: DeviceIdentity? = headset,
      told: StatusReport.Earphones? = nil
    ) -> Failure? {
      let daemon = running()
      daemon.engine(.running) { $0.devices = Self.devices(playback: device) }
      daemon.happen(.found(FoundDevices(earphone: found)))
      if let told { daemon.ask(EarphoneMethods.Tell(told)) }
      var order = ProcedureOrder(.hearingTest)
      order.earphones = list
      return self.refusal(daemon, ProcedureMethods.Start(order))
    }
    func list(
      _ identity: String, _ profile: String, _ status: CalibrationStatus = .provisional
    ) -> EarphoneAllowance {
      EarphoneAllowance(
        name: "study",
        earphones: [EarphoneAllowance.Earphone(name: "HDA 200", identities: [identity], profile: profile)],
        leastCalibration: status)
    }
    let own = "usb:v046Dp0A4D"
    #expect(refusal(of: list(own, "hda200")) == nil)
    #expect(refusal(of: list("Headset", "hda200")) == nil)
    // A name in the configuration proves nothing.
    let unknown = refusal(of: list("hw:CARD=Aid", "hda200"))
    #expect(
      unknown?.message.contains("Headset (usb:v046Dp0A4D) is not an earphone of this protocol") == true)
    #expect(unknown?.message.contains("Connect one of: HDA 200") == true)
    let hidden = refusal(of: list("hw:CARD=Aid", "hda200"), found: nil)
    #expect(hidden?.message.contains("hw:CARD=Aid has no identifier") == true)
    #expect(refusal(of: list(own, "airpods-pro-2"))?.message.contains("needs \"airpods-pro-2\"") == true)
    #expect(refusal(of: list(own, "hda200", .verified))?.message.contains("verified") == true)
    // A session is believed where nothing was found, and nowhere else.
    let told = StatusReport.Earphones(connection: .usb, name: "Told", modalias: "usb:v1234p0001d0100")
    #expect(refusal(of: list("usb:v1234p0001", "hda200"), on: "default", found: nil, told: told) == nil)
    #expect(refusal(of: list("usb:v1234p0001", "hda200"), told: told)?.message.contains("Headset") == true)
    let phone = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco"
    #expect(refusal(of: list(phone, "hda200"), on: phone)?.message.contains("hands-free") == true)
  }

  @Test(
    "on a telephone's link nothing begins and nothing goes on, whatever the order allows; on one for music it does"
  )
  func handsFree() throws {
    var match = ProcedureOrder(.loudness)
    (match.ear, match.threshold) = (.left, 20)
    let starts = [start, ProcedureMethods.Start(match), ProcedureMethods.Start(resuming: "r")]
    let words =
      " is connected by the hands-free profile, whose sound has no fixed level. Choose its profile for music (A2DP), or "
      + "another microphone, and try again."
    for (start, name) in zip(starts, ["hearing test", "loudness match", "procedure"]) {
      let daemon = running()
      let phone = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco"
      daemon.engine(.running) { $0.devices = Self.devices(playback: phone) }
      let failure = refusal(daemon, start)
      #expect(failure?.message == "\(name): \(phone)" + words && failure?.exitStatus == .unavailable)
      // An address belongs in no log.
      #expect(failure?.logMessage == "\(name): found earphones on a hands-free link.")
      #expect(daemon.state.test == nil)
    }
    let daemon = running()
    let music = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp"
    daemon.engine(.running) { $0.devices = Self.devices(playback: music) }
    #expect(refusal(daemon, start) == nil)
  }

  @Test(
    "through a loudspeaker, which both ears hear, nothing begins and nothing goes on",
    arguments: ["free-field", "diffuse-field"])
  func loudspeaker(field: String) throws {
    let stated = RecordedProcedure.calibration
    let transducer = try #require(Transducer.named(field))
    var match = ProcedureOrder(.loudness)
    (match.ear, match.threshold) = (.left, 20)
    for start in [start, ProcedureMethods.Start(match), ProcedureMethods.Start(resuming: "r")] {
      let daemon = running(by: stated.with(stated.device, transducer: transducer))
      let failure = refusal(daemon, start)
      #expect(failure?.found == "\(field), sound of a loudspeaker, which both ears hear")
      #expect(failure?.exitStatus == .unavailable && failure?.remedy?.contains("auricle calibrate") == true)
      #expect(daemon.state.test == nil)
    }
  }

  @Test(
    "earphones that a protocol does not allow end it, whoever told those before, also of a record that was gone on with"
  )
  func otherEarphones() throws {
    let allowed = StatusReport.Earphones(connection: .usb, name: "Told", modalias: "usb:v046Dp0A4Dd0100")
    let strange = StatusReport.Earphones(connection: .usb, name: "Ada’s", modalias: "usb:v1111p2222d0100")
    let list = EarphoneAllowance(
      name: "study",
      earphones: [
        EarphoneAllowance.Earphone(name: "HDA 200", identities: ["usb:v046Dp0A4D"], profile: "hda200")
      ], leastCalibration: .provisional)
    var order = ProcedureOrder(.hearingTest)
    order.earphones = list
    func begun(_ start: ProcedureMethods.Start) -> Timeline {
      let daemon = running()
      daemon.engine(.running) { $0.devices = Self.devices(playback: "default") }
      daemon.ask(EarphoneMethods.Tell(allowed), from: Self.other)
      daemon.ask(start, from: Self.caller)
      daemon.happen(.procedure(2, .allowance(list)))
      return daemon
    }
    let changes: [(patience: Double, make: (Timeline) -> Void)] = [
      (0, { $0.ask(EarphoneMethods.Tell(strange), from: Self.other) }),
      (0, { $0.happen(.found(FoundDevices(earphone: DeviceIdentity([], name: "HDA Intel PCH")))) }),
      // The program that told them is there, and knows of another output.
      (0, { $0.ask(EarphoneMethods.Forget(), from: Self.other) }),
      (0, { $0.ask(EarphoneMethods.Tell(StatusReport.Earphones(connection: .usb)), from: Self.other) }),
      // Nothing says that they are others.
      (8, { $0.happen(.control(.gone(Self.other))) }),
    ]
    for start in [ProcedureMethods.Start(order), ProcedureMethods.Start(resuming: "r")] {
      for change in changes {
        let daemon = begun(start)
        // The same ones again change nothing.
        daemon.ask(EarphoneMethods.Tell(allowed), from: Self.other)
        #expect(daemon.state.test != nil)
        change.make(daemon)
        if change.patience > 0 {
          daemon.pass(change.patience - 0.5)
          #expect(daemon.state.test != nil)
          daemon.pass(0.6)
        }
        #expect(daemon.state.test == nil)
        #expect(daemon.effects.contains { if case .endTest = $0 { true } else { false } })
        let last = try #require(notices(daemon).last)
        #expect(last.phase == .broken && last.error?.exitStatus == .unavailable)
        #expect(last.error?.message.contains("HDA 200") == true)
        #expect(
          daemon.state.report.procedure?.reason?.hasSuffix("earphones that its protocol does not allow.")
            == true)
        #expect(!daemon.log.contains { $0.contains("Ada") })
      }
    }
  }

  @Test(
    "where the program that tells the earphones is back within 8 s a procedure goes on, each time; with others it ends at once"
  )
  func toldAgain() {
    let allowed = StatusReport.Earphones(connection: .usb, name: "Told", modalias: "usb:v046Dp0A4Dd0100")
    let strange = StatusReport.Earphones(connection: .usb, name: "Ada’s", modalias: "usb:v1111p2222d0100")
    let list = EarphoneAllowance(
      name: "study",
      earphones: [
        EarphoneAllowance.Earphone(name: "HDA 200", identities: ["usb:v046Dp0A4D"], profile: "hda200")
      ], leastCalibration: .provisional)
    let daemon = running()
    daemon.engine(.running) { $0.devices = Self.devices(playback: "default") }
    daemon.ask(EarphoneMethods.Tell(allowed), from: Self.other)
    daemon.ask(ProcedureMethods.Start(resuming: "r"), from: Self.caller)
    daemon.happen(.procedure(2, .allowance(list)))
    for _ in 0..<3 {
      daemon.happen(.control(.gone(Self.other)))
      daemon.pass(5)
      daemon.ask(EarphoneMethods.Tell(allowed), from: Self.other)
      daemon.pass(60)
      #expect(daemon.state.test != nil)
    }
    daemon.happen(.control(.gone(Self.other)))
    daemon.pass(5)
    #expect(daemon.state.test != nil)
    daemon.ask(EarphoneMethods.Tell(strange), from: Self.other)
    #expect(daemon.state.test == nil)
  }

  @Test(
    "through a sound server a list goes by the earphones that are told, and neither by an address in the device's name nor by its model",
    arguments: [
      ("pipewire:NODE=bluez_output.04_5D_4B_00_11_22.1", true),
      ("pulse:bluez_sink.04_5D_4B_00_11_22", true),
      ("plug:'pulse:DEVICE=bluez_sink.04_5D_4B_00_11_22'", true),
      ("bluealsa:DEV=04:5D:4B:00:11:22,PROFILE=a2dp", false),
    ])
  func serversEarphones(device: String, isServer: Bool) throws {
    let buds = StatusReport.Earphones(
      connection: .bluetooth, address: "04:5D:4B:00:11:22", modalias: "bluetooth:v004Cp200Ed0C20")
    let product = try #require(DeviceProduct(modalias: "bluetooth:v004Cp200Ed0C20"))
    let list = EarphoneAllowance(
      name: "study",
      earphones: [
        EarphoneAllowance.Earphone(
          name: "Buds", identities: [product.description, "04:5D:4B:00:11:22"], profile: "hda200")
      ], leastCalibration: .provisional)
    var order = ProcedureOrder(.hearingTest)
    order.earphones = list
    func connected() -> Timeline {
      let daemon = running()
      daemon.engine(.running) { $0.devices = Self.devices(playback: device) }
      daemon.happen(.found(FoundDevices(earphone: DeviceIdentity([product]))))
      return daemon
    }
    let untold = connected()
    #expect((refusal(untold, ProcedureMethods.Start(order)) != nil) == isServer)
    let told = connected()
    told.ask(EarphoneMethods.Tell(buds), from: Self.other)
    #expect(refusal(told, ProcedureMethods.Start(order)) == nil)
    told.happen(.procedure(2, .allowance(list)))
    #expect(told.state.test != nil)
    // The server plays on loudspeakers; BlueZ lists the pair all the same.
    told.ask(EarphoneMethods.Forget(), from: Self.other)
    #expect((told.state.test == nil) == isServer)
  }

  @Test("earphones that were exchanged before the record was open end it with the news of its list")
  func exchangedEarly() throws {
    let daemon = running()
    daemon.ask(ProcedureMethods.Start(resuming: "r"), from: Self.caller)
    let list = EarphoneAllowance(
      name: "study",
      earphones: [
        EarphoneAllowance.Earphone(name: "HDA 200", identities: ["usb:v046Dp0A4D"], profile: "hda200")
      ], leastCalibration: .provisional)
    daemon.happen(.procedure(1, .allowance(list)))
    #expect(daemon.state.test == nil && notices(daemon).last?.phase == .broken)
  }
}
