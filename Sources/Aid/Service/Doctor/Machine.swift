import AudioIO
import Base
import Control
import Glibc
import Realtime

/// What an examination looks at, gathered first so that the verdicts can be tested.
package struct Machine: Sendable {
  var configuration: Result<LoadedConfiguration, ConfigurationFailures>
  var devices: [DeviceDescription]
  /// Why a device that would be used cannot be opened; empty while a daemon has them, or when they can.
  var refusals: [StreamDirection: String] = [:]
  /// Directions whose named device was opened, or tried.
  var tried: Set<StreamDirection> = []
  /// What the kernel grants a thread that asks for real time.
  var scheduling: Scheduling?
  var memory: MemoryLock
  /// The daemon's own report, or why there is none.
  var daemon: Result<StatusReport, Failure>
  /// Processor frequency governor; nil: not adjustable here.
  var governor: String?
  /// The kernel's own description, `#1 SMP PREEMPT_DYNAMIC …`.
  var kernel: String
  /// Whether `/sys/kernel/realtime` says 1.
  var isRealtimeKernel: Bool

  /// Looks at this machine. Opens each card for a moment, starts and ends a thread, locks and unlocks memory.
  ///
  /// - Parameters:
  ///   - configurationFile: From the command line, if any.
  ///   - socket: Where to ask for a daemon.
  /// - Threads: control.
  package init(configurationFile: String?, socket: String) {
    configuration = ConfigurationSearch(explicit: configurationFile).load()
    devices = DeviceList.all()
    scheduling = (try? RealtimeThread { _ in })?.startScheduling
    memory = MemoryLock.lockAll()
    MemoryLock.unlockAll()
    do throws(Failure) {
      daemon = .success(try ControlClient(path: socket, timeout: 2).ask(ReportMethods.Status()))
    } catch {
      daemon = .failure(error)
    }
    let isOpen = if case .success(let report) = daemon { report.devices != nil } else { false }
    if !isOpen, case .success(let loaded) = configuration {
      let wished = loaded.configuration.device
      refusals = Self.refusals(wished)
      if wished.capture != nil { tried.insert(.capture) }
      if wished.playback != nil { tried.insert(.playback) }
    }
    governor = Self.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    kernel = Self.line("/proc/version") ?? ""
    isRealtimeKernel = Self.line("/sys/kernel/realtime") == "1"
  }

  /// For tests.
  init(
    configuration: Result<LoadedConfiguration, ConfigurationFailures>, devices: [DeviceDescription],
    scheduling: Scheduling?, memory: MemoryLock, daemon: Result<StatusReport, Failure>, governor: String?,
    kernel: String, isRealtimeKernel: Bool
  ) {
    self.configuration = configuration
    self.devices = devices
    self.scheduling = scheduling
    self.memory = memory
    self.daemon = daemon
    self.governor = governor
    self.kernel = kernel
    self.isRealtimeKernel = isRealtimeKernel
  }

  /// Opens the devices that the configuration names, one after the other, as the daemon would.
  private static func refusals(_ wished: Configuration.Device) -> [StreamDirection: String] {
    var refusals: [StreamDirection: String] = [:]
    for (name, direction) in [(wished.capture, StreamDirection.capture), (wished.playback, .playback)] {
      guard let name else { continue }
      var device = ALSADevice(name: name, direction: direction)
      do {
        try device.open()
        device.close()
      } catch {
        refusals[direction] = "\(error)"
      }
    }
    return refusals
  }

  private static func line(_ path: String) -> String? {
    guard let bytes = try? FileContent.bytes(of: path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
