import Foundation

/// Keeps the times of a cache in a file beside what it caches.
///
/// The file begins with the line `harmony cache times 1`. Each line after it is the checksum of the
/// rest of the line as eight hexadecimal digits (CRC-32), when the entry was stored and when it
/// expires, both in seconds since 1970, or `-` for never, or `x` in both places for what was
/// forgotten, and the name of the entry, in which other characters than letters, digits, `.`, `_` and
/// `-` are `%` and two digits. The last line of a name counts; a line that is not whole counts for
/// nothing.
///
/// A change is one line at the end of the file, so what was written survives `kill -9`, and any number
/// of processes may use the file. One that has become long is written again.
public final class CacheTimesFile: CacheTimesStore {
  /// The path of the file.
  public let path: String

  private let name: @Sendable (String) throws -> String
  private let state = Locked(State())

  private struct State: ~Copyable {
    var times: [StoredKey: CacheTimes] = [:]
    var lines = 0
    /// Open as long as it is read on, so that no other file can get its number.
    var file: OpenFile?
    var stamp: FileStamp?
    /// How many bytes have been looked at.
    var size = 0
    /// How many of them are whole lines, which need not be read again.
    var end = 0
  }

  /// Describes a file, which is made by the first time that is kept.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose directory has to be there.
  ///   - name: What the entry of a key is called in the file; the key itself unless given.
  public init(path: String, name: @escaping @Sendable (_ key: String) throws -> String = { $0 }) {
    self.path = path
    self.name = name
  }

  /// The path of the file for what is in a directory: beside it, as every file in it may be an entry.
  package static func path(besideDirectory path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".harmony-times"
  }

  /// Reads the times of a key.
  public func times(of key: String) throws -> CacheTimes? {
    try times(named: name(key))
  }

  /// Reads the times of an entry by its name in the file.
  package func times(named name: String) throws -> CacheTimes? {
    try times(named: [name]).first ?? nil
  }

  /// Reads the times of entries by their names in the file, all as of one moment.
  package func times(named names: [String]) throws -> [CacheTimes?] {
    try state.withLock { state in
      try refresh(&state)
      return names.map { state.times[StoredKey($0)] }
    }
  }

  /// Keeps the times of a key, or forgets them.
  public func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([(key, times)])
  }

  /// Keeps the times of keys, or forgets them, in one step.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    try setTimes(byName: changes.map { (try name($0.key), $0.times) })
  }

  /// Keeps the times of entries by their names in the file, or forgets them.
  package func setTimes(byName changes: [(name: String, times: CacheTimes?)]) throws {
    try state.withLock { state in
      try refresh(&state)
      let known = state.times
      // What nobody knows need not be forgotten.
      let lines = changes.filter { $1 != nil || known[StoredKey($0)] != nil }
        .map { CacheTimesLine(name: $0, times: $1).text }
      guard !lines.isEmpty else { return }
      try append(lines.joined())
      try refresh(&state)
      if state.lines > 1_000, state.lines > state.times.count * 2 { try rewrite(&state) }
    }
  }

  /// Forgets the times of all keys.
  public func forgetTimes() throws {
    try state.withLock { state in
      try Files.remove(path)
      state = State()
    }
  }

  /// All times with the names of their entries in the file, in no order.
  package func all() throws -> [(name: String, times: CacheTimes)] {
    try state.withLock { state in
      try refresh(&state)
      return state.times.map { ($0.text, $1) }
    }
  }

  // MARK: The file

  /// Reads what has come to the file since it was read last, or all of another one.
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
      // Somebody else's file says nothing.
      guard rest.starts(with: CacheTimesLine.head.utf8) else { return }
      rest = rest.dropFirst(CacheTimesLine.head.utf8.count)
      state.end = CacheTimesLine.head.utf8.count
    }
    // What follows the last end of a line is still being written.
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
        throw CoreError.Failed("\(PathName(path)) is a file of something else; use another path")
      }
      var start = ""
      if found.count < head.utf8.count {
        // It is new, or a process that was killed had only just begun it.
        try file.truncate(to: 0)
        start = head
      } else if try file.read(from: file.stamp().size - 1) != [UInt8(ascii: "\n")] {
        // A line that a killed process began ends here.
        start = "\n"
      }
      try file.write((start + text).utf8)
    }
  }

  /// Writes the file again, with one line for each name.
  private func rewrite(_ state: inout State) throws {
    try whileAlone {
      // Others may have written meanwhile.
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

  /// Does something while no other process writes the file.
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
  /// The first line of a file, with its end.
  static let head = "harmony cache times 1\n"

  var name: String
  var times: CacheTimes?

  init(name: String, times: CacheTimes?) {
    self.name = name
    self.times = times
  }

  /// Reads a line without its end; nil where it is not whole.
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

  /// The line with its end.
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
