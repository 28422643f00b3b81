import Acoustics
import AudioIO
import Base
import Control
import Engine
import Procedures

/// Hearing tests and matches, which have the loop as a feedback test has it.
extension ServiceState {
  /// Begins a procedure, once the audio thread is open; the aid is silent until it has ended.
  ///
  /// - Parameter hearsRoom: False where a record is gone on with whose room is not listened to any longer.
  /// - Throws: ``Failure`` that says what has to be done first.
  mutating func beginProcedure(
    _ task: ProcedureCommission.Task, hearsRoom: Bool = true, for caller: Peer
  ) throws(Failure) {
    let hearing = heard
    let commission = ProcedureCommission(
      task: task, earphones: hearing.earphones, microphones: hearing.microphones,
      limit: hearing.outputCeiling, found: foundEarphone,
      highest: caller.roles.contains(.audiologist)
        ? Audiogram.levels.upperBound : HearingLevel(ProcedureOrder.usualHighest), hearsRoom: hearsRoom)
    try checkReadiness(for: commission)
    if case .new(let order) = task, let allowance = order.earphones {
      do throws(EarphoneAllowance.Refusal) { _ = try allowance.check(commission.found) } catch {
        throw Failure(order.name.rawValue, inWords: "\(error)", exit: .unavailable)
      }
    }
    let name = if case .new(let order) = task { order.name.rawValue } else { "procedure" }
    try begin(.procedure(commission), named: name, for: caller)
  }

  /// Longest that a procedure goes on after the program that told its earphones has gone, s: auricle-desktop, where it ends, is started again after
  /// 2, asks a sound server for 2 at most, and one that did not answer again after 3. Own choice, with 1 to spare.
  private static let identityPatience = 8.0

  /// Ends the procedure under way where its protocol does not allow the earphones that are in use by now, at once but for those that were
  /// allowed and whose teller has gone: after some seconds.
  ///
  /// - Parameter isTellerGone: True where the connection that told them has just ended.
  mutating func endTestOfOtherEarphones(isTellerGone: Bool = false) {
    guard let test, let allowance = test.allowance else { return }
    do throws(EarphoneAllowance.Refusal) {
      _ = try allowance.check(foundEarphone)
      self.test?.identityDue = .infinity
    } catch {
      // A program that is there and tells none knows of another output.
      if case .unidentified = error, earphones == nil, let due = test.identityDue {
        let end = isTellerGone ? min(due, now.monotonic + Self.identityPatience) : due
        self.test?.identityDue = end
        if end.isFinite, now.monotonic < end { return }
      }
      // They may be told by their wearer's name, which no log has.
      endTest(
        Failure(test.task.name, inWords: "\(error)", exit: .unavailable)
          .logged(asKind: "earphones that its protocol does not allow"))
    }
  }

  /// Earphones in use, by everything that tells which they are.
  private var foundEarphone: FoundEarphone {
    let device = devicesInUse.playback
    let link = device.flatMap { BluetoothLink(deviceName: $0) }
    // A server plays on another sink when the one that the device's name says is gone: name and model found by it tell nothing.
    let isOnServer = device.map { DevicePlace.isOnServer($0) } ?? false
    let model = isOnServer ? nil : found.earphone
    // A program of the session is believed where neither kernel nor BlueZ tell the model: behind a sound server.
    let told = model == nil ? earphones?.earphones : nil
    let product = told?.modalias.flatMap { DeviceProduct(modalias: $0) }
    let identity = model ?? product.map { DeviceIdentity([$0]) }
    let address = isOnServer ? nil : link?.address
    let names = [identity?.name, address, told?.address].compactMap(\.self)
    return FoundEarphone(
      name: told?.name ?? identity?.description ?? device ?? "the earphone",
      identities: Set((identity?.products.map(\.description) ?? []) + names),
      profile: configuration.configuration.calibration[.earphone].profile
        ?? heard.earphones.transducer?.identifier,
      calibration: heard.earphones.device.status,
      isHandsFree: link?.isHandsFree == true)
  }

  private func checkReadiness(for commission: ProcedureCommission) throws(Failure) {
    if audio.isMuted {
      throw Failure(
        commission.name, found: "that the aid is muted", remedy: "Take the mute back first: auricle unmute",
        exit: .unavailable)
    }
    if case .faulted(let reason) = audio.state {
      throw Failure(
        commission.name, found: "that the aid is silent because of a fault: \(reason)",
        remedy: "Look at: auricle doctor", exit: .unavailable)
    }
    if let mismatch = configured.mismatch(of: .earphone, found) {
      throw Failure(
        commission.name, found: "a calibration that does not count: \(mismatch)",
        expected: "\(mismatch.expected)",
        remedy: "Connect that one, or calibrate this one: auricle calibrate earphone", exit: .unavailable)
    }
    // Both ears hear the same there, nothing above 3.4 to 7 kHz, and at no fixed level.
    if commission.found.isHandsFree {
      let refusal = EarphoneAllowance.Refusal.handsFree(found: commission.found.name)
      throw Failure(commission.name, inWords: "\(refusal)", exit: .unavailable)
        .logged(asKind: "earphones on a hands-free link")
    }
    guard commission.earphones.device.status != .none, commission.earphones.transducer != nil else {
      throw Failure(
        commission.name,
        found: commission.earphones.device.status == .none
          ? "an earphone that is not calibrated" : "no reference thresholds for the earphone",
        expected: "levels in dB HL, which need its calibration and its transducer",
        remedy: commission.earphones.device.status == .none
          ? "Calibrate it first: auricle calibrate earphone, or choose a profile: auricle calibrate profiles"
          : "Name it: auricle config set calibration.earphone.transducer=hda200, for example; auricle-calibration(7) lists them.",
        exit: .unavailable)
    }
    // Thresholds and matches of an ear would be those of the one that hears better, and nothing masks it.
    if let field = commission.earphones.transducer, field.fit == .soundField {
      throw Failure(
        commission.name, found: "\(field.identifier), sound of a loudspeaker, which both ears hear",
        expected: "earphones, which sound in one ear alone",
        remedy:
          "Connect and calibrate them: auricle calibrate earphone. Where they are those in use, name them: auricle config "
          + "set calibration.earphone.transducer=hda200, for example; auricle-calibration(7) lists them.",
        exit: .unavailable)
    }
    // Neither thresholds nor ceilings would be those that are told, by the difference.
    if let difference = heard.difference(of: volumes) {
      throw Failure(
        commission.name, found: "that \(difference)",
        remedy: "\(Self.wayBack(from: volumes)) Then begin again.", exit: .unavailable)
    }
  }
}
