import Foundation
import LarderModel
import LarderFormats
import Testing

/// Values as XML property lists for other programs.
struct PropertyListTextTests {
  @Test func `Foundation reads the output`() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let value = StoredValue.dictionary([
      .init(
        "list", .array([.integer(-1), .array([]), .text("a < b & \"c\" > d\r\n"), .bool(true)])),
      .init("ä & ö", .real(0.1)), .init("date", .date(date)), .init("data", .data([0, 255, 7])),
      .init("none", .null), .init("large", .number("18446744073709551615")),
      .init("inner", .dictionary([.init("x", .array([.dictionary([])]))])),
      .init("twice", .integer(1)), .init("twice", .integer(2)),
    ])
    let text = try PropertyListText.encode(value)
    let list = try PropertyListSerialization.propertyList(
      from: Data(text.utf8), options: [], format: nil)
    let members = try #require(list as? [String: Any])
    let elements = try #require(members["list"] as? [Any])
    #expect(elements.count == 4)
    #expect(elements.first as? Int == -1)
    #expect((elements[1] as? [Any])?.isEmpty == true)
    #expect(elements[2] as? String == "a < b & \"c\" > d\r\n")
    #expect(elements[3] as? Bool == true)
    #expect(members["ä & ö"] as? Double == 0.1)
    #expect(members["date"] as? Date == date)
    #expect(members["data"] as? Data == Data([0, 255, 7]))
    #expect(members["large"] as? UInt64 == .max)
    #expect(members["twice"] as? Int == 2)
    let inner = (members["inner"] as? [String: Any])?["x"] as? [Any]
    #expect((inner?.first as? [String: Any])?.isEmpty == true)
    #expect(Set(members.keys) == ["list", "ä & ö", "date", "data", "large", "inner", "twice"])
  }

  @Test(arguments: [
    StoredValue.null, .array([.null]), .text("\u{1}"), .number("18446744073709551616"),
    .dictionary([StoredValue.Field("a\u{0}", .bool(true))]), .text("\u{FFFE}"), .text("\u{FFFF}"),
    .dictionary([StoredValue.Field("\u{FFFE}", .bool(true))]),
  ])
  func `Values that XML property lists cannot represent are refused`(value: StoredValue) {
    #expect(throws: ValueText.Failure.self) { try PropertyListText.encode(value) }
  }

  @Test func `A carriage return is a reference, so readers do not normalize it to a line feed`()
    throws
  {
    let text = try PropertyListText.encode(
      .dictionary([StoredValue.Field("a\rb", .text("c\r\nd"))]))
    #expect(text.contains("<key>a&#13;b</key>") && text.contains("<string>c&#13;\nd</string>"))
  }
}
