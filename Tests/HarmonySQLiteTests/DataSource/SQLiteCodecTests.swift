import Foundation
import Harmony
import HarmonySQLite
import Testing

struct SQLiteCodecTests {
  private struct Point: Codable, Equatable, Sendable {
    var y: Double
    var x: Double
    var name: String?
  }

  private enum Color: String, Sendable {
    case red, green
  }

  private func comesBack<T: Equatable>(_ values: [T], _ codec: SQLiteCodec<T>) async throws {
    let file = try TestFile()
    let source = SQLiteDataSource(path: file.path, codec: codec)
    for (index, value) in values.enumerated() {
      try await source.put(value, forId: index).get()
      #expect(try await source.get(index).get() == value)
    }
    try await source.putAll(values, forId: "list").get()
    #expect(try await source.getAll("list").get() == values)
  }

  @Test func `Values of each type survive a round trip`() async throws {
    try await comesBack([.min, -1, 0, 1, .max], SQLiteCodec<Int>.direct)
    try await comesBack([0, .max], SQLiteCodec<UInt8>.direct)
    try await comesBack([.min, .max], SQLiteCodec<Int64>.direct)
    try await comesBack([0, -0.5, .pi, .infinity, 1e300], SQLiteCodec<Double>.direct)
    try await comesBack([0, -0.5, 0.1, .greatestFiniteMagnitude], SQLiteCodec<Float>.direct)
    try await comesBack([true, false], SQLiteCodec<Bool>.direct)
    try await comesBack(["", "a\0b", "é\u{1F980}"], SQLiteCodec<String>.direct)
    try await comesBack([Data(), Data([0, 255])], SQLiteCodec<Data>.direct)
    try await comesBack(
      [.now, .distantPast, Date(timeIntervalSinceReferenceDate: 0.1)], SQLiteCodec<Date>.direct)
    try await comesBack([UUID()], SQLiteCodec<UUID>.direct)
    try await comesBack(
      [URL(fileURLWithPath: "/a b"), try #require(URL(string: "https://a.b/c?d#e"))],
      SQLiteCodec<URL>.direct)
    try await comesBack([.null, .real(1), .blob([1])], SQLiteCodec<SQLiteValue>.direct)
    try await comesBack([Point(y: 1, x: 0.1, name: "/")], SQLiteCodec<Point>.json)
    try await comesBack([[1: "a"], [:]], SQLiteCodec<[Int: String]>.json)
    try await comesBack([.red, .green], SQLiteCodec<Color>.rawValue)
    try await comesBack(
      [1, 2],
      SQLiteCodec<Int>(
        toInMapper: ClosureMapper { .text(String($0)) },
        toOutMapper: ClosureMapper { value in
          guard case .text(let text) = value, let number = Int(text) else {
            throw CoreError.DataSerialization()
          }
          return number
        }))
  }

  @Test func `Values that SQLite cannot hold are refused`() {
    #expect(throws: CoreError.DataSerialization.self) { try Double.nan.sqliteValue() }
    #expect(throws: CoreError.DataSerialization.self) { try Float.nan.sqliteValue() }
    #expect(throws: CoreError.DataSerialization.self) { try SQLiteValue.real(.nan).sqliteValue() }
    #expect(throws: CoreError.DataSerialization.self) { try UInt64.max.sqliteValue() }
    #expect(throws: CoreError.DataSerialization.self) {
      try SQLiteCodec<Double>.json.encode(.infinity)
    }
  }

  @Test func `Values of the wrong type are refused, and never quoted`() throws {
    let secret = SQLiteValue.text("secret")
    let reads: [() throws -> Void] = [
      { _ = try Int.from(sqliteValue: secret) }, { _ = try Int.from(sqliteValue: .real(0.5)) },
      { _ = try UInt8.from(sqliteValue: .integer(256)) },
      { _ = try Bool.from(sqliteValue: .integer(2)) }, { _ = try Double.from(sqliteValue: .null) },
      { _ = try Double.from(sqliteValue: .integer(.max)) },
      { _ = try String.from(sqliteValue: .malformedText([0xFF])) },
      { _ = try Data.from(sqliteValue: secret) }, { _ = try Date.from(sqliteValue: secret) },
      { _ = try UUID.from(sqliteValue: secret) }, { _ = try URL.from(sqliteValue: .text("")) },
      { _ = try SQLiteCodec<Point>.json.decode(secret) },
      { _ = try SQLiteCodec<Point>.json.decode(.integer(1)) },
      { _ = try SQLiteCodec<Color>.rawValue.decode(secret) },
    ]
    for read in reads {
      let error = #expect(throws: CoreError.DataSerialization.self) { try read() }
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test func `JSON is text with sorted keys, and can also be read from a blob`() async throws {
    let codec = SQLiteCodec<Point>.json
    let point = Point(y: 1, x: 2)
    #expect(try codec.encode(point) == .text(#"{"x":2,"y":1}"#))
    #expect(try codec.decode(.blob(Array(#"{"y":1,"x":2}"#.utf8))) == point)
  }
}
