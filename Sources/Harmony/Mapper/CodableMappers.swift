public import Foundation

/// A mapper from values to JSON.
public final class EncodableToDataMapper<T: Encodable>: Mapper<T, Data>, @unchecked Sendable {
  private let names: [String: String]

  /// Creates a mapper that can rename properties.
  ///
  /// - Parameter mapping: The names to write, by the names of the properties.
  public init(_ mapping: [String: String] = [:]) {
    names = mapping
  }

  /// Encodes the value.
  ///
  /// - Parameter from: The value.
  /// - Returns: The value as JSON.
  /// - Throws: ``CoreError/DataSerialization`` if the value cannot be encoded, or if two properties
  ///   of an object get the same name, so that one would be lost.
  public override func map(_ from: T) throws -> Data {
    let encoder = JSONEncoder()
    let renaming = Renaming(names)
    if let renaming { encoder.keyEncodingStrategy = .custom { renaming.key($0) } }
    do {
      let data = try encoder.encode(from)
      try renaming?.check()
      return data
    } catch {
      throw CoreError.DataSerialization("Cannot encode \(T.self): \(error)")
    }
  }
}

/// A mapper from JSON to values.
public final class DataToDecodableMapper<T: Decodable>: Mapper<Data, T>, @unchecked Sendable {
  private let names: [String: String]

  /// Creates a mapper that can rename properties.
  ///
  /// - Parameter mapping: The names of the properties, by the names in the JSON.
  public init(_ mapping: [String: String] = [:]) {
    names = mapping
  }

  /// Decodes the value.
  ///
  /// - Parameter from: The value as JSON.
  /// - Returns: The value.
  /// - Throws: ``CoreError/DataSerialization`` if the bytes are not valid JSON of the type, or if
  ///   two names in an object map to the same property, which would be ambiguous.
  public override func map(_ from: Data) throws -> T {
    let decoder = JSONDecoder()
    let renaming = Renaming(names)
    if let renaming { decoder.keyDecodingStrategy = .custom { renaming.key($0) } }
    do {
      let value = try decoder.decode(T.self, from: from)
      try renaming?.check()
      return value
    } catch {
      throw CoreError.DataSerialization("Cannot decode \(T.self): \(error)")
    }
  }
}

/// A mapper between types with the same JSON representation.
public final class EncodableToDecodableMapper<E: Encodable, D: Decodable>: Mapper<E, D>,
  @unchecked Sendable
{
  private let encoder: EncodableToDataMapper<E>
  private let decoder = DataToDecodableMapper<D>()

  /// Creates a mapper that can rename properties.
  ///
  /// - Parameter mapping: The names of the target's properties, by those of the source's.
  public init(_ mapping: [String: String] = [:]) {
    encoder = EncodableToDataMapper(mapping)
  }

  /// Encodes the value and decodes it as the other type.
  ///
  /// - Parameter from: The value.
  /// - Returns: The value of the other type.
  /// - Throws: ``CoreError/DataSerialization`` if their properties do not match.
  public override func map(_ from: E) throws -> D {
    try decoder.map(try encoder.map(from))
  }
}

/// A renaming of coding keys that detects collisions in an object.
private final class Renaming: Sendable {
  private struct Found {
    /// The original keys by the path of their object and their new name.
    var keys: [[String]: String] = [:]
    var flaw: String?
  }

  private let names: [String: String]
  /// The new names; all other names are only used by their own keys.
  private let targets: Set<String>
  private let found = Locked(Found())

  /// Creates a renaming; nil if there are no new names.
  init?(_ names: [String: String]) {
    if names.isEmpty { return nil }
    self.names = names
    targets = Set(names.values)
  }

  /// Returns the last key of a path with its new name.
  func key(_ path: [any CodingKey]) -> any CodingKey {
    guard let last = path.last else { return RenamedKey(stringValue: "") }
    let name = last.stringValue
    let key = RenamedKey(names[name] ?? name, last.intValue)
    guard targets.contains(key.stringValue) else { return key }
    let place = path.dropLast().map(\.stringValue) + [key.stringValue]
    found.withLock { found in
      let other = found.keys.updateValue(name, forKey: place)
      if let other, other != name {
        found.flaw = found.flaw ?? "\(other) and \(name) both get the name \(key.stringValue)"
      }
    }
    return key
  }

  /// Throws an error if there was a collision.
  ///
  /// - Throws: `RenamingFlaw` for the first collision.
  func check() throws {
    if let flaw = found.withLock({ $0.flaw }) { throw RenamingFlaw(description: flaw) }
  }
}

private struct RenamingFlaw: Error, CustomStringConvertible {
  let description: String
}

/// A coding key whose name may differ from that of the property.
private struct RenamedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ stringValue: String, _ intValue: Int?) {
    (self.stringValue, self.intValue) = (stringValue, intValue)
  }

  init(stringValue: String) {
    self.init(stringValue, nil)
  }

  init(intValue: Int) {
    self.init(String(intValue), intValue)
  }
}
