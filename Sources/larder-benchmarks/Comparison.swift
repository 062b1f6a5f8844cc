import Foundation
import Harmony

/// A comparison of two equivalent commands.
struct Comparison {
  let title: String
  let larder: [String]
  let sqlite: [String]
  /// Whether to report the difference in milliseconds rather than the ratio.
  var isDifference = false
  /// The maximum acceptable ratio or difference; nil for no limit.
  var most: Double?

  /// The elapsed times of both commands, in milliseconds, and the peak memory of larder, in bytes.
  struct Times {
    var larder: [Double] = []
    var sqlite: [Double] = []
    var memory = 0

    /// The median ratio of larder to the shell.
    var ratio: Double { zip(larder, sqlite).map(/).median }
  }

  /// Runs both commands alternately, so that a slow phase of the machine affects both.
  func measure(_ program: String, rounds: Int) throws -> Times {
    var times = Times()
    for round in 0...rounds {
      let first = try ChildProcess.run(program, larder)
      let second = try ChildProcess.run("sqlite3", sqlite)
      // The first round only warms the file cache.
      guard round > 0 else { continue }
      times.larder.append(first.wall.milliseconds)
      times.sqlite.append(second.wall.milliseconds)
      times.memory = max(times.memory, first.peakMemory)
    }
    return times
  }

  /// Measures and prints the median of each command, and their ratio or difference.
  func run(_ program: String, rounds: Int) throws {
    let times = try measure(program, rounds: rounds)
    let result = isDifference ? zip(times.larder, times.sqlite).map(-).median : times.ratio
    print(
      title.padding(toLength: 44, withPad: " ", startingAt: 0)
        + "larder \(times.larder.median.text) ms   sqlite3 \(times.sqlite.median.text) ms   "
        + (isDifference ? "difference \(result.text) ms" : "ratio \(result.text)")
        + (most.map { result <= $0 ? " (at most \($0))" : " (more than \($0))" } ?? "")
        + "   \(times.memory >> 20) MiB")
  }
}

extension [Double] {
  /// The median.
  var median: Double {
    let sorted = sorted()
    return isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

extension Double {
  /// The number with two decimal places.
  var text: String { String(format: "%.2f", self) }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    inSeconds * 1_000
  }
}
