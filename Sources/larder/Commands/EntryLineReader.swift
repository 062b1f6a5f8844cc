import Foundation
import LarderModel
import LarderFormats
import Synchronization

/// Reads entries from JSON Lines in batches.
///
/// A reader must not be used from several threads concurrently.
final class EntryLineReader: Sendable {
  private struct State {
    var rest: [UInt8] = []
    /// The index in `rest` at which the next line starts.
    var start = 0
    var isAtEnd = false
    var isFinished = false
    var number = 0
    var count = 0
    /// The number of bytes read.
    var bytes: Int64 = 0
    var expiries = 0
    var left = TransferReport()
  }

  private let descriptor: Int32
  /// The name of the file in messages.
  let name: String
  private let interruption: Interruption?
  private let progress: Progress
  /// The size of the file in bytes; 0 if unknown.
  private let size: Int64
  private let state: Mutex<State>
  private static let pieceSize = 1 << 16
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]
  /// The maximum length of a line, in bytes.
  ///
  /// A database row has at most 1 GB, and each of its bytes can take up to six bytes in an export.
  private static let maximumLine = 8 << 30

  /// Opens a file or standard input.
  ///
  /// - Parameters:
  ///   - path: The path of the file; nil or `-` for standard input.
  ///   - interruption: The signals that stop reading, such as Ctrl-C.
  ///   - isQuiet: Whether to hide the progress.
  /// - Throws: `Failure` if the file cannot be opened.
  init(
    path: String?, interruption: Interruption? = nil, isQuiet: Bool = false
  ) throws {
    let path = path == "-" ? nil : path
    name = path ?? Messages.standardInput
    self.interruption = interruption
    descriptor = path.map { Self.open($0, hears: interruption != nil) } ?? STDIN_FILENO
    let error = errno
    state = Mutex(State())
    progress = Progress("imported", isQuiet: isQuiet)
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    guard descriptor >= 0 else {
      throw Failure.unreadableInput(name, String(cString: strerror(error)))
    }
  }

  /// Opens a file, without blocking if `hears` is set.
  ///
  /// Opening a FIFO blocks until there is a writer, and signals would go unnoticed for that long.
  private static func open(_ path: String, hears: Bool) -> Int32 {
    guard hears else { return Foundation.open(path, O_RDONLY | O_CLOEXEC) }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // The reads themselves have to block: otherwise a pause in the input looks like its end.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
    return descriptor
  }

  deinit {
    progress.clear()
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// The number of the last line read, starting at 1.
  var number: Int { state.withLock { $0.number } }

  /// The number of entries read.
  var count: Int { state.withLock { $0.count } }

  /// Whether all lines were read, so that a later error does not concern a single line.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Returns the description of a line for messages.
  func place(ofLine number: Int) -> String { Messages.line(number, of: name) }

  /// Whether a signal such as Ctrl-C or SIGTERM has arrived.
  var isInterrupted: Bool { interruption?.signal != nil }

  /// Stops a change as soon as a signal arrives, even while it waits for a lock.
  func stops(_ scan: Scan) {
    interruption?.react { _ in scan.stop() }
  }

  /// Stops processing if a signal has arrived.
  ///
  /// - Throws: ``InputError`` if a signal has arrived.
  func checkInterruption() throws {
    guard let signal = interruption?.signal else { return }
    throw state.withLock { interrupted(signal, $0) }
  }

  /// The number of entries read that expire.
  var expiries: Int { state.withLock { $0.expiries } }

  /// The parts of the entries that the target store cannot hold.
  var left: TransferReport { state.withLock { $0.left } }

  /// Returns the next batch of entries; nil at the end.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of entries.
  ///   - store: The store to adapt the entries to, for writing or comparing; nil for none.
  /// - Returns: The entries, adapted to `store`; nil at the end.
  /// - Throws: ``InputError`` that names the line if a line is not a valid entry.
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
          // A file that was cut off does not end with a whole object.
          let isCut = state.isAtEnd && state.start == state.rest.count && line.last != 0x7D
          throw InputError.notEntry(place(ofLine: state.number), error, isCutOff: isCut)
        }
      }
      state.count += entries.count
      progress.set(state.count)
      // Slightly too high, as the input is read ahead.
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
      // Input that cannot become an entry is rejected before it fills the memory.
      let isObject = state.rest.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
      guard searched <= (isObject ? Self.maximumLine : Self.pieceSize) else {
        throw InputError.notLine(place(ofLine: state.number + 1), isTooLong: isObject)
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
        throw InputError.unreadable(name, String(cString: strerror(errno)))
      }
    }
  }

  private func interrupted(_ signal: Int32, _ state: State) -> InputError {
    .interrupted(after: place(ofLine: state.number), Interruption.code(of: signal))
  }
}

/// The reason why no more entries can be read; the caller adds the fate of the earlier ones.
struct InputError: Error, Sendable {
  let code: ExitCode
  let message: String
  let advice: String?
}
