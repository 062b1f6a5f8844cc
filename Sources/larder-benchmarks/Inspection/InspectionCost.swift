import Foundation

/// Measures how much inspection by a browser slows down a program.
///
/// `larder-benchmarks inspection [--seconds N] [--rounds N]` runs ``ObservedProgram`` without a
/// socket, with an unused socket, and with a browser that pages through 100,000 entries about ten
/// times a second. The three take turns, as the speed of a machine varies over time.
struct InspectionCost {
  /// The path of the browser.
  let program: String
  let seconds: Int
  let rounds: Int

  private enum Watching: String, CaseIterable {
    case closed = "without a socket"
    case idle = "with one, idle"
    case scrolled = "with one, being scrolled"
  }

  /// The results of one run.
  private struct Figures {
    /// Operations per second.
    var rate: Double
    /// Processor time per operation, in nanoseconds.
    var operation: Double
    /// Processor time of all other threads, as a percentage of one core.
    var others: Double
    /// The maximum delay of a batch of 1,000 operations, in milliseconds.
    var late: Double
  }

  func run() throws {
    var all: [Watching: [Figures]] = [:]
    for _ in 0..<rounds {
      for way in Watching.allCases { all[way, default: []].append(try measure(way)) }
    }
    for way in Watching.allCases {
      let figures = all[way] ?? []
      print(
        "\(way.rawValue.padding(toLength: 26, withPad: " ", startingAt: 0))"
          + " \(figures.map(\.rate).median.rounded()) ops/s"
          + "  \(figures.map(\.operation).median.text) ns of processor time each"
          + "  other threads \(figures.map(\.others).median.text) % of a core"
          + "  worst delay \(figures.map(\.late).median.text) ms")
    }
  }

  private func measure(_ way: Watching) throws -> Figures {
    let socket = "/tmp/observed-\(getpid()).sock"
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["observed", way == .closed ? "-" : socket, String(seconds)]
    process.standardOutput = output
    try process.run()
    let reader = output.fileHandleForReading
    guard let ready = try reader.read(upToCount: 6), ready.count == 6 else {
      throw ChildProcess.Failure(description: "the observed program does not start")
    }
    var terminal: PseudoTerminal?
    if way == .scrolled {
      terminal = try PseudoTerminal(
        program, ["unix:" + socket, "--no-journal"], columns: 120, rows: 50)
      guard terminal?.time(toDraw: "session:1000000") != nil else {
        throw ChildProcess.Failure(description: "the browser does not show the entries")
      }
      // The expiry columns make the browser request the most.
      terminal?.press("c")
    }
    let end = ContinuousClock.now + .seconds(seconds)
    while process.isRunning, ContinuousClock.now < end {
      terminal?.press("\u{1B}[6~")
      terminal?.drain(quiet: .milliseconds(10))
      usleep(90_000)
    }
    process.waitUntilExit()
    let rest = String(decoding: reader.readDataToEndOfFile(), as: UTF8.self)
    let numbers = rest.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 4 else {
      throw ChildProcess.Failure(description: "the observed program says “\(rest)”")
    }
    return Figures(
      rate: numbers[0], operation: numbers[1], others: numbers[2], late: numbers[3])
  }
}
