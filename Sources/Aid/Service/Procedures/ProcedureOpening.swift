import Acoustics
import AudioIO
import Base
import Control
import Engine
import Procedures

/// Makes a procedure's plan and record, or opens a record that was left, once the devices are open.
struct ProcedureOpening {
  private let commission: ProcedureCommission
  private let folder: ProcedureFolder
  private let devices: AidDevices
  private let latency: Double?
  private let rate: Double
  private let greatest: Binaural<FullScaleLevel>
  /// Volume controls of the earphones' card as they stand; nil: nobody can read them.
  private let volumes: [VolumeSetting]?

  /// - Parameter look: At the volume controls of a device; replaced in tests.
  init(
    _ commission: ProcedureCommission, folder: ProcedureFolder, player: PresentationPlayer,
    look: (_ device: String?) -> PlaybackVolumes = PlaybackVolumes.now
  ) {
    (self.commission, self.folder) = (commission, folder)
    (devices, latency) = (player.devices, player.latency)
    (rate, greatest) = (player.rate, player.greatest)
    volumes = look(player.devices.playbackName).settings
  }

  /// Makes the sounds of a procedure, none louder than the aid, the earphone and, of a match, ``MatchRange/greatestLevel`` allow: whatever
  /// a plan or a record asks for.
  private func rendering(_ name: ProcedureOrder.Name) -> StimulusRendering {
    var limit = min(commission.limit, commission.earphones.maximumLevel ?? commission.limit)
    if name != .hearingTest { limit = min(limit, MatchRange.greatestLevel) }
    return StimulusRendering(
      calibration: commission.earphones, rate: rate, limit: Binaural(both: limit), greatest: greatest)
  }

  /// - Parameter allow: Told the earphones with which alone it may be carried out, where its order names any.
  func run(
    inbox: ProcedureInbox, allow: (EarphoneAllowance) -> Void, tell: @escaping (ProcedureNotice) -> Void
  ) throws(ProcedureFault) -> ProcedureRun {
    do throws(Failure) {
      // A refusal comes before a record, which would be an empty one.
      var watch: RoomWatch?
      if case .new(let order) = commission.task { watch = try room(order.room) }
      let (procedure, beginning, file) = try opened()
      if watch == nil, commission.hearsRoom { watch = try room(beginning.order.room) }
      if let earphones = beginning.order.earphones { allow(earphones) }
      return ProcedureRun(
        procedure, of: beginning.plan, record: ProcedureWriter(file, identifier: beginning.identifier),
        rendering: rendering(beginning.plan.orderName), room: watch,
        inbox: inbox, tell: tell)
    } catch { throw .plan(error) }
  }

  private func opened() throws(Failure) -> (any Procedure, ProcedureBeginning, ProcedureFile) {
    switch commission.task {
    case .new(let order): try made(order)
    case .resume(let identifier): try left(identifier)
    }
  }

  private func made(
    _ order: ProcedureOrder
  ) throws(Failure) -> (any Procedure, ProcedureBeginning, ProcedureFile) {
    let now = SystemTime.wall
    let rendering = rendering(order.name)
    let (plan, thresholdFrom) = try plan(order, rendering, at: now)
    let (file, identifier) = try folder.make(order.name.rawValue, at: now)
    let beginning = ProcedureBeginning(
      identifier: identifier, at: now, version: Version.number, order: order, plan: plan,
      // Below 2⁵³, so that every reader of JSON reads it as it is.
      seed: UInt64.random(in: 0..<1 << 53),
      device: ProcedureBeginning.Device(
        capture: devices.captureName, playback: devices.playbackName, rateHz: devices.playback.rate,
        format: devices.playback.format.rawValue, delaySeconds: latency, volumes: volumes),
      calibration: commission.earphones,
      limits: ProcedureBeginning.Limits(left: rendering.limit.left, right: rendering.limit.right),
      thresholdFrom: thresholdFrom)
    do throws(SystemError) { try file.add(.begin(beginning), isSafe: true) } catch {
      file.remove()
      throw .writing(file.path, error)
    }
    return (plan.begin(seed: beginning.seed), beginning, file)
  }

  /// - Parameter now: s since 1970-01-01 UTC.
  private func plan(
    _ order: ProcedureOrder, _ rendering: StimulusRendering, at now: Double
  ) throws(Failure) -> (ProcedurePlan, thresholdFrom: String?) {
    let known = KnownResults(
      folder.summaries(), calibration: commission.earphones, volumes: volumes, now: now)
    return try ProcedurePlanning(
      order: order, rendering: rendering, resolution: devices.playback.format.resolution, known: known
    ).plan()
  }

  private func left(
    _ identifier: String
  ) throws(Failure) -> (any Procedure, ProcedureBeginning, ProcedureFile) {
    try FileTrust(of: folder.file(identifier))?.refuseChangeable()
    let record = try folder.record(identifier)
    guard record.ended == nil else {
      throw Failure(identifier, found: "that it is finished", expected: "one that was left", exit: .usage)
    }
    guard record.beginning.hasLevels(of: commission.earphones),
      record.beginning.device.playback == devices.playbackName
    else {
      throw Failure(
        identifier, found: "another earphone or calibration than it was begun with",
        expected: "\(record.beginning.calibration.device.device) on \(record.beginning.device.playback)",
        remedy: "Put it back, or begin anew.", exit: .unavailable)
    }
    if let difference = record.beginning.volumeDifference(of: volumes) {
      throw Failure(
        identifier, found: "that \(difference)", remedy: "Put it back, or begin anew.", exit: .unavailable)
    }
    guard record.beginning.device.rateHz == devices.playback.rate else {
      throw Failure(
        identifier, found: "a device at \(devices.playback.rate) Hz",
        expected: "\(record.beginning.device.rateHz) Hz, at which its sounds were made",
        remedy: "Set device.rate to that, or begin anew.", exit: .unavailable)
    }
    let age = record.beginning.age(at: SystemTime.wall)
    guard age <= ProcedureBeginning.longestBreak else {
      throw Failure(
        identifier, found: "that it was begun \(age.rounded(.up).shortText) days ago",
        expected:
          "one of the last \(ProcedureBeginning.longestBreak.shortText) days, for hearing changes meanwhile",
        remedy: "Begin anew.", exit: .unavailable)
    }
    do throws(ControlFailure) { try record.beginning.order.check() } catch {
      throw Failure(identifier, inWords: error.message, exit: .badData)
    }
    if let allowance = record.beginning.order.earphones {
      do throws(EarphoneAllowance.Refusal) { _ = try allowance.check(commission.found) } catch {
        throw Failure(identifier, inWords: "\(error)", exit: .unavailable)
      }
    }
    if case .hearingTest(let plan) = record.beginning.plan {
      let highest = Ear.allCases.flatMap { plan.limits[$0].values.map(\.highest) }.max()
      guard let highest, highest <= commission.highest else {
        throw Failure(
          identifier, found: "tones up to \((highest?.decibels ?? 0).shortText) dB HL",
          expected: "\(commission.highest.decibels.shortText) dB HL at most",
          remedy: "Louder ones are the audiologist's: add --as audiologist", exit: .noPermission)
      }
    }
    // Thresholds and ceilings are those that hold now, whatever the file says.
    let beginning = record.beginning
    guard
      try plan(beginning.order, rendering(beginning.order.name), at: SystemTime.wall).0 == beginning.plan
    else {
      throw Failure(
        identifier, found: "another plan than is made of its order now",
        expected: "thresholds, and a version of the program, as when it was begun", remedy: "Begin anew.",
        exit: .unavailable)
    }
    var procedure = try record.procedure()
    try record.checkSounds()
    let file: ProcedureFile
    do throws(SystemError) {
      file = try ProcedureFile(continuing: folder.file(identifier), length: record.length)
      let reason = commission.hearsRoom ? nil : "without listening to the room"
      try file.add(.resumed(reason: reason, at: SystemTime.wall), isSafe: true)
      if case .inhibition = record.beginning.plan, !record.answers.isEmpty {
        // The return of the tinnitus after a noise cannot be asked for later.
        try file.add(
          .restarted(reason: "the time after the noise was interrupted", at: SystemTime.wall), isSafe: true)
        procedure = record.beginning.plan.begin(seed: record.beginning.seed)
      }
    } catch { throw .writing(folder.file(identifier), error) }
    return (procedure, record.beginning, file)
  }

  /// - Throws: ``Failure`` without a calibrated microphone: no level in dB(A) is known.
  private func room(_ rule: QuietRoomRule?) throws(Failure) -> RoomWatch? {
    guard let rule else { return nil }
    let microphone = commission.microphones.device
    guard microphone.status != .none else {
      throw Failure(
        "room", found: "a microphone that is not calibrated",
        expected: "one that can tell \(rule.threshold.shortText) dB(A)",
        remedy: "Calibrate it, or go on without: --no-room", exit: .unavailable)
    }
    return try Failure.saying("room", exit: .configuration) {
      try RoomWatch(
        rule, rate: Double(devices.capture.rate),
        fullScale: Calibrated(
          try commission.microphones.sensitivity(channel: 0).nominalLevel, status: microphone.status))
    }
  }
}

extension SampleFormat {
  /// Bits of a sample; nil: floating point.
  var resolution: Int? {
    switch self {
    case .float32: nil
    case .signed32: 32
    case .signed24, .signed24Packed: 24
    case .signed16: 16
    }
  }
}

extension Failure {
  /// The end of a procedure without a result.
  init(_ fault: ProcedureFault) {
    switch fault {
    case .sound(let fault): self.init(fault, of: "procedure")
    case .refused(let refusal):
      // It tells how well somebody hears.
      self = Failure("procedure", saying: "\(refusal)", exit: .configuration)
        .logged(asKind: "a sound that may not be played")
    case .record(let failure), .plan(let failure): self = failure
    case .noResult: self.init("procedure", found: "no result at its end", exit: .software)
    }
  }
}

extension ProcedurePlan {
  /// Name under which it is asked for.
  fileprivate var orderName: ProcedureOrder.Name { ProcedureOrder.Name(rawValue: name) ?? .loudness }
}
