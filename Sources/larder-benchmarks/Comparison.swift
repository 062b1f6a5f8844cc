import Foundation
import Harmony

/// A comparison of two equivalent commands.
///
/// The commands run alternately, so that a slow phase of the machine affects both.
struct Comparison {
  let title: String
  let larder: [String]
  let sqlite: [String]
  /// Whether to report the difference in milliseconds rather than the ratio.
  var isDifference = false
  /// The maximum acceptable ratio or difference; nil for no limit.
  var most: Double?

  /// Runs both commands and prints the median of each, and their ratio or difference.
  func run(_ program: String, rounds: Int) throws {
    var ours: [Double] = []
    var theirs: [Double] = []
    var memory = 0
    for round in 0...rounds {
      let first = try ChildProcess.run(program, larder)
      let second = try ChildProcess.run("sqlite3", sqlite)
      guard first.exitCode == 0, second.exitCode == 0 else {
        throw ChildProcess.Failure(
          description: "\(title): exit codes \(first.exitCode) and \(second.exitCode)")
      }
      // The first round only warms the file cache.
      guard round > 0 else { continue }
      ours.append(first.wall.milliseconds)
      theirs.append(second.wall.milliseconds)
      memory = max(memory, first.peakMemory)
    }
    let pairs = zip(ours, theirs).map { isDifference ? $0 - $1 : $0 / $1 }
    print(
      title.padding(toLength: 44, withPad: " ", startingAt: 0)
        + "larder \(ours.median.text) ms   sqlite3 \(theirs.median.text) ms   "
        + (isDifference ? "difference \(pairs.median.text) ms" : "ratio \(pairs.median.text)")
        + (most.map { pairs.median <= $0 ? " (at most \($0))" : " (more than \($0))" } ?? "")
        + "   \(memory >> 20) MiB")
  }
}

extension [Double] {
  /// The median.
  var median: Double {
    isEmpty ? .nan : sorted()[count / 2]
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
