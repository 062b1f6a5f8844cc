import HarmonyRedis
import LarderModel

/// The parts of a value that were read so far, as one reply cannot hold a large value.
struct RedisParts {
  let key: RedisArgument
  let type: RedisType
  /// Whether there are no more parts.
  private(set) var isComplete = false
  /// The approximate size of the parts in memory, in bytes.
  private(set) var size = 0
  private var string = RedisValue.null
  private var elements: [RedisValue] = []
  /// The number of elements; a member and its score are one.
  private var position = 0
  private var cursor: RedisArgument
  private var count: Int

  /// The number of elements of a part whose size is not known.
  private static let unknownCount = 100
  private static let usualCount = 1_000
  private static let counts = 10...10_000
  /// The wanted size of a part, in bytes.
  private static let wantedSize = 1 << 20
  /// The size of an element in memory, apart from its bytes.
  private static let elementSize = 64

  /// Creates the parts of a value that has not been read.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the value.
  ///   - isBounded: Whether the size of the value is known not to be too large.
  init(_ key: RedisArgument, _ type: RedisType, isBounded: Bool) {
    self.key = key
    self.type = type
    cursor = type == .stream ? "-" : "0"
    count = isBounded ? Self.usualCount : Self.unknownCount
  }

  /// The command that reads the next part.
  var command: RedisCommand {
    let (first, last) = (RedisArgument(position), RedisArgument(position + count - 1))
    return switch type {
    case .string: .read("GET", key: key)
    case .hash: .read("HSCAN", key: key, cursor, "COUNT", RedisArgument(count))
    case .set: .read("SSCAN", key: key, cursor, "COUNT", RedisArgument(count))
    case .list: .read("LRANGE", key: key, first, last)
    case .zset: .read("ZRANGE", key: key, first, last, "WITHSCORES")
    case .stream: .read("XRANGE", key: key, cursor, "+", "COUNT", RedisArgument(count))
    }
  }

  /// The value, once it is complete; nil if there is none.
  var value: RedisValue { type == .string ? string : .array(elements) }

  /// Adds the part in the reply to ``command``.
  ///
  /// - Throws: ``RedisError`` if the server refused to read it.
  mutating func take(_ reply: RedisValue) throws(RedisError) {
    let part = try reply.answer(to: command)
    let before = size
    if type == .string {
      string = part
      isComplete = true
      size = part.bytes?.count ?? 0
      return
    }
    let (found, next) = contents(of: part)
    elements += found
    for element in found { size += Self.size(of: element) }
    let isPaired = if case .array? = found.first { true } else { false }
    let number = type == .zset && !isPaired ? found.count / 2 : found.count
    position += number
    if type == .hash || type == .set {
      cursor = next ?? "0"
      isComplete = cursor == "0"
    } else {
      isComplete = number < count
      if type == .stream { cursor = next ?? "+" }
    }
    let average = max((size - before) / max(number, 1), 1)
    count = min(max(Self.wantedSize / average, Self.counts.lowerBound), Self.counts.upperBound)
  }

  /// Returns the elements of a part, and where the next part begins.
  private func contents(of part: RedisValue) -> ([RedisValue], RedisArgument?) {
    let elements = part.elements ?? []
    switch type {
    case .hash, .set:
      guard elements.count == 2, let cursor = elements[0].bytes else { return ([], nil) }
      return (elements[1].elements ?? [], RedisArgument(cursor))
    case .stream:
      let last = elements.last?.elements?.first?.bytes.flatMap(RedisStreamID.init)
      return (elements, last.map { RedisArgument($0.next.text) })
    case .string, .list, .zset: return (elements, nil)
    }
  }

  private static func size(of element: RedisValue) -> Int {
    switch element {
    case .bytes(let bytes): elementSize + bytes.count
    case .array(let elements): elements.reduce(elementSize) { $0 + size(of: $1) }
    default: elementSize
    }
  }
}
