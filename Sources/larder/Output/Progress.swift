import Harmony
import Dispatch
import Foundation
import LarderModel
import Synchronization

/// How far a long command has come, on standard error while that is a terminal.
///
/// Nothing is said in the first half second, which most commands do not take. From then on the line
/// is drawn a few times a second, whatever the command waits for, until it is taken off. May be used
/// from any thread.
final class Progress: Sendable {
  private struct State {
    var verb: String
    var count = 0
    var total: Int?
    var share: Double?
    var isOver = false
  }

  /// Whether it is drawn, some time.
  let isShown: Bool
  private let unit: Unit
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  /// What is counted.
  enum Unit {
    case entries, bytes
  }

  /// When the line is drawn for the first time.
  private static let patience = Duration.milliseconds(500)
  /// As often as people can read.
  private static let interval = Duration.milliseconds(200)
  private static let queue = DispatchQueue(label: "larder.progress")

  /// Begins to watch a command.
  ///
  /// - Parameters:
  ///   - verb: What is done with entries, in the past: `exported`.
  ///   - unit: What is counted.
  ///   - isQuiet: Whether nothing is to be drawn; as where standard error is no terminal.
  init(_ verb: String, _ unit: Unit = .entries, isQuiet: Bool = false) {
    self.unit = unit
    state = Mutex(State(verb: verb))
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
    if isShown { draw(after: Self.patience) }
  }

  /// How many entries are done.
  var count: Int { state.withLock { $0.count } }

  /// Says how many entries are done.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - verb: What is done with them; nil for what was done before.
  func set(_ count: Int, as verb: String? = nil) {
    state.withLock { state in
      state.count = count
      if let verb { state.verb = verb }
    }
  }

  /// Says that so many more entries are done.
  func add(_ count: Int) {
    state.withLock { $0.count += count }
  }

  /// Says how many entries there are, as far as is known.
  func expect(_ total: Int?) {
    state.withLock { $0.total = total }
  }

  /// Says what part of all is done, from 0 to 1, where that is known otherwise than by the count.
  func set(share: Double) {
    state.withLock { $0.share = share }
  }

  /// Takes the line off the screen, for good.
  func clear() {
    state.withLock { $0.isOver = true }
    StatusLine.clear()
  }

  private func draw(after delay: Duration) {
    let seconds = delay.inSeconds
    Self.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let isOver = state.withLock { state in
        // Under the lock, so that nothing is drawn once it is over.
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

  /// The line: what was done, how fast, and how long the rest takes where that is known.
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

/// The last line of the terminal that standard error is, which says how far something is and is taken
/// off before anything else is written there.
enum StatusLine {
  private struct State {
    var isOnScreen = false
    /// Whether something else is being written to the terminal.
    var isAside = false
    /// Whether the terminal is somebody else's from now on.
    var isOver = false

    mutating func clear() {
      guard isOnScreen else { return }
      isOnScreen = false
      Output.say("\r\u{1B}[K")
    }
  }

  private static let state = Mutex(State())

  /// Draws the line in the place of the one before.
  static func show(_ text: String) {
    state.withLock { state in
      guard !state.isOver, !state.isAside else { return }
      state.isOnScreen = true
      // A line that is broken could not be taken off again.
      let columns = Output.columns(of: STDERR_FILENO)
      Output.say("\r" + text.prefix(max(1, columns - 1)) + "\u{1B}[K")
    }
  }

  /// Writes something else to the terminal, where the line was.
  static func aside(_ write: () -> Void) {
    state.withLock { state in
      state.clear()
      state.isAside = true
    }
    // Without the lock: who ends the process meanwhile takes the line off, and lets nothing be written.
    write()
    state.withLock { $0.isAside = false }
  }

  /// Takes the line off the screen.
  static func clear() {
    state.withLock { $0.clear() }
  }

  /// Takes the line off the screen, and draws none any more.
  static func end() {
    state.withLock { state in
      state.clear()
      state.isOver = true
    }
  }
}
