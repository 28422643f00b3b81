import AudioIO
import Base
import CommonTesting
import Control
import Testing

@testable import Engine
@testable import Service

/// Tests of a daemon that tries other devices.
protocol RouteSuite: RequestSuite {
  /// Of the claims on devices.
  var folder: TemporaryFolder { get }
}

extension RouteSuite {
  var try9: RouteMethods.Try { RouteMethods.Try(capture: nil, playback: "hw:9") }

  /// One that sounds, by a configuration.
  func sounding(_ configuration: String = "") throws -> Timeline {
    text.value = configuration
    let read = try loaded(configuration)
    let hearing = try AidSettings(read).hearing
    let daemon = Timeline(
      ServiceState(.init(started: .at(100)), configuration: read, configured: hearing),
      disk: disk(claimFolder: folder.path))
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  /// Lets the engine close its devices and open those asked for.
  func reopen(_ daemon: Timeline, as state: AidState = .running) {
    daemon.engine(.stopped)
    daemon.engine(state)
  }

  /// Devices as an engine has them open.
  func open(_ capture: String, _ playback: String) -> AidDevices {
    let format = StreamFormat(rate: 44_100, channels: 2, format: .float32, period: 64, buffer: 192)
    return AidDevices(
      captureName: capture, playbackName: playback, capture: format, playback: format, period: 64)
  }

  func playback(_ daemon: Timeline) -> String? {
    daemon.state.configuration.configuration.device.playback
  }

  func answer(_ daemon: Timeline) throws -> RouteReport {
    try #require(daemon.answer(to: RouteMethods.Try.self)).get()
  }
}
