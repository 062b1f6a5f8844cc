public import Foundation

/// A mapper from data to a Base64 string.
public final class DataToBase64StringMapper: Mapper<Data, String>, @unchecked Sendable {
  /// Encodes the data.
  public override func map(_ from: Data) throws -> String {
    from.base64EncodedString()
  }
}

/// A mapper from a Base64 string to data.
public final class Base64StringToDataMapper: Mapper<String, Data>, @unchecked Sendable {
  /// Decodes the string.
  ///
  /// - Parameter from: The string.
  /// - Returns: The data.
  /// - Throws: ``CoreError/Failed`` if the string is not Base64.
  public override func map(_ from: String) throws -> Data {
    guard let data = Data(base64Encoded: from) else {
      throw CoreError.Failed.notBase64
    }
    return data
  }
}

/// A mapper from data to a lowercase hexadecimal string.
public final class DataToHexStringMapper: Mapper<Data, String>, @unchecked Sendable {
  /// Encodes the data.
  public override func map(_ from: Data) throws -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(from.count * 2)
    for byte in from {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A mapper from a hexadecimal string, in either case, to data.
public final class HexStringToDataMapper: Mapper<String, Data>, @unchecked Sendable {
  /// Decodes the string.
  ///
  /// - Parameter from: The string.
  /// - Returns: The data.
  /// - Throws: ``CoreError/Failed`` if there is an invalid character or an odd number of digits.
  public override func map(_ from: String) throws -> Data {
    let digits = from.utf8.compactMap(Self.value(of:))
    guard digits.count == from.utf8.count, digits.count.isMultiple(of: 2) else {
      throw CoreError.Failed.notHexadecimal
    }
    return Data(
      stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// A mapper from a string to UTF-8.
public final class StringToDataMapper: Mapper<String, Data>, @unchecked Sendable {
  /// Encodes the string.
  public override func map(_ from: String) throws -> Data {
    Data(from.utf8)
  }
}

/// A mapper from UTF-8 to a string.
public final class DataToStringMapper: Mapper<Data, String>, @unchecked Sendable {
  /// Decodes the data.
  ///
  /// - Parameter from: The data.
  /// - Returns: The string, including any leading byte order mark.
  /// - Throws: ``CoreError/DataSerialization`` if the data is not valid UTF-8.
  public override func map(_ from: Data) throws -> String {
    // Foundation would remove a leading byte order mark.
    guard let text = String(validating: from, as: UTF8.self) else {
      throw CoreError.DataSerialization.notUTF8
    }
    return text
  }
}
