import Foundation

/// Measures the browser on a pseudo-terminal.
struct Browsing {
  let program: String

  /// Prints resident memory and idle processor time for each store.
  ///
  /// The stores should differ greatly in size, with the largest last.
  func run(_ stores: [(title: String, path: String)]) throws {
    var first: Int?
    for store in stores {
      let cost = try visit(store.path)
      let ratio = first.map { "   ratio \((Double(cost.memory) / Double(max(1, $0))).text)" } ?? ""
      first = first ?? cost.memory
      let title = "resident memory, \(store.title)".padding(
        toLength: 35, withPad: " ", startingAt: 0)
      print("\(title)\(mebibytes(cost.memory)) MiB\(ratio)")
      guard store.path == stores.last?.path else { continue }
      print("processor ticks in 5 idle seconds  \(cost.idleTicks)")
      print("bytes drawn for one line down      \(cost.lineBytes)")
    }
  }

  private func visit(_ path: String) throws -> (memory: Int, idleTicks: Int, lineBytes: Int) {
    let terminal = try PseudoTerminal(program, [path])
    terminal.drain()
    // The first things a user does: line down, page down, end, start, filter, clear the filter.
    for keys in ["jjjj", "\u{1B}[6~\u{1B}[6~\u{1B}[6~", "G", "g", "/99", "\u{1B}"] {
      terminal.press(keys)
      terminal.drain()
    }
    terminal.drain(quiet: .seconds(2))
    terminal.press("j")
    let lineBytes = terminal.drain().count
    settle(terminal)
    let before = terminal.processorTicks
    terminal.drain(quiet: .seconds(5))
    return (terminal.residentMemory, terminal.processorTicks - before, lineBytes)
  }

  /// Waits until the background count of the rows has finished.
  private func settle(_ terminal: PseudoTerminal) {
    var before = -1
    var patience = 60
    while terminal.processorTicks != before, patience > 0 {
      before = terminal.processorTicks
      patience -= 1
      terminal.drain(quiet: .seconds(1))
    }
  }

  private func mebibytes(_ bytes: Int) -> String {
    (Double(bytes) / 1_048_576).text
  }
}
