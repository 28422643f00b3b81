import Acoustics
import Fitting
import HearingDSP

@testable import Engine

extension HearingSettings {
  /// Settings by a rule of the test's own.
  init(audiograms: Binaural<Audiogram>? = nil, rule: any FittingRule) {
    self.init(audiograms: audiograms)
    playedRule = rule
  }

  /// The rule in place of the plan's.
  var rule: any FittingRule {
    get { rule(for: .left) }
    set { playedRule = newValue }
  }
}
