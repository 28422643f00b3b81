import AuricleClient
import Glibc

/// Time from `mute` sent to `mute` carried out, on a connection of its own each time, as a wearer's command
/// has it. Another package's program: it sees of the client library what every other program sees.
///
/// Usage: mute-benchmark SOCKET COUNT      prints the median, the 99th percentile and the longest, ms
@main struct MuteBenchmark {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]), count > 0 else {
      print("mute-benchmark: expected a socket and a number of times")
      exit(64)
    }
    var times: [Double] = []
    for _ in 0..<count {
      do {
        times.append(try time(of: words[1]))
      } catch {
        print("mute-benchmark: \(error)")
        exit(1)
      }
      usleep(10_000)
    }
    times.sort()
    print(times[count / 2], times[min(count - 1, count * 99 / 100)], times[count - 1])
  }

  /// ms. The daemon answers when it has carried the request out.
  private static func time(of path: String) throws -> Double {
    let start = now
    let answer = try ControlClient(path: path).call("mute")
    let end = now
    guard answer["state"]?["muted"] == true else {
      print("mute-benchmark: found \(answer.minified), expected a muted aid")
      exit(1)
    }
    return (end - start) * 1000
  }

  /// Monotonic time, s.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
