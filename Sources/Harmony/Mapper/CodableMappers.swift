public import Foundation

/// A mapper from values to JSON.
public final class EncodableToDataMapper<T: Encodable>: Mapper<T, Data>, @unchecked Sendable {
  private let names: [String: String]

  /// Creates a mapper that may rename properties.
  ///
  /// - Parameter mapping: The names to write, by the names of the properties.
  public init(_ mapping: [String: String] = [:]) {
    names = mapping
  }

  /// Encodes the value.
  ///
  /// - Parameter from: The value.
  /// - Returns: Its JSON.
  /// - Throws: ``CoreError/DataSerialization`` if the value cannot be encoded.
  public override func map(_ from: T) throws -> Data {
    let encoder = JSONEncoder()
    if !names.isEmpty {
      encoder.keyEncodingStrategy = .custom { [names] in RenamedKey(last: $0, by: names) }
    }
    do {
      return try encoder.encode(from)
    } catch {
      throw CoreError.DataSerialization("Cannot encode \(T.self): \(error)")
    }
  }
}

/// A mapper from JSON to values.
public final class DataToDecodableMapper<T: Decodable>: Mapper<Data, T>, @unchecked Sendable {
  private let names: [String: String]

  /// Creates a mapper that may rename properties.
  ///
  /// - Parameter mapping: The names of the properties, by the names in the JSON.
  public init(_ mapping: [String: String] = [:]) {
    names = mapping
  }

  /// Decodes the value.
  ///
  /// - Parameter from: Its JSON.
  /// - Returns: The value.
  /// - Throws: ``CoreError/DataSerialization`` if the bytes are not JSON of the type.
  public override func map(_ from: Data) throws -> T {
    let decoder = JSONDecoder()
    if !names.isEmpty {
      decoder.keyDecodingStrategy = .custom { [names] in RenamedKey(last: $0, by: names) }
    }
    do {
      return try decoder.decode(T.self, from: from)
    } catch {
      throw CoreError.DataSerialization("Cannot decode \(T.self): \(error)")
    }
  }
}

/// A mapper between types that look the same as JSON.
public final class EncodableToDecodableMapper<E: Encodable, D: Decodable>: Mapper<E, D>,
  @unchecked Sendable
{
  private let encoder: EncodableToDataMapper<E>
  private let decoder = DataToDecodableMapper<D>()

  /// Creates a mapper that may rename properties.
  ///
  /// - Parameter mapping: The names of the target's properties, by those of the source's.
  public init(_ mapping: [String: String] = [:]) {
    encoder = EncodableToDataMapper(mapping)
  }

  /// Encodes the value and decodes the other one.
  ///
  /// - Parameter from: The value.
  /// - Returns: The value of the other type.
  /// - Throws: ``CoreError/DataSerialization`` if their properties do not fit.
  public override func map(_ from: E) throws -> D {
    try decoder.map(try encoder.map(from))
  }
}

/// A coding key that may have another name than the property.
private struct RenamedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(last path: [any CodingKey], by names: [String: String]) {
    let name = path.last?.stringValue ?? ""
    stringValue = names[name] ?? name
    intValue = path.last?.intValue
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
