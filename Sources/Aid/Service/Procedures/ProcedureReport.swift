import Acoustics
import Control
import Procedures

/// Records of procedures as they are listed.
package struct ProcedureList: Sendable, Codable, Hashable {
  package struct Entry: Sendable, Codable, Hashable {
    package let record: String
    package let name: ProcedureOrder.Name
    /// Of a match.
    package let ear: Ear?
    package let beganUnixSeconds: Double
    /// Nil: it was left, and can be gone on with.
    package let endedUnixSeconds: Double?
    package let calibration: DeviceCalibration
    /// Digest of its levels at full scale and of its reference thresholds. Of one digest, and of models that are not known to differ, a level
    /// is the same sound (``OutputCalibration/hasLevels(of:)``). Nil: of a daemon that is older than this key.
    package let calibrationLevels: String?
    /// Volume controls of the earphones' card as they stood at a match of level: with others a level is another sound. Nil: nobody could
    /// read them, or of anything but such a match.
    package let volumes: [VolumeSetting]?
    package let result: ProcedureResult?
    /// True of a match of pitch that lies at an end of its range: the true one may lie beyond. Nil of every other procedure.
    package let isPitchAtEdge: Bool?
    /// Octaves beside its compared frequency that a match of pitch was not compared with. Nil of every other procedure.
    package let uncomparedOctaves: [PitchMatchResult.Octave]?

    init(_ record: ProcedureSummary) {
      (self.record, name) = (record.beginning.identifier, record.beginning.order.name)
      ear = record.beginning.order.ear
      (beganUnixSeconds, endedUnixSeconds) = (record.beginning.at, record.ended)
      (calibration, result) = (record.beginning.levelCalibration, record.result)
      calibrationLevels = (try? JSON.bytes(Levels(record.beginning.calibration))).map {
        SampleDigest.of($0)
      }
      let isLevel = record.result?.loudness != nil || record.result?.masking != nil
      volumes = isLevel ? record.beginning.device.volumes : nil
      isPitchAtEdge = record.beginning.plan.isPitchAtEdge(record.result)
      uncomparedOctaves = record.beginning.plan.uncomparedOctaves(record.result)
    }
  }

  /// Everything by which levels are other sounds.
  private struct Levels: Encodable {
    let sensitivity: Binaural<Sensitivity>
    let transducer: Transducer?

    init(_ calibration: OutputCalibration) {
      (sensitivity, transducer) = (calibration.sensitivity, calibration.transducer)
    }
  }

  package let records: [Entry]
  /// Names of files that are damaged, or no records.
  package let unreadable: [String]
  /// True where older ones are left.
  package let hasOlder: Bool

  init(_ page: ProcedureFolder.Page) {
    records = page.summaries.map(Entry.init)
    (unreadable, hasOlder) = (page.unreadable, page.hasOlder)
  }
}

/// A whole record.
package struct ProcedureDetails: Sendable, Codable, Equatable {
  package let beginning: ProcedureBeginning
  package let lines: [ProcedureLine]
  /// True where lines are left out that are not needed to work the result out again; nil: it is whole.
  package var isShortened: Bool?

  /// The room's octave bands; nil: it was not listened to.
  package var bands: RoomBands? {
    lines.lazy.compactMap { if case .bands(let bands) = $0 { bands } else { nil } }.first
  }

  /// Silences of a hearing test that were to be heard as such.
  package struct Silences: Sendable, Codable, Hashable {
    /// Those in which the key was pressed.
    package let answered: Int
    /// All but those that were interrupted.
    package let count: Int

    package init(answered: Int, count: Int) { (self.answered, self.count) = (answered, count) }
  }

  /// Silences of a hearing test; nil of every other procedure.
  package var silences: Silences? {
    guard case .hearingTest = beginning.plan else { return nil }
    let silent = Set(
      lines.compactMap { line -> Int? in
        if case .presented(let sound) = line, sound.stimulus == nil { sound.step } else { nil }
      })
    let answers = lines.compactMap { line -> ProcedureAnswer? in
      if case .answer(let step, let answer, _) = line, silent.contains(step), answer != .interrupted {
        answer
      } else {
        nil
      }
    }
    return Silences(answered: answers.count { $0 != .notHeard }, count: answers.count)
  }
}

extension ProcedureDetails {
  /// Longest record that is given whole, bytes: a client reads answers of 1 MiB (``ClientStream``), of which some is the envelope's.
  private static let longest = (1 << 20) - (1 << 12)

  /// A record as an answer has room for it. A key that is held down makes thirty lines a second, and the room one or more; neither
  /// changes a result. The room's last window stays, for tables of matches.
  init(_ record: ProcedureRecord) {
    guard record.length > Self.longest else {
      self.init(beginning: record.beginning, lines: record.lines)
      return
    }
    let lastWindow = record.lines.lastIndex { if case .room = $0 { true } else { false } }
    let needed = record.lines.indices.filter { index in
      switch record.lines[index] {
      case .key: false
      case .room: index == lastWindow
      case .begin, .presented, .answer, .bands, .interrupted, .resumed, .restarted, .end: true
      }
    }
    self.init(beginning: record.beginning, lines: needed.map { record.lines[$0] }, isShortened: true)
  }
}
