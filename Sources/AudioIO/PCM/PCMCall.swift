/// The calls of ``PCMDevice`` that can fail while a stream lives.
public enum PCMCall: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case silence, link, prepare, start, drop, resume, state, poll, read, write, available, delay
}
