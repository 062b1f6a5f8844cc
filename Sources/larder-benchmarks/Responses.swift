import Foundation

/// Measures the response time of the browser on a terminal of 200 columns and 60 rows.
///
/// `larder-benchmarks responses` runs only this.
struct Responses {
  let program: String

  /// Times the first screen and many keys on each store.
  func run(_ stores: [(title: String, path: String)]) throws {
    for (title, path) in stores {
      try firstScreens(title, path)
      try keys(title, path)
    }
  }

  /// Times the first screen of a store.
  func firstScreens(_ title: String, _ path: String) throws {
    var times: [Double] = []
    for _ in 0..<15 {
      let terminal = try PseudoTerminal(program, [path, "--no-journal"], columns: 200, rows: 60)
      // The first key is drawn with the list.
      guard let time = terminal.time(toDraw: Fixture.firstKey) else {
        throw ChildProcess.Failure(description: "the first key of \(path) was not drawn")
      }
      times.append(time.milliseconds)
    }
    report("first screen with keys, \(title)", times)
  }

  private func keys(_ title: String, _ path: String) throws {
    let terminal = try PseudoTerminal(program, [path, "--no-journal"], columns: 200, rows: 60)
    // The rows are still being counted in the background after the first screen.
    terminal.drain(quiet: .seconds(2))
    let scripts: [(String, [String])] = [
      ("line down and up", (0..<300).map { $0 < 200 ? "j" : "k" }),
      ("page down and up", (0..<200).map { $0 < 140 ? "\u{1B}[6~" : "\u{1B}[5~" }),
      ("end and start", (0..<100).map { $0.isMultiple(of: 2) ? "G" : "g" }),
      ("panes", Array(repeating: "\t", count: 100)),
      ("help and back", (0..<100).map { $0.isMultiple(of: 2) ? "?" : "q" }),
    ]
    for (name, keys) in scripts {
      report("\(name), \(title)", keys.map { terminal.response(to: $0).milliseconds })
    }
  }

  private func report(_ name: String, _ times: [Double]) {
    let sorted = times.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first, let most = sorted.last else {
      return
    }
    let high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print("\(padded) median \(middle.text)  99th \(high.text)  most \(most.text) ms")
  }
}
