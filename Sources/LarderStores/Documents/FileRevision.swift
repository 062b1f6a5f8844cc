import LarderModel

/// The difference between two versions of a file, from which either can be restored from the other.
///
/// It allows an undo to restore comments, whitespace and the order of members too.
struct FileRevision: Sendable, Hashable {
  /// The size of the largest file to record, in bytes: both versions have to be hashed.
  private static let maximumFile = 32 << 20
  /// The maximum number of bytes to store for both versions together.
  private static let maximumSize = 6 << 20

  /// The number of equal bytes at the start and at the end.
  private let head: Int
  private let tail: Int
  /// The bytes in between, before and after.
  private let old: [UInt8]
  private let new: [UInt8]
  private let before: Fingerprint
  private let after: Fingerprint

  /// Compares two versions of a file.
  ///
  /// - Returns: nil if the difference is too large to store.
  init?(from before: [UInt8], to after: [UInt8]) {
    guard max(before.count, after.count) <= Self.maximumFile else { return nil }
    let shared = min(before.count, after.count)
    var head = 0
    while head < shared, before[head] == after[head] { head += 1 }
    var tail = 0
    while tail < shared - head,
      before[before.count - 1 - tail] == after[after.count - 1 - tail]
    {
      tail += 1
    }
    let old = before[head..<(before.count - tail)]
    let new = after[head..<(after.count - tail)]
    guard old.count + new.count <= Self.maximumSize else { return nil }
    (self.head, self.tail, self.old, self.new) = (head, tail, Array(old), Array(new))
    (self.before, self.after) = (Self.digest(before), Self.digest(after))
  }

  /// Returns the other version of the file.
  ///
  /// - Parameters:
  ///   - bytes: The current contents of the file.
  ///   - isUndo: Whether to return the version before the change, or the one after it.
  /// - Returns: The contents, or nil if the file is not as the change left it.
  func restored(from bytes: [UInt8], isUndo: Bool) -> [UInt8]? {
    let (present, wanted) = isUndo ? (new, old) : (old, new)
    guard bytes.count == head + present.count + tail,
      Self.digest(bytes) == (isUndo ? after : before)
    else { return nil }
    let restored = bytes.prefix(head) + wanted + bytes.suffix(tail)
    return Self.digest(Array(restored)) == (isUndo ? before : after) ? Array(restored) : nil
  }

  private static func digest(_ bytes: [UInt8]) -> Fingerprint { Fingerprint(of: .data(bytes)) }
}

extension FileRevision {
  /// The revision as stored in the journal.
  var encoded: [UInt8] {
    EntryCoding.encode(
      .array([
        .integer(Int64(head)), .integer(Int64(tail)), .data(old), .data(new),
        .text(before.description), .text(after.description),
      ]))
  }

  /// Decodes a revision from ``encoded``.
  init?(encoded: [UInt8]) {
    guard case .array(let parts)? = EntryCoding.value(encoded), parts.count == 6,
      case .integer(let head) = parts[0], 0...Int64(Self.maximumFile) ~= head,
      case .integer(let tail) = parts[1], 0...Int64(Self.maximumFile) ~= tail,
      case .data(let old) = parts[2], case .data(let new) = parts[3],
      case .text(let before) = parts[4], let before = Fingerprint(before),
      case .text(let after) = parts[5], let after = Fingerprint(after)
    else { return nil }
    (self.head, self.tail, self.old, self.new) = (Int(head), Int(tail), old, new)
    (self.before, self.after) = (before, after)
  }
}
