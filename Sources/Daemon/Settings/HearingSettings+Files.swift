import HearingAid

extension HearingSettings {
  /// Keys of the configuration whose file says something else than when `former` was made, though its name is
  /// the same.
  ///
  /// - Parameter keys: Keys whose own value changed; what they explain is not told again.
  func changedFiles(since former: HearingSettings, beside keys: [String]) -> [String] {
    [
      ("hearing.audiogram", audiograms != former.audiograms),
      ("calibration.microphone.file", microphones != former.microphones),
      ("calibration.earphone.file", earphones != former.earphones),
    ].filter { file, isNew in
      let section = file.prefix { $0 != "." } == "hearing" ? file : String(file.dropLast(".file".count))
      return isNew && !keys.contains { $0.hasPrefix(section) }
    }.map(\.0)
  }
}
