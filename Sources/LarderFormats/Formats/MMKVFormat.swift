import LarderModel

extension ValueFormat {
  /// The possible values of bytes that MMKV stored without their type.
  static let mmkv = opening(
    name: "mmkv", shows: "numbers and strings that MMKV stored",
    suits: { value in
      guard case .data(let bytes) = value, bytes.count <= DecodedStructure.maximumSize else {
        return 0
      }
      return mmkvReadings(of: bytes).isEmpty ? 0 : 1
    },
    { value in
      DecodedValue(
        .record(mmkvReadings(of: bytes(of: value))),
        head: Messages.mmkv, as: record)
    })

  /// Returns the values that are stored as the bytes, by the names of their types.
  private static func mmkvReadings(of bytes: [UInt8]) -> [StoredValue.Field] {
    func read<Value>(
      _ body: (inout ByteCursor) throws(FormatError) -> Value
    ) -> Value? {
      var cursor = ByteCursor(bytes[...])
      guard let value = try? body(&cursor), cursor.left == 0 else { return nil }
      return value
    }
    var readings: [StoredValue.Field] = []
    if let bits = read({ cursor throws(FormatError) in try cursor.varint() }) {
      readings.append(.init("integer", .integer(Int64(bitPattern: bits))))
      if bits <= 1 { readings.append(.init("bool", .bool(bits == 1))) }
    }
    if let bits = read({ cursor throws(FormatError) in try cursor.little(UInt32.self) }),
      case let number = Float(bitPattern: bits), number == 0 || number.isUsual
    {
      readings.append(.init("float", StoredValue(number)))
    }
    if let bits = read({ cursor throws(FormatError) in try cursor.little(UInt64.self) }),
      case let number = Double(bitPattern: bits), number == 0 || number.isUsual
    {
      readings.append(.init("double", .real(number)))
    }
    if let inside = read({ cursor throws(FormatError) in try cursor.counted() }) {
      readings.append(.init("string", StoredValue(stringBytes: inside)))
      if let strings = strings(in: inside) { readings.append(.init("strings", .array(strings))) }
    }
    return readings
  }

  /// Returns the strings of a set, or nil if the bytes are not one.
  private static func strings(in bytes: ArraySlice<UInt8>) -> [StoredValue]? {
    var cursor = ByteCursor(bytes)
    var strings: [StoredValue] = []
    while cursor.left > 0 {
      guard let string = try? cursor.counted(),
        let text = String(validating: string, as: UTF8.self)
      else { return nil }
      strings.append(.text(text))
    }
    return strings.isEmpty ? nil : strings
  }
}
