import Foundation
package import LarderModel
import LarderFormats
import Synchronization

/// Reads entries from JSON Lines in batches.
///
/// A reader must not be used from several threads concurrently.
package final class EntryLineReader: Sendable {
  private struct State {
    var rest: [UInt8] = []
    /// The index in `rest` at which the next line starts.
    var start = 0
    var isAtEnd = false
    var number = 0
    var count = 0
    /// The number of bytes read.
    var bytes: Int64 = 0
    var expiries = 0
    var left = TransferReport()
  }

  private let descriptor: Int32
  /// The name of the file in messages.
  package let name: String
  /// The scan that receives the number of entries read and their share, and can stop reading.
  package let scan: Scan
  /// The size of the file in bytes; 0 if unknown.
  private let size: Int64
  private let state: Mutex<State>
  private static let pieceSize = 1 << 16
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]
  /// The maximum length of a line, in bytes.
  ///
  /// A database row has at most 1 GB, and each of its bytes can take up to six bytes in an export.
  private static let maximumLine = 8 << 30
  /// The time after which a wait for input checks whether reading was stopped, in milliseconds.
  private static let patience: Int32 = 50

  /// Opens a file or standard input.
  ///
  /// - Parameters:
  ///   - path: The path of the file; nil or `-` for standard input.
  ///   - name: The name of the file in messages; nil for its path.
  ///   - isFile: Whether it has to be a regular file, of any name.
  ///   - scan: The scan that can stop reading.
  /// - Throws: ``InputError`` if the file cannot be opened.
  package init(
    path: String?, name: String? = nil, isFile: Bool = false, scan: Scan = Scan()
  ) throws(InputError) {
    let path = path == "-" && !isFile ? nil : path
    self.name = name ?? path ?? Self.standardInput
    self.scan = scan
    descriptor = path.map(Self.open) ?? STDIN_FILENO
    let error = errno
    state = Mutex(State())
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    guard descriptor >= 0 else {
      throw InputError.unreadable(self.name, String(cString: strerror(error)))
    }
    if isFile, status.st_mode & S_IFMT != S_IFREG { throw InputError.notFile(self.name) }
  }

  /// Opens a file without blocking.
  ///
  /// Opening a FIFO blocks until there is a writer, and a stop would go unnoticed for that long.
  private static func open(_ path: String) -> Int32 {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // The reads themselves have to block: otherwise a pause in the input looks like its end.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
    return descriptor
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// The number of the last line read, starting at 1.
  package var number: Int { state.withLock { $0.number } }

  /// The number of entries read.
  package var count: Int { state.withLock { $0.count } }

  /// Returns the description of a line for messages.
  func place(ofLine number: Int) -> String { Messages.line(number, of: name) }

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
  package func entries(atMost limit: Int, for store: Store? = nil) throws -> [Entry]? {
    try state.withLock { state in
      var entries: [Entry] = []
      if scan.isStopped {
        throw InputError.interrupted(after: state.number == 0 ? nil : place(ofLine: state.number))
      }
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
          let isCut =
            state.isAtEnd && state.start == state.rest.count && line.last != UInt8(ascii: "}")
            && line.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
          throw InputError.notEntry(place(ofLine: state.number), error, isCutOff: isCut)
        }
      }
      state.count += entries.count
      // Slightly too high, as the input is read ahead.
      if size > 0 { scan.set(share: Double(state.bytes) / Double(size)) }
      if entries.isEmpty { scan.set(share: 1) }
      // A stop is noticed before the next line.
      try? scan.reportRead(state.count)
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
      var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&file, 1, Self.patience) <= 0 || scan.isStopped {
        if scan.isStopped {
          throw InputError.interrupted(after: state.number == 0 ? nil : place(ofLine: state.number))
        }
      }
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
}

/// The reason why no more entries can be read.
package struct InputError: Error, Sendable {
  /// The kinds of reason.
  package enum Kind: Sendable {
    /// The input cannot be read, or a line is not an entry.
    case invalid
    /// A line is too long, or not an object.
    case notLines
    /// The scan was stopped.
    case interrupted
  }

  /// The kind.
  package let kind: Kind
  /// The reason, and the outcome for the entries before if the error ended an import.
  package var message: String { outcome.map { "\(reason); \($0)" } ?? reason }
  private let reason: String
  private var outcome: String?
  /// The remedy.
  package let advice: String?

  init(_ kind: Kind, _ reason: String, advice: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.advice = advice
  }

  /// Returns the error with the outcome for the entries before it.
  func adding(_ outcome: String) -> InputError {
    var error = self
    error.outcome = outcome
    return error
  }

  /// The failure of an operation that the error ended.
  package var failure: OperationFailure {
    OperationFailure(
      kind == .interrupted ? StoreError.cancelled : .failed(reason), because: reason,
      outcome: outcome ?? "")
  }
}
