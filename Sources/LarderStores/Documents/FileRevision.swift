import LarderModel

/// What a change made of the bytes of a file, from which those before and those after it can be
/// made from each other: comments, spaces and the order of members come back with an undo.
struct FileRevision: Sendable, Hashable {
  /// The largest file whose revisions are kept: both states of it are digested.
  private static let maximumFile = 32 << 20
  /// The most bytes that may be kept of the two states.
  private static let maximumSize = 6 << 20

  /// How many bytes at both ends are the same.
  private let head: Int
  private let tail: Int
  /// What stood between them, and what stands there instead.
  private let old: [UInt8]
  private let new: [UInt8]
  private let before: Fingerprint
  private let after: Fingerprint

  /// Compares two states of a file.
  ///
  /// - Returns: nil where too much would have to be kept.
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

  /// The other state of the file.
  ///
  /// - Parameters:
  ///   - bytes: What the file holds.
  ///   - isUndo: Whether the state before is wanted, or the one after.
  /// - Returns: nil where the file is not in the state that the change left.
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
  /// The revision in the form that the journal keeps.
  var encoded: [UInt8] {
    EntryCoding.encode(
      .array([
        .integer(Int64(head)), .integer(Int64(tail)), .data(old), .data(new),
        .text(before.description), .text(after.description),
      ]))
  }

  /// Reads what ``encoded`` made.
  init?(encoded: [UInt8]) {
    guard case .array(let parts)? = EntryCoding.value(encoded), parts.count == 6,
      case .integer(let head) = parts[0], 0...Int64(Self.maximumFile) ~= head,
      case .integer(let tail) = parts[1], 0...Int64(Self.maximumFile) ~= tail,
      case .data(let old) = parts[2], case .data(let new) = parts[3],
      case .text(let before) = parts[4], let before = Fingerprint(before),
      case .text(let after) = parts[5], let after = Fingerprint(after)
    else { return nil }
    self.init(
      head: Int(head), tail: Int(tail), old: old, new: new, before: before, after: after)
  }

  private init(
    head: Int, tail: Int, old: [UInt8], new: [UInt8], before: Fingerprint, after: Fingerprint
  ) {
    (self.head, self.tail, self.old, self.new) = (head, tail, old, new)
    (self.before, self.after) = (before, after)
  }
}
