/// The masters of a cluster and the hash slots of each.
struct ClusterMap: Sendable, Equatable {
  /// The masters, in the order of their slots.
  private(set) var masters: [RedisAddress] = []
  /// Whether these are all masters, rather than those that redirections have named.
  let isComplete: Bool
  /// The indices of the masters by slot; -1 for slots without a master.
  private var owners = [Int32](repeating: -1, count: HashSlot.count)

  /// Creates the map of a cluster with only one known node.
  init(node: RedisAddress) {
    masters = [node]
    isComplete = false
  }

  /// Parses the reply to `CLUSTER SLOTS`.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - address: The address of the node that replied, which may leave out its own host.
  /// - Throws: ``RedisError`` if the reply is invalid.
  init(_ reply: RedisValue, from address: RedisAddress) throws(RedisError) {
    isComplete = true
    guard let ranges = reply.elements, ranges.count <= HashSlot.count else {
      throw .malformed(.noSlots)
    }
    for range in ranges {
      guard let range = range.elements, range.count >= 3,
        let first = range[0].integer.flatMap({ Int(exactly: $0) }),
        let last = range[1].integer.flatMap({ Int(exactly: $0) }),
        first >= 0, first <= last, last < HashSlot.count,
        let node = range[2].elements, node.count >= 2,
        let port = node[1].integer.flatMap({ Int(exactly: $0) })
      else { throw .malformed(.slotRange) }
      let master = address.neighbor(host: node[0].text ?? "", port: port)
      let index = Int32(index(of: master))
      for slot in first...last { owners[slot] = index }
    }
  }

  /// Returns the master of a slot; nil if it is unknown.
  func owner(of slot: Int) -> RedisAddress? {
    guard owners.indices.contains(slot), masters.indices.contains(Int(owners[slot])) else {
      return nil
    }
    return masters[Int(owners[slot])]
  }

  /// Changes the master of a slot.
  mutating func move(_ slot: Int, to master: RedisAddress) {
    guard owners.indices.contains(slot) else { return }
    owners[slot] = Int32(index(of: master))
  }

  /// Returns the index of a master, after adding it if it is new.
  private mutating func index(of master: RedisAddress) -> Int {
    if let index = masters.firstIndex(of: master) { return index }
    masters.append(master)
    return masters.count - 1
  }
}

/// A reply that names the node to ask instead.
struct Redirection: Equatable {
  let slot: Int
  let address: RedisAddress
  /// Whether this node is only to be asked this time, while the slot is being moved to it.
  let isTemporary: Bool

  /// Parses an error of a node; nil if it is another error, or invalid.
  init?(_ error: RedisServerError, from address: RedisAddress) {
    guard error.code == "MOVED" || error.code == "ASK" else { return nil }
    let words = error.message.split(separator: " ")
    guard words.count >= 2, let slot = Int(words[0]), (0..<HashSlot.count).contains(slot),
      let colon = words[1].lastIndex(of: ":"), let port = Int(words[1][colon...].dropFirst()),
      (1...65_535).contains(port)
    else { return nil }
    self.slot = slot
    self.address = address.neighbor(host: String(words[1][..<colon]), port: port)
    isTemporary = error.code == "ASK"
  }
}

extension RedisAddress {
  /// Returns the address of another node, which has the same host unless it has one of its own.
  func neighbor(host: String, port: Int) -> RedisAddress {
    if !host.isEmpty, host != "?" { return .tcp(host: host, port: port) }
    return self.host.map { .tcp(host: $0, port: port) } ?? self
  }
}
