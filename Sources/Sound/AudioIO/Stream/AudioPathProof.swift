#if RT_LINT
  /// Compiled for the compiler's analysis only: the audio calls of a stream, made concrete, neither allocate
  /// nor lock. What it cannot see into is alsa-lib and the kernel.
  @_noAllocation
  func proveAudioPath(
    _ stream: inout DuplexStream<ALSADevice>, left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>, output: Span<Float>
  ) -> Bool {
    let waited = stream.wait()
    let read = stream.read(left: &left, right: &right)
    let written = stream.write(left: output, right: output)
    let latency = stream.measureLatency()
    stream.stop()
    return waited == .block && read == .block && written == .block && latency != nil
  }
#endif
