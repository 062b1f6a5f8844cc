import Foundation

/// Measures one operation of each source, decorator and future operator of Harmony.
///
/// `larder-benchmarks harmony [--rounds N] [--only TEXT] [--large] [--json]`. The times are those
/// of the fastest of N rounds. `--large` adds stores of ten million entries, which need 6 GB of
/// memory. `--json` prints one object per line.
///
/// If the time of the upstream library is known, the line has the speedup: against the time as it
/// was measured, and scaled by the ``Baseline`` to the current speed of this machine.
struct HarmonyBenchmarks {
  let rounds: Int
  let only: String?
  let isLarge: Bool
  let isJSON: Bool

  init(_ words: [String]) {
    rounds = Benchmarks.number("--rounds") ?? 100
    only = Benchmarks.value(of: "--only")
    isLarge = words.contains("--large")
    isJSON = words.contains("--json")
  }

  func run() {
    for operation in [Baseline.operation] + StoreOperations.all() + DecoratorOperations.all()
      + FutureOperations.all()
    where isWanted(operation.name) {
      let yardstick = operation.upstream.map { _ in Measurement(Baseline.operation, rounds: rounds)
      }
      report(operation, Measurement(operation, rounds: rounds), beside: yardstick)
    }
    for size in [1_000, 100_000] + (isLarge ? [10_000_000] : []) where isWanted("entries") {
      for operation in ScalingOperations.all(entries: size) {
        report(operation, Measurement(operation, rounds: max(3, rounds / 10)))
      }
    }
    for threads in [1, 2, 4] where isWanted("threads") {
      for operation in ThreadOperations.all(threads: threads) {
        report(operation, Measurement(operation, rounds: max(3, rounds / 10)))
      }
    }
  }

  private func isWanted(_ name: String) -> Bool {
    only.map { name.contains($0) } ?? true
  }

  private func report(
    _ operation: Operation, _ measurement: Measurement, beside yardstick: Measurement? = nil
  ) {
    let nanoseconds = String(format: "%.1f", measurement.nanoseconds)
    let allocations = String(format: "%.2f", measurement.allocations)
    if isJSON {
      let upstream = operation.upstream.map { ",\"upstream\":\($0)" } ?? ""
      let pace = yardstick.map { String(format: ",\"yardstick\":%.1f", $0.nanoseconds) } ?? ""
      print(
        "{\"name\":\"\(operation.name)\",\"nanoseconds\":\(nanoseconds),"
          + "\"allocations\":\(allocations)\(upstream)\(pace)}")
      return
    }
    let ratio = operation.upstream.map {
      String(format: "   upstream %.0f ns, ratio %.1f", $0, $0 / measurement.nanoseconds)
        + paced($0 / measurement.nanoseconds, yardstick)
    }
    print(
      operation.name.padding(toLength: 52, withPad: " ", startingAt: 0) + pad(nanoseconds, 9)
        + " ns" + pad(allocations, 7) + " allocations" + (ratio ?? ""))
  }

  private func paced(_ ratio: Double, _ yardstick: Measurement?) -> String {
    guard let yardstick else { return "" }
    let here = ratio * yardstick.nanoseconds / Baseline.upstream
    return String(format: ", %.1f here (yardstick %.1f ns)", here, yardstick.nanoseconds)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
