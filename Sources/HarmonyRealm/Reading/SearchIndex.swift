import Foundation

/// Realm's index of a property, used as a hint.
///
/// It is a tree over the bytes of values, four at a time. Its results are verified by reading the
/// object, so a damaged or unknown kind of index only costs a search of all objects.
struct SearchIndex {
  private let snapshot: RealmSnapshot
  private let root: Int

  /// The maximum depth, which exceeds that of the tree for the longest value that Realm indexes.
  private static let maximumDepth = 512
  /// The byte that follows the end of a value in an incomplete piece.
  private static let end = UInt8(ascii: "X")

  init(_ snapshot: RealmSnapshot, _ root: Int) {
    self.snapshot = snapshot
    self.root = root
  }

  /// Returns the key of the object that may have a value; nil if the index does not contain it.
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
        // The pieces are the maximums of the subtrees.
        ref = try node.requiredRef(place + 1)
        continue
      }
      guard try Self.piece(in: pieces, place) == piece else { return nil }
      let element = try node.integer(place + 1)
      if element & 1 == 1 { return element >> 1 }
      ref = try node.requiredRef(place + 1)
      // Objects that the index does not distinguish further are in a list.
      let below = try snapshot.node(ref)
      guard below.isMarked || below.isInner else { return nil }
      start += 4
    }
    return nil
  }

  /// Returns the first position whose piece is not less.
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

  /// Returns four bytes at an offset as a big-endian number, with a marker after the last byte.
  private static func piece(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    guard start <= bytes.count else { return 0 }
    var piece = Array(bytes[start..<min(start + 4, bytes.count)])
    if piece.count < 4 { piece.append(end) }
    return (0..<4).reduce(0) { $0 << 8 | ($1 < piece.count ? UInt32(piece[$1]) : 0) }
  }

  /// Returns the bytes that the tree indexes; nil for types that are not looked up.
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
