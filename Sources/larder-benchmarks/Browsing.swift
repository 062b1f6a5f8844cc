import Foundation

/// What the browser costs on a real terminal.
struct Browsing {
  let program: String

  /// Resident memory and idle processor time on stores of very different size, the largest last.
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
    // What a user does first: down, pages, the end, back, a filter and out of it.
    for keys in ["jjjj", "\u{1B}[6~\u{1B}[6~\u{1B}[6~", "G", "g", "/99", "\u{1B}"] {
      terminal.press(keys)
      terminal.drain()
    }
    terminal.drain(quiet: .seconds(2))
    terminal.press("j")
    let lineBytes = terminal.drain()
    settle(terminal)
    let before = terminal.processorTicks
    terminal.drain(quiet: .seconds(5))
    return (terminal.residentMemory, terminal.processorTicks - before, lineBytes)
  }

  /// Waits until the exact count of the rows has ended, which goes on behind the screen.
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
