import Acoustics
import AudioIO
import CAllocationProbe
import Glibc
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// What the audio thread does between two blocks, counted by the allocation probe; under RealtimeSanitizer
/// the chain runs inside a scope, so that a blocking call in it ends the program.
@Suite("Real-time safety of the live loop") struct LiveRealtimeSafetyTests {
  /// Whether the probe counts: it does not where a sanitizer replaces malloc itself.
  static let isCounting = getenv("AURICLE_SANITIZER") == nil

  private func run(
    _ script: CountedScript, _ state: LoopState, _ settings: AidSettings, _ pairing: ClockPairing
  ) {
    var loop = AudioLoop(stream: script.stream(pairing), settings: { settings }, state: state)
    loop.run(until: script.stop)
  }

  @Test(
    "sound, mute, unmute, new settings and four restarts: no heap call and no lock",
    arguments: [ClockPairing.shared, .separate])
  func scripted(pairing: ClockPairing) throws {
    let script = try CountedScript()
    let (rig, state) = (script.rig, LoopState())
    // 50 ms of sound are the warm-up; a reading has then been published once.
    script.at(4500) { script.begin() }
    script.at(9000) { state.isMuted.store(true, ordering: .relaxed) }
    script.at(12_000) { state.isMuted.store(false, ordering: .relaxed) }
    // Streamed sound for 0.16 s, then none: it rises, runs out and falls.
    script.at(10_000) {
      let feed = state.streaming.feed
      let sound = AlignedBuffer<Float>(count: 7000) { _ in 0.05 }
      (feed.target, feed.isFlowing, feed.isSounding) = (3000, true, true)
      _ = feed.push(left: sound, right: sound, count: 7000)
    }
    script.at(15_000) {
      guard let channel = state.notice.withLock({ $0.channel }) else { return }
      do {
        let other = HearingSettings(audiograms: Binaural(both: StandardAudiogram.s2.audiogram))
        channel.handover.publish(try other.parameters(for: channel.geometry))
      } catch { Issue.record(error) }
    }
    script.at(20_000) { rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
    script.at(25_000) { rig.schedule(ScriptedFault(.playback, .write, .fail(.inputOutput))) }
    script.at(30_000) { rig.schedule(ScriptedFault(.playback, .state, .fail(.suspended))) }
    script.at(35_000) { rig.schedule(ScriptedFault(.capture, .poll, .freeze)) }
    script.at(60_000) {
      script.end()
      script.stop.request()
    }
    run(script, state, CountedScript.settings, pairing)
    #expect(allocation_probe_is_active() == Self.isCounting)
    #expect(state.reading.load().counters.restarts == 4)
    #expect(state.reading.load().meters.streaming.interruptions == 1)
    #expect(state.state == .stopped)
    #expect(script.counts.allocations == 0)
    #expect(script.counts.frees == 0)
    #expect(script.counts.locks == 0)
  }

  /// Kernel id of the thread called "audio"; nil unless there is exactly one.
  static func audioThread() -> Int32? {
    var found: [Int32] = []
    guard let folder = opendir("/proc/self/task") else { return nil }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = Int32(name), let file = fopen("/proc/self/task/\(name)/comm", "r") else {
        continue
      }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 32)
      if fgets(&line, 32, file) != nil, strcmp(line, "audio\n") == 0 { found.append(number) }
    }
    return found.count == 1 ? found[0] : nil
  }

  @Test(
    "the aid on ALSA's null device, watched from outside: no heap call and no lock",
    .enabled(if: access("/usr/share/alsa/alsa.conf", R_OK) == 0))
  func null() async {
    // A process of its own: alsa-lib reads once whether it shall lock for callers that share a device.
    await #expect(processExitsWith: .success) {
      setenv("LIBASOUND_THREAD_SAFE", "0", 1)
      var settings = CountedScript.settings
      (settings.captureName, settings.playbackName) = ("null", "null")
      let other = HearingSettings(audiograms: Binaural(both: StandardAudiogram.s2.audiogram))
      let aid = HearingAid(settings: settings)
      try aid.start()
      // Warm-up: sound, both readings, one mute.
      let isWarm = eventually { aid.reading.counters.blocks > 500 }
      #expect(isWarm, "\(aid.state)")
      let thread = try #require(LiveRealtimeSafetyTests.audioThread())
      let before = aid.reading.counters.blocks
      allocation_probe_watch(thread)
      aid.mute()
      let isSilent = eventually { aid.reading.isSilent }
      aid.unmute()
      let isHeard = eventually { !aid.reading.isSilent }
      let isApplied = try aid.apply(other)
      let isDone = eventually { aid.reading.counters.blocks > before + 5000 }
      let counts = allocation_probe_unwatch()
      #expect(isSilent && isHeard && isApplied && isDone)
      #expect(counts.allocations == 0)
      #expect(counts.frees == 0)
      #expect(counts.locks == 0)
      #expect(allocation_probe_is_active() == LiveRealtimeSafetyTests.isCounting)
      aid.stop()
      #expect(aid.state == .stopped)
    }
  }
}
