import Base
import Engine

/// Earphones as a connection tells them.
struct ToldEarphones: Sendable, Equatable {
  let earphones: StatusReport.Earphones
  let teller: Peer
}

extension ServiceState {
  /// Takes in where the volume controls of the earphones' card stand: the calibration holds for those it was measured with.
  mutating func take(_ news: PlaybackVolumes) {
    guard news != volumes else { return }
    let former = heard.earphones.device.caveat
    do throws(Failure) { try hear { $0.volumes = news } } catch {
      // Other settings could not be played either; the next change of them tells why.
      volumes = news
      return
    }
    let caveat = heard.earphones.device.caveat
    guard caveat != former else { return }
    log(
      caveat == nil ? .notice : .warning,
      caveat.map { "the calibration of the earphones counts as provisional: \($0)" }
        ?? "the volume controls stand as calibrated again")
  }

  mutating func forgetEarphones(of peer: Peer) { if earphones?.teller == peer { earphones = nil } }
}
