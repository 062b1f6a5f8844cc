import Foundation

/// The index that Realm keeps of a property, as far as it says where to look first.
///
/// It is a tree over the bytes of values, four at a time. What it says is only believed once the
/// object was looked at: an index that is damaged, or of a form that is not known here, costs the
/// walk over all objects that it would have spared.
struct SearchIndex {
  private let snapshot: RealmSnapshot
  private let root: Int

  /// More levels than the tree over the bytes of one value has that Realm looks at.
  private static let maximumDepth = 512
  /// What follows the last byte of a value in a piece that it does not fill.
  private static let end = UInt8(ascii: "X")

  init(_ snapshot: RealmSnapshot, _ root: Int) {
    self.snapshot = snapshot
    self.root = root
  }

  /// The key of the object that may have a value; nil where the index says nothing of it.
  func candidate(_ value: RealmValue) -> Int64? {
    guard let bytes = Self.bytes(of: value) else { return nil }
    return try? find(bytes)
  }

  private func find(_ bytes: [UInt8]) throws(RealmError) -> Int64? {
    var ref = root
    var start = 0
    for _ in 0..<Self.maximumDepth {
      let node = try snapshot.node(ref)
      guard node.hasRefs, node.count > 1 else { return nil }
      let pieces = try snapshot.node(try node.requiredRef(0))
      guard pieces.count == node.count - 1 else { return nil }
      let piece = Self.piece(bytes, start)
      let place = try Self.place(of: piece, in: pieces)
      guard place < pieces.count else { return nil }
      if node.isInner {
        // The pieces are the last of what is below.
        ref = try node.requiredRef(place + 1)
        continue
      }
      guard try Self.piece(in: pieces, place) == piece else { return nil }
      let element = try node.integer(place + 1)
      if element & 1 == 1 { return element >> 1 }
      ref = try node.requiredRef(place + 1)
      // Several objects that are not told apart any more are in a list.
      let below = try snapshot.node(ref)
      guard below.isMarked || below.isInner else { return nil }
      start += 4
    }
    return nil
  }

  /// The first place whose piece is no less.
  private static func place(of piece: UInt32, in pieces: RealmNode) throws(RealmError) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if try self.piece(in: pieces, middle) < piece { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func piece(in pieces: RealmNode, _ place: Int) throws(RealmError) -> UInt32 {
    UInt32(truncatingIfNeeded: try pieces.integer(place))
  }

  /// Four bytes from a place on, the first as the highest; behind the last comes a mark.
  private static func piece(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    guard start <= bytes.count else { return 0 }
    var piece = Array(bytes[start..<min(start + 4, bytes.count)])
    if piece.count < 4 { piece.append(end) }
    return (0..<4).reduce(0) { $0 << 8 | ($1 < piece.count ? UInt32(piece[$1]) : 0) }
  }

  /// The bytes that the tree is over; nil for what is not looked up.
  private static func bytes(of value: RealmValue) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .int(let number):
      (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    case .objectID(let id): id.bytes
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Array($0) }
    default: nil
    }
  }
}
