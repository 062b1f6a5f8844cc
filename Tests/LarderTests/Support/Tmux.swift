import Foundation

/// A program in its own tmux session, driven by keys and observed through the screen.
///
/// Waits poll the screen until it shows what is expected, and never depend on the clock.
final class Tmux {
  private let socket = "larder-\(UUID().uuidString)"
  /// The number of times the screen is read before a wait gives up, about a minute's worth.
  private static let patience = 4_000

  /// Starts a shell command.
  init(_ command: String, columns: Int = 80, rows: Int = 24, term: String = "screen-256color")
    throws
  {
    // Test threads block signals; a tmux server that inherited the mask would never end.
    let words = [
      "--default-signal", "tmux", "-L", socket, "-f", "/dev/null", "new-session", "-d", "-x",
      "\(columns)", "-y", "\(rows)",
      "env TERM=\(term) LC_ALL=C.UTF-8 XDG_CONFIG_HOME=/dev/null bash --norc",
    ]
    _ = try Shell.run("env", words)
    _ = try tmux("set", "-g", "status", "off")
    try send("PS1='$ '; clear; \(command)", "Enter")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  func tmux(_ words: String...) throws -> Outcome {
    try Shell.run("tmux", ["-L", socket] + words)
  }

  /// Presses keys, as tmux names them.
  func send(_ keys: String...) throws { try send(keys) }

  func send(_ keys: [String]) throws {
    _ = try Shell.run("tmux", ["-L", socket, "send-keys"] + keys)
  }

  /// Resizes the window.
  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The current contents of the screen.
  var screen: String {
    get throws { try tmux("capture-pane", "-p").text }
  }

  /// Whether the terminal is on the alternate screen, which full-screen programs use.
  var isOnAlternateScreen: Bool {
    get throws { try tmux("display", "-p", "#{alternate_on}").text.hasPrefix("1") }
  }

  /// Returns the id of a child process of the window's shell.
  func process(named name: String) throws -> pid_t? {
    let shell = try tmux("display", "-p", "#{pane_pid}").lines.first ?? "0"
    let found = try Shell.run("pgrep", ["-P", shell, name]).lines.first
    return found.flatMap { pid_t($0) }
  }

  /// Waits until the screen meets a condition.
  ///
  /// - Returns: The screen that met it, or `nil` if none did.
  func wait(until isWanted: (String) throws -> Bool) throws -> String? {
    for _ in 0..<Self.patience {
      let screen = try screen
      if try isWanted(screen) { return screen }
    }
    return nil
  }

  /// Waits until the screen contains a text.
  func wait(for text: String) throws -> Bool {
    try wait { $0.contains(text) } != nil
  }
}
