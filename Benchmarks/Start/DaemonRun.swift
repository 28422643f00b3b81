import Glibc

/// One life of the daemon, seen from outside.
struct DaemonRun {
  /// From the process's start to its word that sound flows, ms.
  let startMilliseconds: Double
  /// Resident memory of its own a second later, private and of files, MB (10⁶ bytes).
  let residentMegabytes: Double
  /// Resident memory that is shared with others, MB: JACK's server keeps its engine there.
  let sharedMegabytes: Double
  /// From SIGTERM while sound flows to the end of the process, ms.
  let endMilliseconds: Double

  /// Starts the daemon, waits for `READY=1`, looks at its memory, and ends it.
  ///
  /// - Returns: Nil when it is not ready within 10 s, or does not end with status 0.
  static func observe(program: String, configuration: String) -> DaemonRun? {
    guard let notices = NoticeSocket() else { return nil }
    let begin = now()
    guard let process = spawn(program, configuration, notices.path) else { return nil }
    let isReady = notices.waitForReady(seconds: 10)
    let ready = now()
    sleep(1)
    let own = resident(process, "RssAnon")
    let files = resident(process, "RssFile")
    let shared = resident(process, "RssShmem")
    let asked = now()
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard isReady, status == 0, let own, let files, let shared else { return nil }
    return DaemonRun(
      startMilliseconds: (ready - begin) * 1000, residentMegabytes: own + files, sharedMegabytes: shared,
      endMilliseconds: (now() - asked) * 1000)
  }

  /// Kills a guarded daemon while sound flows.
  ///
  /// - Returns: From the kill to the word that sound flows again, ms. Nil when it is not ready within 10 s, or does not end
  ///   with status 0.
  static func observeReturn(program: String, configuration: String) -> Double? {
    guard let notices = NoticeSocket(),
      let guardian = spawn(program, configuration, notices.path, ["--guarded"])
    else { return nil }
    var isBack = false
    var (killed, back) = (0.0, 0.0)
    if notices.waitForReady(seconds: 10), let daemon = child(of: guardian) {
      sleep(1)
      killed = now()
      kill(daemon, SIGKILL)
      isBack = notices.waitForReady(seconds: 10)
      back = now()
      sleep(1)
    }
    kill(guardian, SIGTERM)
    var status: Int32 = 0
    waitpid(guardian, &status, 0)
    return isBack && status == 0 ? (back - killed) * 1000 : nil
  }

  /// The first child of a process (proc(5)).
  private static func child(of process: pid_t) -> pid_t? {
    guard let file = fopen("/proc/\(process)/task/\(process)/children", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return pid_t(strtol(line, nil, 10))
  }

  private static func spawn(
    _ program: String, _ configuration: String, _ notifySocket: String, _ options: [String] = []
  ) -> pid_t? {
    var environment: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let pointer = entry.pointee {
      environment.append(strdup(pointer))
      entry += 1
    }
    environment.append(strdup("NOTIFY_SOCKET=\(notifySocket)"))
    environment.append(nil)
    let words = [program, "--config", configuration] + options
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
    defer { for pointer in environment + arguments { free(pointer) } }
    var process: pid_t = 0
    return posix_spawn(&process, program, nil, nil, arguments, environment) == 0 ? process : nil
  }

  /// A figure of /proc/PID/status, MB.
  private static func resident(_ process: pid_t, _ name: String) -> Double? {
    guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix(name + ":") else { continue }
      let kilobytes = text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
      return kilobytes.map { $0 * 1024 / 1e6 }
    }
    return nil
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
