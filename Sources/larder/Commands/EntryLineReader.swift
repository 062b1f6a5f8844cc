import Foundation
import LarderCore
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
    var number = 0
    var count = 0
    var progress = Progress("imported")
  }

  private let descriptor: Int32
  private let name: String
  private let state: Mutex<State>
  private static let pieceSize = 1 << 16

  /// Opens a file, or standard input where there is none.
  init(path: String?) throws {
    name = path ?? "standard input"
    descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    let error = errno
    state = Mutex(State())
    guard descriptor >= 0 else {
      throw Failure.usage("\(name) cannot be read: \(String(cString: strerror(error)))")
    }
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// The number of the line that was read last, from 1.
  var number: Int { state.withLock { $0.number } }

  /// How many entries were read.
  var count: Int { state.withLock { $0.count } }

  /// The next entries; nil at the end.
  ///
  /// - Throws: `Failure` where a line is no entry, which is named.
  func entries(atMost limit: Int) throws -> [Entry]? {
    try state.withLock { state in
      var entries: [Entry] = []
      while entries.count < limit, let line = try nextLine(&state) {
        state.number += 1
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
        do {
          let line = try EntryLine(line)
          entries.append(
            Entry(key: line.key, value: line.value, expires: line.expires, form: line.form))
        } catch {
          throw Failure.usage(
            "line \(state.number) of \(name) is no entry: \(error); correct it and import again")
        }
      }
      state.count += entries.count
      state.progress.count = state.count
      if entries.isEmpty { state.progress.clear() } else { state.progress.show() }
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
      try fill(&state)
    }
  }

  private func fill(_ state: inout State) throws {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        state.rest += piece.prefix(count)
        return
      }
      if count == 0 {
        state.isAtEnd = true
        return
      }
      guard errno == EINTR else {
        throw Failure.usage(
          "\(name) cannot be read: \(String(cString: strerror(errno))); check it and import again")
      }
    }
  }
}
