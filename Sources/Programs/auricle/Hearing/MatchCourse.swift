import Acoustics
import Base
import Glibc
import Procedures
import Service

/// Matches of one kind by one ear and sound, in the order of time; of levels those by which a level is the same sound.
struct MatchCourse {
  /// Subject of a match; bracketed loudness is loudness.
  enum Kind: String, Encodable, CaseIterable {
    case loudness, pitch, likeness, bandwidth, masking, inhibition

    var words: String {
      switch self {
      case .likeness: "Pitch by likeness"
      case .masking: "Masking level"
      case .inhibition: "Residual inhibition"
      case .loudness, .pitch, .bandwidth: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
      }
    }
  }

  struct Match {
    /// Its end, s since 1970-01-01 UTC.
    let time: Double
    /// dB HL, Hz of a pitch, per cent of inhibition at its deepest; nil: there is none, as of noise that masks nothing.
    let value: Double?
    /// Of a bandwidth.
    var likeness: BandwidthMatchResult?
    /// The figures, for a table.
    let words: String
  }

  let kind: Kind
  let ear: Ear
  /// "1000 Hz", "broad noise"; empty of a pitch.
  let sound: String
  /// Calibration of a course of levels, its first: by one with other levels the same number is another sound. Nil of pitches and ratings.
  private(set) var calibration: Calibration?
  /// True where matches by another calibration make a course beside this one.
  private(set) var isOneOfSeveral = false
  /// True where another course has a calibration of the same name and day, and its volume controls stood alike.
  private var isNamedAlike = false
  /// Volume controls that stood elsewhere at another course with a calibration of that name and day.
  private var turned: Set<String> = []
  private(set) var matches: [Match]

  /// Name and day of a calibration, and everything by which its levels are other sounds than another's.
  struct Calibration: Encodable {
    let device: String
    /// Day of the measurement; nil: nothing was measured.
    let date: CalendarDate?
    /// Of an older daemon nil.
    private let levels: String?
    private let identity: DeviceIdentity?
    /// Volume controls as they stood; nil: not known.
    private var volumes: [VolumeSetting]?

    private enum CodingKeys: CodingKey { case device, date, volumes }

    fileprivate init(_ entry: ProcedureList.Entry) {
      (device, date) = (entry.calibration.device, entry.calibration.date)
      (levels, identity) = (entry.calibrationLevels, entry.calibration.identity)
      volumes = entry.volumes
    }

    /// Takes the volume controls of another match of the course where its own tell nothing.
    fileprivate mutating func complete(by other: Calibration?) {
      if volumes?.isEmpty != false { volumes = other?.volumes ?? volumes }
    }

    /// Controls that are not known count as no difference.
    private func hasSameVolume(as other: Calibration) -> Bool {
      guard let volumes, let others = other.volumes else { return true }
      return VolumeSetting.difference(others, from: volumes) == nil
    }

    /// Volume controls that stand elsewhere at another one, or are not known there.
    fileprivate func turned(from other: Calibration?) -> [String] {
      guard let volumes, let others = other?.volumes else { return [] }
      return volumes.filter { VolumeSetting.difference(others, from: [$0]) != nil }.map(\.control)
    }

    /// As ``OutputCalibration/hasLevels(of:)``, with the same place of each volume control; where an older daemon tells no levels, by name
    /// and day.
    fileprivate func hasLevels(of other: Calibration) -> Bool {
      guard hasSameVolume(as: other) else { return false }
      guard let levels, let others = other.levels else {
        return device == other.device && date == other.date
      }
      return levels == others && identity?.match(other.identity) != .other
    }

    /// "HDA 200 of 2026-02-28".
    fileprivate var words: String { device + (date.map { " of \($0)" } ?? "") }

    /// ", Master at −20 dB", of each of these controls.
    fileprivate func places(of controls: Set<String>) -> String {
      (volumes ?? []).filter { controls.contains($0.control) }.map { ", \($0.control) at \($0.place)" }
        .joined()
    }
  }

  /// All courses of some records, by kind, right ear first, then by sound in the order of their first match.
  static func all(_ records: [ProcedureList.Entry]) -> [MatchCourse] {
    var courses: [MatchCourse] = []
    for entry in records {
      guard var course = MatchCourse(entry) else { continue }
      let alike = courses.indices.filter { courses[$0].isLike(course) }
      if let same = alike.first(where: { courses[$0].hasLevels(of: course) }) {
        courses[same].matches += course.matches
        courses[same].calibration?.complete(by: course.calibration)
        continue
      }
      for other in alike {
        courses[other].isOneOfSeveral = true
        guard courses[other].calibration?.words == course.calibration?.words else { continue }
        let own = course.calibration?.turned(from: courses[other].calibration) ?? []
        let others = courses[other].calibration?.turned(from: course.calibration) ?? []
        course.turned.formUnion(own)
        courses[other].turned.formUnion(others)
        guard own.isEmpty, others.isEmpty else { continue }
        (courses[other].isNamedAlike, course.isNamedAlike) = (true, true)
      }
      course.isOneOfSeveral = !alike.isEmpty
      courses.append(course)
    }
    return Kind.allCases.flatMap { kind in
      [Ear.right, .left].flatMap { ear in courses.filter { $0.kind == kind && $0.ear == ear } }
    }
  }

  /// True of a course of the same kind, ear and sound, by whatever calibration.
  private func isLike(_ other: MatchCourse) -> Bool {
    kind == other.kind && ear == other.ear && sound == other.sound
  }

  /// True of any courses but those of levels that are other sounds.
  private func hasLevels(of other: MatchCourse) -> Bool {
    guard let calibration, let others = other.calibration else { return true }
    return calibration.hasLevels(of: others)
  }

  /// The course of one match; nil of a hearing test, and of what was left.
  private init?(_ entry: ProcedureList.Entry) {
    guard let result = entry.result else { return nil }
    let isLevel = result.loudness != nil || result.masking != nil
    calibration = isLevel ? Calibration(entry) : nil
    let time = entry.endedUnixSeconds ?? entry.beganUnixSeconds
    if let found = result.loudness {
      (kind, ear, sound) = (.loudness, found.ear, Self.hertz(found.frequency))
      matches = [
        Match(
          time: time, value: found.level.decibels,
          words:
            "\(Self.level(found.level)), \(found.isThresholdOrBelow == true ? "≥ " : "")"
            + Self.sensation(found.sensationLevel) + (found.isNotTurned == true ? ", not turned" : "")
            + (found.isThresholdInDoubt == true ? ", threshold in doubt" : ""))
      ]
    } else if let found = result.pitch, let ear = entry.ear {
      (kind, self.ear, sound) = (.pitch, ear, "")
      matches = [
        Match(
          time: time, value: found.frequency,
          words: Self.hertz(found.frequency) + (found.isOctaveConfused ? ", octave in doubt" : "")
            + (entry.isPitchAtEdge == true ? ", at the end of the tones" : "")
            + Self.words(uncompared: entry.uncomparedOctaves ?? [], beside: found.comparedFrequency))
      ]
    } else if let found = result.likeness {
      (kind, ear, sound) = (.likeness, found.ear, "")
      let words = found.pitch.map(Self.hertz) ?? "none stands out"
      matches = [
        Match(time: time, value: found.pitch, words: words + (found.doubts.isEmpty ? "" : ", in doubt"))
      ]
    } else if let found = result.bandwidth {
      (kind, ear, sound) = (.bandwidth, found.ear, Self.hertz(found.frequency))
      matches = [
        Match(time: time, value: nil, likeness: found.ratings, words: Self.words(found.ratings))
      ]
    } else if let found = result.masking {
      (kind, ear, sound) = (.masking, found.ear, Self.noise(found.signal, found.frequency))
      matches = [
        Match(time: time, value: found.level?.decibels, words: Self.words(found) ?? "not masked")
      ]
    } else if let found = result.inhibition {
      (kind, ear, sound) = (.inhibition, found.ear, Self.noise(found.signal, found.frequency))
      let least = found.ratings.map(\.loudness).min()
      matches = [
        Match(
          time: time, value: least,
          words: "\(found.kind.rawValue), least \(NumberText.fixed(least, 0)) %"
            + (found.recovery.map { ", usual after \(NumberText.fixed($0, 0)) s" } ?? ""))
      ]
    } else {
      return nil
    }
  }

  /// "Loudness, right ear, 1000 Hz", with its calibration where there are several, with the volume controls that differ where that is alike,
  /// and with the day of its first match where these are alike too.
  var title: String {
    var title = "\(kind.words), \(ear.rawValue) ear" + (sound.isEmpty ? "" : ", \(sound)")
    if isOneOfSeveral, let calibration {
      title += ", \(calibration.words)\(calibration.places(of: turned))"
    }
    if isNamedAlike, let first = matches.first { title += " from \(Timestamp(first.time).day) on" }
    return title
  }

  // MARK: - Agreement

  /// Agreement of the matches; of a bandwidth nothing but their number.
  var agreement: MatchAgreement {
    // Pitches differ by octaves, not by hertz.
    let isPitch = kind == .pitch || kind == .likeness
    let series = MatchSeries(
      matches.compactMap { match in
        match.value.map { MatchSeries.Session(time: match.time, value: isPitch ? log2($0 / 1000) : $0) }
      })
    return MatchAgreement(
      kind: kind, ear: ear, sound: sound.isEmpty ? nil : sound, calibration: calibration,
      count: matches.count,
      unit: isPitch ? "octaves" : kind == .inhibition ? "%" : "dB",
      mean: series.mean.map { isPitch ? 1000 * exp2($0) : $0 }, retestDeviation: series.retestDeviation,
      withinDay: series.withinDay, betweenDays: series.betweenDays)
  }

  // MARK: - Words

  private static func hertz(_ frequency: Double) -> String { "\(frequency.rounded().shortText) Hz" }

  private static func level(_ level: HearingLevel) -> String {
    "\(NumberText.fixed(level.decibels, 1)) dB HL"
  }

  private static func sensation(_ level: SensationLevel) -> String {
    "\(NumberText.fixed(level.decibels, 1)) dB SL"
  }

  /// Nil: nothing masked.
  private static func words(_ masking: MaskingSummary) -> String? {
    guard let level = masking.level, let sensation = masking.sensationLevel else { return nil }
    let (isUpper, isLower) = (masking.isLevelOrBelow == true, masking.isThresholdOrBelow == true)
    // Of a level and a threshold that may both lie lower the difference may be any.
    let bound = isUpper ? "≤ " : isLower ? "≥ " : ""
    return (isUpper ? "≤ " : "") + Self.level(level)
      + (isUpper && isLower ? "" : ", " + bound + Self.sensation(sensation))
      + (masking.isThresholdInDoubt == true ? ", threshold in doubt" : "")
  }

  private static func words(uncompared octaves: [PitchMatchResult.Octave], beside tone: Double) -> String {
    guard !octaves.isEmpty else { return "" }
    let sides = English.list(octaves.map(\.rawValue), "and")
    return ", octave\(octaves.count > 1 ? "s" : "") \(sides) \(hertz(tone)) not compared"
  }

  private static func noise(_ signal: Stimulus.Signal, _ frequency: Double) -> String {
    signal == .broadNoise ? signal.words : "\(signal.words), \(hertz(frequency))"
  }

  private static func words(_ ratings: BandwidthMatchResult) -> String {
    BandwidthMatch.Sound.allCases.map { "\($0.words) \(NumberText.fixed(ratings[$0].mean, 0))" }
      .joined(separator: ", ")
  }
}

extension Stimulus.Signal {
  /// "narrow noise".
  var words: String { rawValue.replacing("-", with: " ") }
}

extension BandwidthMatch.Sound {
  var words: String {
    switch self {
    case .tone: "tone"
    case .narrowNoise: "narrow noise"
    case .broadNoise: "broad noise"
    }
  }
}

/// Matches of one course with their agreement.
struct MatchAgreement: Encodable {
  let kind: MatchCourse.Kind
  let ear: Ear
  let sound: String?
  /// Of levels.
  let calibration: MatchCourse.Calibration?
  let count: Int
  /// Of the deviations.
  let unit: String
  /// dB HL, Hz of a pitch, per cent of inhibition.
  let mean: Double?
  let retestDeviation: Double?
  let withinDay: Double?
  let betweenDays: Double?
}
