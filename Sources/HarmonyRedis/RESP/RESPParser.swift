/// An incremental parser of RESP2 and RESP3, with limits on what a server can make it store.
struct RESPParser {
  /// A complete message of the server.
  enum Message: Equatable {
    /// The reply to a command.
    case reply(RedisValue)
    /// A message that no command asked for.
    case push([RedisValue])
  }

  /// The maximum nesting of arrays.
  static let maximumDepth = 32
  /// The maximum length of a line: a length, a number, a status or an error.
  static let maximumLine = 65_536

  /// An array that is not complete yet.
  private struct Frame {
    let type: UInt8
    var missing: Int
    var elements: [RedisValue] = []
  }

  private let limits: RedisLimits
  /// The password, which errors must not repeat.
  private let secret: [UInt8]?
  private var buffer: [UInt8] = []
  private var position = 0
  /// The index up to which no end of a line was found.
  private var searched = 0
  private var frames: [Frame] = []
  /// The length and the type of a string whose bytes have not all arrived.
  private var string: (count: Int, type: UInt8)?
  /// The bytes and elements since ``startCounting()``.
  private var usedBytes = 0
  private var usedElements = 0

  init(limits: RedisLimits, hiding secret: [UInt8]? = nil) {
    self.limits = limits
    self.secret = secret
  }

  /// Starts counting for the limits again, for the replies to the next command.
  mutating func startCounting() {
    usedBytes = 0
    usedElements = 0
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    if position == buffer.count {
      // Also frees the memory of a large reply.
      buffer.removeAll(keepingCapacity: buffer.count <= 1 << 20)
      (position, searched) = (0, 0)
    } else if position > buffer.count / 2 {
      // Moving what is left is only worthwhile if it is the smaller part.
      buffer.removeFirst(position)
      searched -= position
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next complete message; nil if more bytes are needed.
  ///
  /// - Throws: An error if the bytes are invalid or exceed a limit; then the parser is unusable.
  mutating func next() throws(RedisError) -> Message? {
    while true {
      let value: RedisValue?
      if let string {
        guard let bytes = try take(string.count) else { return nil }
        self.string = nil
        value = read(bytes, string.type)
      } else {
        guard let line = try takeLine() else { return nil }
        value = try read(line)
      }
      if let value, let message = try complete(value) { return message }
    }
  }

  /// Adds a value to the arrays that contain it; returns the message that it completes.
  private mutating func complete(_ value: RedisValue) throws(RedisError) -> Message? {
    var value = value
    while let last = frames.indices.last {
      frames[last].elements.append(value)
      frames[last].missing -= 1
      guard frames[last].missing == 0, let frame = frames.popLast() else { return nil }
      switch frame.type {
      // Attributes describe the value after them.
      case .attribute: return nil
      case .push:
        guard frames.isEmpty else { throw .malformed(.nestedPush) }
        return .push(frame.elements)
      default: value = .array(frame.elements)
      }
    }
    return .reply(value)
  }

  /// Reads a line; returns nil if it begins a value that is not complete.
  private mutating func read(_ line: ArraySlice<UInt8>) throws(RedisError) -> RedisValue? {
    guard let type = line.first else { throw .malformed(.emptyLine) }
    let rest = line.dropFirst()
    switch type {
    case .status: return .status(String(decoding: rest, as: UTF8.self))
    case .error: return .failure(RedisServerError(Array(rest), hiding: secret))
    case .integer:
      guard let number = Int64(String(decoding: rest, as: UTF8.self)) else {
        throw .malformed(.integer)
      }
      return .integer(number)
    case .boolean where rest.elementsEqual([0x74]): return .integer(1)
    case .boolean where rest.elementsEqual([0x66]): return .integer(0)
    case .null where rest.isEmpty: return .null
    case .largeNumber: return .bytes(Array(rest))
    case .double:
      guard let number = Double(String(decoding: rest, as: UTF8.self)) else {
        throw .malformed(.number)
      }
      return .double(number)
    case .string, .verbatim, .longError:
      guard let count = try count(rest) else { return .null }
      try use(bytes: count)
      string = (count, type)
      return nil
    case .array, .set, .map, .push, .attribute:
      guard let count = try count(rest) else { return .null }
      let isMap = type == .map || type == .attribute
      try use(elements: count, isMap ? 2 : 1)
      if count == 0 { return type == .attribute ? nil : .array([]) }
      guard frames.count < Self.maximumDepth else {
        throw .malformed(.depth)
      }
      frames.append(Frame(type: type, missing: isMap ? count * 2 : count))
      return nil
    default: throw .malformed(.type)
    }
  }

  /// Returns the value of a string with a length.
  private func read(_ bytes: ArraySlice<UInt8>, _ type: UInt8) -> RedisValue {
    switch type {
    case .longError: .failure(RedisServerError(Array(bytes), hiding: secret))
    // The format, such as `txt:`, comes first.
    case .verbatim: .bytes(Array(bytes.dropFirst(4)))
    default: .bytes(Array(bytes))
    }
  }

  /// Returns a length; nil for the nulls of RESP2.
  private func count(_ digits: ArraySlice<UInt8>) throws(RedisError) -> Int? {
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number >= -1 else {
      throw .malformed(.length)
    }
    return number == -1 ? nil : number
  }

  private mutating func use(bytes: Int) throws(RedisError) {
    guard bytes <= limits.replyBytes - usedBytes else { throw .tooLarge(limits) }
    usedBytes += bytes
  }

  private mutating func use(elements: Int, _ factor: Int) throws(RedisError) {
    guard elements <= (limits.replyElements - usedElements) / factor else {
      throw .tooLarge(limits)
    }
    usedElements += elements * factor
  }

  /// Takes bytes and the end of the line after them; nil if they have not all arrived.
  private mutating func take(_ count: Int) throws(RedisError) -> ArraySlice<UInt8>? {
    guard buffer.count - position >= count + 2 else { return nil }
    let end = position + count
    guard buffer[end] == 13, buffer[end + 1] == 10 else {
      throw .malformed(.longString)
    }
    defer {
      position = end + 2
      searched = position
    }
    return buffer[position..<end]
  }

  private mutating func takeLine() throws(RedisError) -> ArraySlice<UInt8>? {
    searched = max(searched, position)
    guard let end = buffer[searched...].firstIndex(of: 10) else {
      searched = buffer.count
      guard searched - position <= Self.maximumLine else { throw .malformed(.endlessLine) }
      return nil
    }
    guard end > position, buffer[end - 1] == 13, end - position <= Self.maximumLine + 1 else {
      throw .malformed(.brokenLine)
    }
    try use(bytes: end - position + 1)
    defer {
      position = end + 1
      searched = position
    }
    return buffer[position..<(end - 1)]
  }
}

/// The first bytes of values.
extension UInt8 {
  fileprivate static let status = UInt8(ascii: "+")
  fileprivate static let error = UInt8(ascii: "-")
  fileprivate static let integer = UInt8(ascii: ":")
  fileprivate static let string = UInt8(ascii: "$")
  fileprivate static let array = UInt8(ascii: "*")
  fileprivate static let null = UInt8(ascii: "_")
  fileprivate static let boolean = UInt8(ascii: "#")
  fileprivate static let double = UInt8(ascii: ",")
  fileprivate static let largeNumber = UInt8(ascii: "(")
  fileprivate static let longError = UInt8(ascii: "!")
  fileprivate static let verbatim = UInt8(ascii: "=")
  fileprivate static let map = UInt8(ascii: "%")
  fileprivate static let set = UInt8(ascii: "~")
  fileprivate static let push = UInt8(ascii: ">")
  fileprivate static let attribute = UInt8(ascii: "|")
}
