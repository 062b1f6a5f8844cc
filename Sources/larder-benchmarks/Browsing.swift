import Foundation

/// What the browser costs on a real terminal.
struct Browsing {
  let program: String

  /// Resident memory and idle processor time on two stores of very different size.
  func run(small: String, large: String) throws {
    let first = try visit(small)
    let second = try visit(large)
    let ratio = Double(second.memory) / Double(max(1, first.memory))
    print("resident memory, 1,000 keys        \(mebibytes(first.memory)) MiB")
    print(
      "resident memory, 10,000,000 keys   \(mebibytes(second.memory)) MiB   ratio \(ratio.text)")
    print("processor ticks in 5 idle seconds  \(second.idleTicks)")
    print("bytes drawn for one line down      \(second.lineBytes)")
  }

  private func visit(_ path: String) throws -> (memory: Int, idleTicks: Int, lineBytes: Int) {
    let terminal = try PseudoTerminal(program, [path])
    terminal.drain()
    // What a person does first: down, pages, the end, back, a filter and out of it.
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
