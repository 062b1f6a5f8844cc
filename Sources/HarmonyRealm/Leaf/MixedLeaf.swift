import Foundation

/// A leaf of values of any type.
struct MixedLeaf {
  let count: Int
  private let composite: RealmNode
  private let collections: RealmNode?
  private let integers: RealmNode?
  private let pairs: RealmNode?
  private let strings: StringLeaf?

  /// The types of values that properties do not have.
  private enum Collection {
    static let list = 19
    static let dictionary = 21
  }

  init(_ snapshot: RealmSnapshot, _ node: RealmNode) throws(RealmError) {
    guard node.hasRefs, !node.isInner, node.count >= 1, node.count <= 8 else {
      throw .misplaced("mixed values")
    }
    composite = try snapshot.node(try node.requiredRef(0))
    count = composite.count
    integers = try node.optionalRef(1).map { ref throws(RealmError) in try snapshot.node(ref) }
    pairs = try node.optionalRef(2).map { ref throws(RealmError) in try snapshot.node(ref) }
    collections = try node.optionalRef(4).map { ref throws(RealmError) in try snapshot.node(ref) }
    strings = try node.optionalRef(3).map { ref throws(RealmError) in
      try StringLeaf(snapshot, try snapshot.node(ref), isNullable: false)
    }
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int {
    composite.size + (collections?.size ?? 0) + (integers?.size ?? 0) + (pairs?.size ?? 0)
      + (strings?.partSize ?? 0)
  }

  func value(_ index: Int, _ decoder: inout ValueDecoder) throws(RealmError) -> RealmValue {
    let bits = try composite.integer(index)
    guard bits != 0 else { return .null }
    let type = Int(bits & 31) - 1
    let isApart = bits >> 5 & 7 != 0
    let inline = bits >> 8
    // The index of the rest of the value.
    let place = Int(clamping: inline)
    func integer() throws(RealmError) -> Int64 {
      guard let integers else { throw .damaged("mixed value") }
      return try integers.integer(place)
    }
    func pair() throws(RealmError) -> (Int64, Int64) {
      guard let pairs, place >= 0, place < 1 << 24 else {
        throw .damaged("mixed value")
      }
      return (try pairs.integer(2 * place), try pairs.integer(2 * place + 1))
    }
    func bytes() throws(RealmError) -> ArraySlice<UInt8> {
      guard let strings, place >= 0, place < strings.count else {
        throw .damaged("mixed value")
      }
      let bytes = try strings.bytes(place, decoder.snapshot) ?? []
      try decoder.budget.spend(text: bytes.count)
      return bytes
    }
    switch type {
    case Collection.list:
      return .list(try nested(place) { ref throws(RealmError) in try decoder.mixedList(ref) } ?? [])
    case Collection.dictionary:
      return .dictionary(
        try nested(place) { ref throws(RealmError) in
          try decoder.dictionary(ref, hasIntegerKeys: false)
        } ?? [])
    default: break
    }
    switch RealmPropertyType(rawValue: type) {
    case .int: return .int(isApart ? try integer() : inline)
    case .bool: return .bool(inline != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer())))
    case .double: return .double(Double(bitPattern: UInt64(bitPattern: try integer())))
    case .string: return RealmValue(textBytes: try bytes())
    case .binary: return .binary(Array(try bytes()))
    case .objectID:
      guard let id = RealmObjectID(bytes: try bytes()) else {
        throw .shortIdentifier
      }
      return .objectID(id)
    case .uuid: return .uuid(try UUID(realm: try bytes()))
    case .timestamp:
      let (seconds, rest) = try pair()
      guard rest.magnitude < 1_000_000_000 else {
        throw .invalidDate
      }
      return .timestamp(RealmTimestamp(seconds: seconds, nanoseconds: Int32(rest)))
    case .decimal:
      let (low, high) = try pair()
      return .decimal(
        RealmDecimal(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high)))
    case .typedLink:
      let (table, key) = try pair()
      return try decoder.link(UInt32(truncatingIfNeeded: table) & 0x7FFF_FFFF, key)
    default: throw .unknownType(of: "mixed value")
    }
  }

  /// Reads a collection nested in this value; nil if it is empty.
  private func nested<Value>(
    _ place: Int, _ read: (Int) throws(RealmError) -> Value
  ) throws(RealmError) -> Value? {
    guard let collections else { throw .missing("nested collection") }
    guard let ref = try collections.ref(place) else { return nil }
    return try read(ref)
  }
}

extension UUID {
  init(realm bytes: ArraySlice<UInt8>) throws(RealmError) {
    guard bytes.count == 16 else { throw .shortIdentifier }
    let own = Array(bytes)
    self.init(
      uuid: (
        own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7], own[8], own[9], own[10],
        own[11], own[12], own[13], own[14], own[15]
      ))
  }
}
