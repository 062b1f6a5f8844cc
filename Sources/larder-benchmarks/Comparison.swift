import Foundation
import Harmony

/// Two programs that do the same, run in turn, so that a slow moment of the machine meets both.
struct Comparison {
  let title: String
  let larder: [String]
  let sqlite: [String]
  /// Whether the difference in milliseconds is what counts, rather than the ratio.
  var isDifference = false
  /// What the ratio, or the difference, should not exceed; nil where nothing is asked.
  var most: Double?

  /// Runs both and prints the median of each and what the comparison is about.
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
      // The first round warms the system's cache of the file.
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
  /// The value in the middle.
  var median: Double {
    isEmpty ? .nan : sorted()[count / 2]
  }
}

extension Double {
  /// The number with two digits after the point.
  var text: String { String(format: "%.2f", self) }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    inSeconds * 1_000
  }
}
