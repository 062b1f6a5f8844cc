/// A listing of keys, a part at a time, which includes all masters of a cluster.
///
/// A key that exists during the whole listing is included, possibly more than once; other keys may or
/// may not be. If the cluster moves slots meanwhile, the listing starts again, so that no key is
/// missed.
///
/// ```swift
/// for try await keys in client.scan(matching: "session:*") {
///   count += keys.count
/// }
/// ```
public struct RedisScan: AsyncSequence, AsyncIteratorProtocol, Sendable {
  /// The maximum number of keys to ask for at a time.
  public static let maximumCount = 1_000

  private let client: RedisClient
  private let pattern: RedisArgument?
  private let count: Int
  /// The masters to scan; nil before the first part.
  private var masters: [RedisAddress]?
  private var index = 0
  private var cursor: RedisArgument = "0"
  private var restarts = 0

  /// Creates a listing.
  init(_ client: RedisClient, _ pattern: RedisArgument?, count: Int) {
    self.client = client
    self.pattern = pattern
    self.count = Swift.min(Swift.max(count, 1), Self.maximumCount)
  }

  /// Returns this listing from its beginning.
  public func makeAsyncIterator() -> RedisScan { RedisScan(client, pattern, count: count) }

  /// Returns the next keys.
  ///
  /// - Returns: The keys, which may be none; nil at the end.
  /// - Throws: ``RedisError``, with the reason ``RedisError/Reason/redirected`` if the cluster keeps
  ///   moving slots.
  public mutating func next() async throws -> [[UInt8]]? {
    if masters == nil { masters = try await client.masters() }
    guard let masters else { return nil }
    guard index < masters.count else {
      let isAlone = masters.count < 2
      if isAlone { return nil }
      return try await client.currentMasters() == masters ? nil : restart()
    }
    do {
      return try await page(of: masters[index])
    } catch let error as RedisError where error.isOfConnection && masters.count > 1 {
      // The slots of a failed master may belong to its replica by now.
      guard try await client.currentMasters() != masters else { throw error }
      return try restart()
    }
  }

  private mutating func page(of master: RedisAddress) async throws -> [[UInt8]] {
    var words: [RedisArgument] = ["SCAN", cursor]
    if let pattern { words += ["MATCH", pattern] }
    words += ["COUNT", RedisArgument(count)]
    let reply = try await client.send(RedisCommand(words, key: nil, isWrite: false), to: master)
    guard let parts = reply.elements, parts.count == 2, let next = parts[0].bytes,
      let keys = parts[1].elements
    else { throw RedisError.malformed(.scan) }
    cursor = RedisArgument(next)
    if cursor == "0" { index += 1 }
    return keys.compactMap(\.bytes)
  }

  private mutating func restart() throws -> [[UInt8]] {
    restarts += 1
    guard restarts <= 3 else {
      throw RedisError.movingKeys
    }
    (masters, index, cursor) = (nil, 0, "0")
    return []
  }
}

extension RedisClient {
  /// Lists keys, without blocking the server for long.
  ///
  /// - Parameters:
  ///   - pattern: A glob pattern of the keys, such as `session:*`; nil for all keys.
  ///   - count: The number of keys to look at in each part, at most 1,000.
  /// - Returns: The parts of the list.
  public func scan(matching pattern: RedisArgument? = nil, count: Int = 1_000) -> RedisScan {
    RedisScan(self, pattern, count: count)
  }

  /// Lists the keys with a prefix, in which no character has a special meaning.
  ///
  /// - Parameters:
  ///   - prefix: The prefix.
  ///   - count: The number of keys to look at in each part, at most 1,000.
  /// - Returns: The parts of the list.
  public func scan(prefix: [UInt8], count: Int = 1_000) -> RedisScan {
    scan(matching: prefix.isEmpty ? nil : RedisArgument(Self.pattern(prefix: prefix)), count: count)
  }

  /// Returns the glob pattern of a prefix.
  static func pattern(prefix: [UInt8]) -> [UInt8] {
    prefix.flatMap { byte -> [UInt8] in
      #"*?[]\^-"#.utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
    } + [UInt8(ascii: "*")]
  }
}
