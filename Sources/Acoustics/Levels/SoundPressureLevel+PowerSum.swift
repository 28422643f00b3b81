import Glibc

extension SoundPressureLevel {
  /// Level of uncorrelated sounds heard together: 10 log10 Σ 10^(L/10); silence for none.
  public static func powerSum(_ levels: some Sequence<SoundPressureLevel>) -> SoundPressureLevel {
    SoundPressureLevel(10 * log10(levels.reduce(0) { $0 + pow(10, $1.decibels / 10) }))
  }
}
