import Acoustics
import Base
import Control
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
    if heard.difference(of: news) == heard.difference(of: volumes) {
      volumes = news
    } else {
      // Other settings could not be played either; the next change of them tells why.
      do throws(Failure) { try hear { $0.volumes = news } } catch { volumes = news }
    }
    endTest(by: news)
    let caveat = heard.earphones.device.caveat
    guard caveat != former else { return }
    // One that is provisional for another reason keeps that one.
    guard let caveat, heard.difference(of: news) != nil else {
      return log(.notice, "the volume controls stand as calibrated again")
    }
    log(.warning, "the calibration of the earphones counts as provisional: \(caveat)")
  }

  /// Ends the test under way where volume controls stand otherwise than when it began: levels before and after differ, whatever the
  /// calibration rests on. Controls that nobody could read before were not turned.
  private mutating func endTest(by news: PlaybackVolumes) {
    guard let test, case .read(let present) = news else { return }
    guard let before = test.volumes else {
      self.test?.volumes = present
      return
    }
    guard VolumeSetting.difference(present, from: before) != nil else { return }
    let isAsCalibrated = present != nil && heard.difference(of: news) == nil
    endTest(
      present == nil
        ? "the volume controls cannot be read any more" : "a volume control was turned meanwhile",
      remedy: isAsCalibrated ? "Begin again." : "\(Self.wayBack(from: news)) Then begin again.")
  }

  /// Way back to the volume controls that levels were measured with, a sentence.
  static func wayBack(from volumes: PlaybackVolumes) -> String {
    volumes == .read(nil)
      ? "See whether the earphones are connected: auricle devices."
      : "Put it back: auricle calibrate volume."
  }

  /// Takes in which models the devices in use are: a calibration is one model's.
  mutating func take(_ news: FoundDevices) {
    defer { endTestOfOtherEarphones() }
    let former = found
    let changed = Configuration.End.allCases.filter {
      configured.mismatch(of: $0, former) != configured.mismatch(of: $0, news)
    }
    guard !changed.isEmpty else { return found = news }
    do throws(Failure) { try hear { $0.found = news } } catch {
      found = news
      return log(.error, error.logMessage)
    }
    for end in changed {
      let name = end == .microphone ? "microphone" : "earphones"
      guard let mismatch = configured.mismatch(of: end, news) else {
        // Nothing is said of a device whose model nobody tells.
        if configured.calibratedIdentity(of: end)?.match(news[end]) == .same {
          log(.notice, "the calibration of the \(name) counts: they are those that it was made with")
        }
        continue
      }
      log(.warning, "the calibration of the \(name) does not count: \(mismatch)")
      endTest(
        "another \(end.rawValue) than the calibrated one is in use",
        remedy: "Connect that, or calibrate this.")
    }
  }

  /// Takes in which earphones a connection tells; a protocol's list goes by them through a sound server, and where nothing that was found
  /// tells any.
  ///
  /// - Parameter isTellerGone: True where none are told because the connection that told them has ended.
  mutating func takeEarphones(_ told: ToldEarphones?, isTellerGone: Bool = false) {
    earphones = told
    endTestOfOtherEarphones(isTellerGone: isTellerGone)
  }

  /// - Parameter isGone: True where the connection has ended; false where it takes back what it told.
  mutating func forgetEarphones(of peer: Peer, isGone: Bool = false) {
    if earphones?.teller == peer { takeEarphones(nil, isTellerGone: isGone) }
  }
}
