import LarderModel

/// A value in a configuration file, with its position.
struct ConfigurationNode {
  private let bytes: [UInt8]
  private let place: Int

  /// Creates a node for the root value of a file.
  ///
  /// - Throws: ``ConfigurationProblem`` if the file is not valid JSON; comments and trailing commas
  ///   are allowed.
  init(_ bytes: [UInt8]) throws(ConfigurationProblem) {
    var scanner = JSONScanner(bytes, isLenient: true)
    do throws(JSONParser.Failure) {
      try scanner.skipSpace()
      place = scanner.place
      try scanner.skipValue()
      try scanner.skipSpace()
      if scanner.next != nil { throw scanner.failure(.trailingText) }
    } catch {
      throw ConfigurationProblem(
        line: error.line, name: "", message: "\(error.reason); \(Messages.noSettingsApplied)")
    }
    self.bytes = bytes
  }

  private init(_ bytes: [UInt8], at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// The line number at which the value begins, from 1.
  var line: Int { bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1 }

  /// The string, or `nil` for any other value.
  var text: String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// The Boolean, or `nil` for any other value.
  var bool: Bool? {
    if case .bool(let bool) = value { bool } else { nil }
  }

  /// The members of an object in file order, or `nil` for any other value.
  var members: [(name: String, node: ConfigurationNode)]? {
    items(between: "{", and: "}")?.map { item in
      let name = ConfigurationNode(bytes, at: item.name.lowerBound).text ?? ""
      return (name, ConfigurationNode(bytes, at: item.value.lowerBound))
    }
  }

  /// The elements of an array, or `nil` for any other value.
  var elements: [ConfigurationNode]? {
    items(between: "[", and: "]")?.map { ConfigurationNode(bytes, at: $0.value.lowerBound) }
  }

  private var value: StoredValue? {
    var parser = JSONParser(JSONScanner(bytes, at: place, isLenient: true))
    return try? parser.value()
  }

  private func items(
    between opening: Unicode.Scalar, and closing: Unicode.Scalar
  ) -> [JSONItem]? {
    var scanner = JSONScanner(bytes, at: place, isLenient: true)
    guard scanner.next == UInt8(ascii: opening) else { return nil }
    do {
      var items: [JSONItem] = []
      try scanner.enter()
      while let item = try scanner.nextItem(
        before: UInt8(ascii: closing), isFirst: items.isEmpty)
      {
        items.append(item)
      }
      return items
    } catch {
      // The initializer has already validated the whole file.
      return nil
    }
  }
}
