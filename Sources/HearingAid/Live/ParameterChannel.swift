import Acoustics
import HearingDSP
import Realtime

/// The way of new settings to the chain that runs now, and what they have to fit.
///
/// - Threads: created where the chain is built; `publish` on control, one at a time; the rest on `audio`.
final class ParameterChannel: Sendable {
  let geometry: ChainGeometry
  let bands: BandLayout
  let handover: Handover<ChainParameters>

  init(geometry: ChainGeometry, bands: BandLayout, initial: ChainParameters) {
    self.geometry = geometry
    self.bands = bands
    handover = Handover(initial)
  }
}
