import CLinux
import Glibc

/// The process that reads the cases. It dies of what its parent looks for.
///
/// Standard output holds a line for each outcome, `NUMBER COUNT WORDS`, the number being that of its first case,
/// and one for each wrong answer, `FAULT NUMBER WORDS`.
struct Worker {
  /// Processor time of one case, s; the kernel ends the process that takes more (ITIMER_PROF).
  static let longest = 1
  /// A process that is asleep so long never wakes, s. Not a bound of speed.
  private static let deadlock: UInt32 = 600
  /// Address space, bytes: the program, its libraries and their arenas take a tenth; what a length field of
  /// 2³¹ asks for does not fit.
  private static let space: UInt64 = 2 << 30
  /// Greatest file written, bytes: a rendering of a minute has 16 million.
  private static let file: UInt64 = 256 << 20

  var cases: any TrialCases
  let seed: UInt64
  let page: ProgressPage

  /// Goes through places of the list of numbers.
  mutating func run(_ numbers: [Int], _ places: Range<Int>) {
    limit()
    var outcomes: [String: (first: Int, count: Int)] = [:]
    for place in places {
      page.place = place
      let number = numbers[place]
      let input = cases.input(number, seed: seed)
      arm(Self.longest)
      let start = Self.processorTime
      do {
        let outcome = try cases.outcome(of: input)
        outcomes[outcome, default: (number, 0)].count += 1
      } catch {
        say("FAULT\t\(number)\t\((error as? MutationFault)?.text ?? "\(error)")")
      }
      let time = Self.processorTime - start
      arm(0)
      if time > page.slowest.time { page.slowest = (time, number) }
    }
    page.place = places.upperBound
    for (outcome, found) in outcomes { say("\(found.first)\t\(found.count)\t\(outcome)") }
  }

  private func limit() {
    for (resource, most) in [(CLINUX_RLIMIT_AS, Self.space), (CLINUX_RLIMIT_FSIZE, Self.file)] {
      _ = clinux_limit_process(getpid(), Int32(resource), most)
    }
    // RLIMIT_CORE: thousands of deaths would fill the disk.
    _ = clinux_limit_process(getpid(), 4, 0)
    alarm(Self.deadlock)
  }

  /// Lets the kernel end the process after so much processor time; 0: not any more.
  private func arm(_ seconds: Int) {
    if seconds > 0 { alarm(Self.deadlock) }
    var timer = itimerval(
      it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
  }

  /// Processor time of this process, ns.
  private static var processorTime: Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// One line, in one call.
  private func say(_ line: String) {
    let bytes = Array((line.split(separator: "\n").joined(separator: " ") + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
