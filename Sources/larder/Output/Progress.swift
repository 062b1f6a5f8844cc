import Harmony
import Dispatch
import Foundation
import LarderModel
import Synchronization

/// The progress of a long command, on standard error if that is a terminal.
///
/// Nothing is drawn in the first half second, within which most commands finish. After that, the
/// line is redrawn five times a second until it is cleared. Thread-safe.
final class Progress: Sendable {
  private struct State {
    var verb: String
    var count = 0
    var total: Int?
    var share: Double?
    var isOver = false
  }

  /// Whether the progress is drawn at all.
  let isShown: Bool
  private let unit: Unit
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  /// The unit of the count.
  enum Unit {
    case entries, bytes
  }

  /// The delay before the line is first drawn.
  private static let patience = Duration.milliseconds(500)
  /// The time between redraws.
  private static let interval = Duration.milliseconds(200)
  private static let queue = DispatchQueue(label: "larder.progress")

  /// Starts showing progress.
  ///
  /// - Parameters:
  ///   - verb: The past participle for the operation on entries, such as `exported`.
  ///   - unit: The unit of the count.
  ///   - isQuiet: Whether to draw nothing, as if standard error were not a terminal.
  init(_ verb: String, _ unit: Unit = .entries, isQuiet: Bool = false) {
    self.unit = unit
    state = Mutex(State(verb: verb))
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
    if isShown { draw(after: Self.patience) }
  }

  /// The number of entries processed.
  var count: Int { state.withLock { $0.count } }

  /// Sets the number of entries processed.
  ///
  /// - Parameters:
  ///   - count: The number of entries.
  ///   - verb: The past participle for the operation; nil to keep the current one.
  func set(_ count: Int, as verb: String? = nil) {
    state.withLock { state in
      state.count = count
      if let verb { state.verb = verb }
    }
  }

  /// Adds to the number of entries processed.
  func add(_ count: Int) {
    state.withLock { $0.count += count }
  }

  /// Sets the expected total, if it is known.
  func expect(_ total: Int?) {
    state.withLock { $0.total = total }
  }

  /// Sets the completed share, from 0 to 1, which takes precedence over the count; nil for none.
  func set(share: Double?) {
    state.withLock { $0.share = share }
  }

  /// Clears the line for good.
  func clear() {
    state.withLock { $0.isOver = true }
    StatusLine.clear()
  }

  private func draw(after delay: Duration) {
    let seconds = delay.inSeconds
    Self.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let isOver = state.withLock { state in
        // Drawn under the lock, so that nothing is drawn after it was cleared.
        if !state.isOver { StatusLine.show(text(state, after: ContinuousClock.now - start)) }
        return state.isOver
      }
      if !isOver { draw(after: Self.interval) }
    }
  }

  private func text(_ state: State, after time: Duration) -> String {
    Self.text(
      state.verb, unit, count: state.count, total: state.total, share: state.share,
      after: time.inSeconds)
  }

  /// Returns the line: the amount, the speed and, if known, the remaining time.
  static func text(
    _ verb: String, _ unit: Unit = .entries, count: Int, total: Int? = nil, share: Double? = nil,
    after seconds: Double
  ) -> String {
    func amount(_ count: Int) -> String {
      unit == .entries ? Thousands.text(count) : "\(Thousands.text(count >> 20)) MiB"
    }
    var text = "\(verb) \(amount(count))"
    if unit == .entries { text += count == 1 ? " entry" : " entries" }
    if let total, total >= count, share == nil { text += " of about \(amount(total))" }
    guard count > 0, seconds > 0 else { return text }
    text += ", \(amount(Int(Double(count) / seconds)))/s"
    let done = share ?? total.map { Double(count) / Double(max($0, 1)) }
    guard let done, done > 0, done <= 1 else { return text }
    let left = Int((seconds * (1 - done) / done).rounded(.up))
    return text + ", \(clock(left)) left"
  }

  private static func clock(_ seconds: Int) -> String {
    let (minutes, rest) = (seconds / 60, seconds % 60)
    guard minutes > 0 else { return "\(rest) s" }
    let padded = (minutes % 60 < 10 && minutes >= 60 ? "0" : "") + String(minutes % 60)
    return (minutes >= 60 ? "\(minutes / 60):\(padded)" : padded) + (rest < 10 ? ":0" : ":")
      + String(rest)
  }
}

/// The last line of the terminal on standard error, which shows progress.
///
/// It is cleared before anything else is written there.
enum StatusLine {
  private struct State {
    var isOnScreen = false
    /// Whether other output is being written to the terminal.
    var isAside = false
    /// Whether another program owns the terminal from now on.
    var isOver = false

    mutating func clear() {
      guard isOnScreen else { return }
      isOnScreen = false
      Output.say("\r\u{1B}[K")
    }
  }

  private static let state = Mutex(State())

  /// Draws the line, replacing the previous one.
  static func show(_ text: String) {
    state.withLock { state in
      guard !state.isOver, !state.isAside else { return }
      state.isOnScreen = true
      // A wrapped line could not be cleared.
      let columns = Output.columns(of: STDERR_FILENO)
      Output.say("\r" + text.prefix(max(1, columns - 1)) + "\u{1B}[K")
    }
  }

  /// Clears the line while other output is written to the terminal.
  static func aside(_ write: () -> Void) {
    state.withLock { state in
      state.clear()
      state.isAside = true
    }
    // Outside the lock, because another thread that ends the process has to clear the line.
    write()
    state.withLock { $0.isAside = false }
  }

  /// Clears the line.
  static func clear() {
    state.withLock { $0.clear() }
  }

  /// Clears the line and stops drawing it.
  static func end() {
    state.withLock { state in
      state.clear()
      state.isOver = true
    }
  }
}
