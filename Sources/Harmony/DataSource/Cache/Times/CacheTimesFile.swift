import Foundation

/// A file that persists the times of a cache, next to the data that it caches.
///
/// The file begins with the line `harmony cache times 1`. Each further line consists of the
/// checksum of the rest of the line as eight hexadecimal digits (CRC-32), the times at which the
/// entry was stored and expires, and the name of the entry. The times are seconds since 1970; the
/// expiry is `-` for never, and both are `x` for an entry that was removed. In names, characters
/// other than letters, digits, `.`, `_` and `-` are percent-encoded. The last line of a name wins;
/// incomplete lines are ignored.
///
/// A change appends one line to the file, so saved times survive `kill -9`, and any number of
/// processes may use the file. A file that has become long is rewritten.
public final class CacheTimesFile: CacheTimesStore {
  /// The path of the file.
  public let path: String

  private let name: @Sendable (String) throws -> String
  private let state = Locked(State())

  private struct State: ~Copyable {
    var times: [StoredKey: CacheTimes] = [:]
    var lines = 0
    /// The open file, held while it is in use so that no other file can get its inode number.
    var file: OpenFile?
    var stamp: FileStamp?
    /// The number of bytes that have been read.
    var size = 0
    /// The number of bytes in complete lines, which need not be read again.
    var end = 0
  }

  /// Creates a store for a file, which is created when times are first saved.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose directory must exist.
  ///   - name: Returns the name of a key's entry in the file; by default the key itself.
  public init(path: String, name: @escaping @Sendable (_ key: String) throws -> String = { $0 }) {
    self.path = path
    self.name = name
  }

  /// Returns the path of the file for a directory: next to it, as any file inside may be an entry.
  package static func path(besideDirectory path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".harmony-times"
  }

  /// Returns the times of a key.
  public func times(of key: String) throws -> CacheTimes? {
    try times(named: name(key))
  }

  /// Returns the times of an entry by its name in the file.
  package func times(named name: String) throws -> CacheTimes? {
    try times(named: [name]).first ?? nil
  }

  /// Returns the times of entries by their names in the file, all as of the same instant.
  package func times(named names: [String]) throws -> [CacheTimes?] {
    try state.withLock { state in
      try refresh(&state)
      return names.map { state.times[StoredKey($0)] }
    }
  }

  /// Saves or removes the times of a key.
  public func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([(key, times)])
  }

  /// Saves or removes the times of keys with a single write.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    try setTimes(byName: changes.map { (try name($0.key), $0.times) })
  }

  /// Saves or removes the times of entries by their names in the file.
  package func setTimes(byName changes: [(name: String, times: CacheTimes?)]) throws {
    try state.withLock { state in
      try refresh(&state)
      let known = state.times
      // Unknown names need not be removed.
      let lines = changes.filter { $1 != nil || known[StoredKey($0)] != nil }
        .map { CacheTimesLine(name: $0, times: $1).text }
      guard !lines.isEmpty else { return }
      try append(lines.joined())
      try refresh(&state)
      if state.lines > 1_000, state.lines > state.times.count * 2 { try rewrite(&state) }
    }
  }

  /// Removes the times of all keys.
  public func forgetTimes() throws {
    try state.withLock { state in
      try Files.remove(path)
      state = State()
    }
  }

  /// Returns all times with the names of their entries in the file, in no particular order.
  package func all() throws -> [(name: String, times: CacheTimes)] {
    try state.withLock { state in
      try refresh(&state)
      return state.times.map { ($0.text, $1) }
    }
  }

  // MARK: The file

  /// Reads what was added to the file since the last call, or all of it if the file was replaced.
  private func refresh(_ state: inout State) throws {
    guard let now = try Files.stamp(of: path) else {
      state = State()
      return
    }
    let isSame = state.stamp.map { $0.isSameFile(as: now) } ?? false
    if isSame, now.size == state.size { return }
    if !isSame || now.size < state.end {
      state = State()
      state.file = try OpenFile(ifPresent: path)
      state.stamp = try state.file?.stamp()
    }
    guard let bytes = try state.file?.read(from: state.end) else { return }
    state.size = state.end + bytes.count
    var rest = bytes[...]
    if state.end == 0 {
      // A file in another format has no times.
      guard rest.starts(with: CacheTimesLine.head.utf8) else { return }
      rest = rest.dropFirst(CacheTimesLine.head.utf8.count)
      state.end = CacheTimesLine.head.utf8.count
    }
    // An incomplete last line is still being written.
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      state.lines += 1
      state.end += end + 1 - rest.startIndex
      if let line = CacheTimesLine(String(decoding: rest[..<end], as: UTF8.self)) {
        state.times[StoredKey(line.name)] = line.times
      }
      rest = rest[(end + 1)...]
    }
  }

  private func append(_ text: String) throws {
    try whileAlone {
      let file = try OpenFile(path, O_RDWR | O_APPEND | O_CREAT, "write")
      let head = CacheTimesLine.head
      let found = try file.read(count: head.utf8.count)
      guard head.utf8.starts(with: found) else {
        throw CoreError.Failed.otherFile(path)
      }
      var start = ""
      if found.count < head.utf8.count {
        // The file is new, or the process that created it was killed.
        try file.truncate(to: 0)
        start = head
      } else if try file.read(from: file.stamp().size - 1) != [UInt8(ascii: "\n")] {
        // Terminates the line that a killed process left incomplete.
        start = "\n"
      }
      try file.write((start + text).utf8)
    }
  }

  /// Rewrites the file with one line for each name.
  private func rewrite(_ state: inout State) throws {
    try whileAlone {
      // Other processes may have written since.
      try refresh(&state)
      let draft = path + ".new"
      let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC, "write")
      let lines = state.times.sorted { $0.key.text.isOrderedBefore($1.key.text) }.map {
        CacheTimesLine(name: $0.text, times: $1).text
      }
      try file.write((CacheTimesLine.head + lines.joined()).utf8)
      guard rename(draft, path) == 0 else { throw Files.failure("write", path) }
      try refresh(&state)
    }
  }

  /// Performs an action while no other process writes the file.
  private func whileAlone(_ body: () throws -> Void) throws {
    let folder = path.folderPath
    let file = try OpenFile(folder, O_RDONLY | O_DIRECTORY, "open the folder")
    guard Files.retrying({ flock(file.descriptor, LOCK_EX) }) == 0 else {
      throw Files.failure("lock the folder", folder)
    }
    try body()
  }
}

/// A line of the file.
struct CacheTimesLine: Equatable {
  /// The first line of a file, including its newline.
  static let head = "harmony cache times 1\n"

  var name: String
  var times: CacheTimes?

  init(name: String, times: CacheTimes?) {
    self.name = name
    self.times = times
  }

  /// Parses a line without its newline; nil if it is incomplete or damaged.
  init?(_ line: some StringProtocol) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let sum = UInt32(parts[0], radix: 16), parts[0].utf8.count == 8,
      sum == Self.sum(parts[1...].joined(separator: " ")),
      let name = String(parts[3]).removingPercentEncoding
    else { return nil }
    self.name = name
    if parts[1] == "x" { return }
    guard let stored = Double(parts[1]), stored.isFinite else { return nil }
    let expires = Double(parts[2])
    guard parts[2] == "-" || expires?.isFinite == true else { return nil }
    times = CacheTimes(
      stored: Date(timeIntervalSince1970: stored),
      expires: expires.map { Date(timeIntervalSince1970: $0) })
  }

  /// The line, including its newline.
  var text: String {
    let stored = times.map { String($0.stored.timeIntervalSince1970) } ?? "x"
    let expires = times.map { times in
      times.expires.map { String($0.timeIntervalSince1970) } ?? "-"
    }
    let rest = "\(stored) \(expires ?? "x") \(Self.escaped(name))"
    let sum = String(Self.sum(rest), radix: 16)
    return String(repeating: "0", count: 8 - sum.utf8.count) + sum + " " + rest + "\n"
  }

  private static func sum(_ text: String) -> UInt32 { CRC32.checksum(text.utf8) }

  private static func escaped(_ name: String) -> String {
    PercentCoding.escaped(Array(name.utf8), besides: "._-")
  }
}
