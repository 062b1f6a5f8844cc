/// A command for a Redis server.
///
/// ```swift
/// let length = try await client.send(.read("STRLEN", key: "greeting"))
/// ```
///
/// The command must have exactly one reply, so subscriptions are not possible. Commands that block
/// until something happens delay all other commands of the client.
public struct RedisCommand: Sendable, CustomStringConvertible {
  /// The name and the arguments.
  public let words: [RedisArgument]

  /// The key that decides which node of a cluster performs the command; nil for any node.
  public let key: RedisArgument?

  /// Whether the command may change something.
  ///
  /// A command that changes nothing is sent again if the connection is lost. Other commands are not,
  /// because they may have been executed.
  public let isWrite: Bool

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - words: The name and the arguments.
  ///   - key: The key that decides which node of a cluster performs the command.
  ///   - isWrite: Whether the command may change something.
  public init(_ words: [RedisArgument], key: RedisArgument?, isWrite: Bool) {
    self.words = words
    self.key = key
    self.isWrite = isWrite
  }

  /// Returns a command that changes nothing, whose first argument is a key.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - key: The key; nil if the command has none.
  ///   - arguments: The further arguments.
  /// - Returns: The command.
  public static func read(
    _ name: String, key: RedisArgument? = nil, _ arguments: RedisArgument...
  ) -> RedisCommand {
    RedisCommand(words(name, key, arguments), key: key, isWrite: false)
  }

  /// Returns a command that may change something, whose first argument is a key.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - key: The key; nil if the command has none.
  ///   - arguments: The further arguments.
  /// - Returns: The command.
  public static func write(
    _ name: String, key: RedisArgument? = nil, _ arguments: RedisArgument...
  ) -> RedisCommand {
    RedisCommand(words(name, key, arguments), key: key, isWrite: true)
  }

  private static func words(
    _ name: String, _ key: RedisArgument?, _ arguments: [RedisArgument]
  ) -> [RedisArgument] {
    [RedisArgument(name)] + (key.map { [$0] } ?? []) + arguments
  }

  /// The name of the command, without arguments, which may be private.
  public var description: String {
    words.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  }

  /// Appends the command in the form in which it is sent.
  func append(to bytes: inout [UInt8]) {
    bytes += "*\(words.count)\r\n".utf8
    for word in words {
      bytes += "$\(word.bytes.count)\r\n".utf8
      bytes += word.bytes
      bytes += [13, 10]
    }
  }
}

/// A word of a command, which may contain any bytes.
public struct RedisArgument: Sendable, Hashable, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral
{
  /// The bytes of the word.
  public let bytes: [UInt8]

  /// Creates a word from bytes.
  ///
  /// - Parameter bytes: The bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a word from text.
  ///
  /// - Parameter text: The text, which is sent as UTF-8.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Creates a word from a number.
  ///
  /// - Parameter number: The number, which is sent in decimal.
  public init(_ number: some BinaryInteger) {
    bytes = Array(number.description.utf8)
  }

  /// Creates a word from a literal.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Creates a word from a literal.
  ///
  /// - Parameter value: The number.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}
