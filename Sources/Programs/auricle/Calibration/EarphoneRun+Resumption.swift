import Acoustics
import Base

extension EarphoneRun {
  /// Offers to go on with the readings of a run that was left, by the same device, in the same coupler, at the same level.
  ///
  /// - Parameters:
  ///   - transducer: Asked for by an option, as the next two; nil: not.
  ///   - coupler: In which it is measured.
  ///   - examiner: Person who measures.
  ///   - played: Level of the tones.
  ///   - maximum: Greatest level that the earphones are made for; nil, by default, likewise.
  mutating func offerToGoOn(
    transducer: String?, coupler: String?, examiner: String?, played: FullScaleLevel?,
    maximum: SoundPressureLevel? = nil, now: Double = SystemTime.wall
  ) throws(Failure) {
    let (run, count) = (self, EarphoneRun.steps(wanted).count)
    do throws(Failure) {
      left = try file.offered(to: interview, now: now) { left in
        let model = left.transducer.map { "\($0) in " } ?? ""
        return "\(left.earphone.count) of \(count) tones, \(model)\(left.coupler ?? "")"
      } obstacle: { left in
        run.obstacle(
          left, transducer: transducer, coupler: coupler, examiner: examiner, played: played,
          maximum: maximum)
      }
    } catch { throw LeftCalibration.isEnd(error) ? stopped(exit: error.exitStatus) : error }
  }

  /// Difference between a run that was left and this one, a clause; nil: there is none.
  private func obstacle(
    _ left: LeftCalibration, transducer: String?, coupler: String?, examiner: String?,
    played: FullScaleLevel?, maximum: SoundPressureLevel?
  ) -> String? {
    guard !left.earphone.isEmpty, left.played != nil, left.coupler != nil else { return "nothing was read" }
    if let other = left.otherDevice(than: device, model) { return other }
    if let transducer, transducer.lowercased() != left.transducer {
      return "it was of \(left.transducer ?? "another model")"
    }
    if let coupler, CouplerName(coupler) != left.coupler.map(CouplerName.init) {
      return "it was in another coupler"
    }
    if let examiner, examiner != left.examiner { return "it was by another person" }
    if let maximum, maximum != left.maximum {
      let former = left.maximum.map { "\($0.decibels.shortText) dB SPL" } ?? "not stated"
      return "the greatest level of its earphones was \(former)"
    }
    // A limit that has come down would hold the tones that are left to other levels than the first ones.
    guard let level = left.played, (try? playable(at: level, silently: true)) == level else {
      return "the limit of the aid does not let its tones through any more"
    }
    // The limit holds tones of the same option to the same level now.
    if let played, (try? playable(at: played, silently: true)) != level {
      return "its tones were at another level, \(level.decibels.readText) dB FS"
    }
    return VolumeSetting.difference(bench.volumes(of: device), from: left.volumes ?? [])
  }
}
