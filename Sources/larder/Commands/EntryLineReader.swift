import Foundation
import LarderModel
import LarderFormats
import Synchronization

/// Reads entries from JSON Lines, a portion at a time.
///
/// Used from one thread at a time.
final class EntryLineReader: Sendable {
  private struct State {
    var rest: [UInt8] = []
    /// Where the next line begins in the rest.
    var start = 0
    var isAtEnd = false
    var isFinished = false
    var number = 0
    var count = 0
    /// How many bytes of the file were read.
    var bytes: Int64 = 0
    var expiries = 0
    var left = TransferReport()
  }

  private let descriptor: Int32
  /// What the file is called in messages.
  let name: String
  private let interruption: Interruption?
  private let progress: Progress
  /// How many bytes the file has; 0 where that is not known.
  private let size: Int64
  private let state: Mutex<State>
  private static let pieceSize = 1 << 16
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]
  /// The most bytes that a line may have: more than an export makes of the gigabyte that a row of a
  /// database has at most, each byte of which it may write as six.
  private static let maximumLine = 8 << 30

  /// Opens a file, or standard input where there is none.
  ///
  /// - Parameters:
  ///   - path: The file; nil or `-` for standard input.
  ///   - interruption: What ends the reading, as Ctrl-C does.
  ///   - isQuiet: Whether it is not shown how far it is.
  /// - Throws: `Failure` where the file cannot be opened.
  init(
    path: String?, interruption: Interruption? = nil, isQuiet: Bool = false
  ) throws {
    let path = path == "-" ? nil : path
    name = path ?? "standard input"
    self.interruption = interruption
    descriptor = path.map { Self.open($0, hears: interruption != nil) } ?? STDIN_FILENO
    let error = errno
    state = Mutex(State())
    progress = Progress("imported", isQuiet: isQuiet)
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    guard descriptor >= 0 else {
      throw Failure.usage("\(name) cannot be read: \(String(cString: strerror(error)))")
    }
  }

  /// Opens a file; a pipe that nobody writes to yet keeps the process from hearing signals no longer
  /// than until it is waited for.
  private static func open(_ path: String, hears: Bool) -> Int32 {
    guard hears else { return Foundation.open(path, O_RDONLY | O_CLOEXEC) }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // Else the end of what comes in pieces would be seen too early.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
    return descriptor
  }

  deinit {
    progress.clear()
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// The number of the line that was read last, from 1.
  var number: Int { state.withLock { $0.number } }

  /// How many entries were read.
  var count: Int { state.withLock { $0.count } }

  /// Whether all lines were read, so that what fails now is due to none of them.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// A line, as messages name it.
  func place(ofLine number: Int) -> String { "line \(number) of \(name)" }

  /// Whether Ctrl-C has come, or the wish of the system that the process ends.
  var isInterrupted: Bool { interruption?.signal != nil }

  /// Has a change stopped as soon as a Ctrl-C comes, also while it waits for others.
  func stops(_ scan: Scan) {
    interruption?.react { _ in scan.stop() }
  }

  /// Ends what is done with the lines after a Ctrl-C.
  ///
  /// - Throws: ``InputError`` once one has come.
  func checkInterruption() throws {
    guard let signal = interruption?.signal else { return }
    throw state.withLock { interrupted(signal, $0) }
  }

  /// How many of the entries that were read expire.
  var expiries: Int { state.withLock { $0.expiries } }

  /// What the entries that were read for a store have and that store has no place for.
  var left: TransferReport { state.withLock { $0.left } }

  /// The next entries; nil at the end.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - store: The store that is to hold them, or to be compared with them; nil for none.
  /// - Returns: The entries, as that store takes them; nil at the end.
  /// - Throws: ``InputError`` where a line is no entry, which is named.
  func entries(atMost limit: Int, for store: Store? = nil) throws -> [Entry]? {
    try state.withLock { state in
      var entries: [Entry] = []
      if let signal = interruption?.signal { throw interrupted(signal, state) }
      while entries.count < limit, let line = try nextLine(&state) {
        state.number += 1
        guard line.contains(where: { !Self.blanks.contains($0) }) else { continue }
        do {
          let line = try EntryLine(line)
          let entry = Entry(
            key: line.key, value: line.value, expires: line.expires, form: line.form)
          if entry.expires.map({ $0 != .distantFuture }) == true { state.expiries += 1 }
          entries.append(
            store?.taking(entry, of: line.columns, leaving: &state.left) ?? entry)
        } catch {
          // The end of a file that was cut off is no whole object.
          let isCut = state.isAtEnd && state.start == state.rest.count && line.last != 0x7D
          let end = isCut ? ", and the input ends in it: it may have been cut off" : ""
          throw InputError(
            code: .usage, message: "\(place(ofLine: state.number)) is not an entry: \(error)\(end)",
            advice: "Correct it and import again")
        }
      }
      state.count += entries.count
      progress.set(state.count)
      // A little of it is always read ahead.
      if size > 0 { progress.set(share: Double(state.bytes) / Double(size)) }
      if entries.isEmpty { progress.clear() }
      state.isFinished = entries.isEmpty
      return entries.isEmpty ? nil : entries
    }
  }

  private func nextLine(_ state: inout State) throws -> ArraySlice<UInt8>? {
    var searched = state.start
    while true {
      if let end = state.rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { state.start = end + 1 }
        return state.rest[state.start..<end]
      }
      if state.isAtEnd {
        guard state.start < state.rest.count else { return nil }
        defer { state.start = state.rest.count }
        return state.rest[state.start...]
      }
      state.rest.removeFirst(state.start)
      state.start = 0
      searched = state.rest.count
      // What cannot become an entry is refused before it fills the memory.
      let isObject = state.rest.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
      guard searched <= (isObject ? Self.maximumLine : Self.pieceSize) else {
        throw InputError(
          code: .store,
          message: isObject
            ? "\(place(ofLine: state.number + 1)) is longer than any entry"
            : "\(place(ofLine: state.number + 1)) is not a JSON object",
          advice: "Check that it is an export, one entry a line")
      }
      try fill(&state)
    }
  }

  private func fill(_ state: inout State) throws {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      if let signal = interruption?.wait(for: descriptor) { throw interrupted(signal, state) }
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        state.rest += piece.prefix(count)
        state.bytes += Int64(count)
        return
      }
      if count == 0 {
        state.isAtEnd = true
        return
      }
      guard errno == EINTR else {
        throw InputError(
          code: .usage, message: "\(name) cannot be read: \(String(cString: strerror(errno)))",
          advice: "Check it and import again")
      }
    }
  }

  private func interrupted(_ signal: Int32, _ state: State) -> InputError {
    InputError(
      code: signal == SIGTERM ? .terminated : .interrupted,
      message: "interrupted after \(place(ofLine: state.number))", advice: nil)
  }
}

/// Why no more entries can be read, before it is known what was done with those before.
struct InputError: Error, Sendable {
  let code: ExitCode
  let message: String
  let advice: String?
}
