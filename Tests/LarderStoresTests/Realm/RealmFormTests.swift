import Foundation
import HarmonyRealm
import LarderModel
import Testing

@testable import LarderStores

/// The form of an object, which records types that its value cannot represent.
struct RealmFormTests {
  private func form(_ value: RealmValue, _ name: String = "v") -> String? {
    RealmForm.text(
      of: RealmObject(
        className: "C", objectKey: 0, primaryKey: nil, fields: [RealmObject.Field(name, value)]))
  }

  private func moment(_ seconds: Int64, _ nanoseconds: Int32) -> RealmValue {
    .timestamp(RealmTimestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test func `A date that its text represents exactly has no form`() {
    for (seconds, nanoseconds, text) in [
      (1_700_000_000, 0, "2023-11-14T22:13:20Z"),
      (1_700_000_000, 1_000_000, "2023-11-14T22:13:20.001Z"),
      (1_700_000_000, 123_000_000, "2023-11-14T22:13:20.123Z"),
      (0, -500_000_000, "1969-12-31T23:59:59.5Z"), (-1, 0, "1969-12-31T23:59:59Z"),
    ] as [(Int64, Int32, String)] {
      #expect(form(moment(seconds, nanoseconds)) == nil)
      let stored = moment(seconds, nanoseconds).stored
      #expect(JSONText.encode(stored) == #"{"date":"\#(text)"}"#)
    }
  }

  @Test func `A date with higher precision than its text has a form`() {
    #expect(form(moment(1_700_000_000, 123_456_789)) == "date:1700000000.123456789 /v")
    #expect(form(moment(-1_700_000_000, -123_456_789)) == "date:-1700000000.123456789 /v")
    #expect(form(moment(0, -1)) == "date:-0.000000001 /v")
    #expect(form(moment(.max, 0)) == "date:9223372036854775807 /v")
    #expect(form(moment(.min, -999_999_999)) == "date:-9223372036854775808.999999999 /v")
  }

  @Test func `Every value without a JSON equivalent is listed with its path`() throws {
    let id = try #require(RealmObjectID("0123456789abcdef01234567"))
    let decimal = RealmDecimal(isNegative: false, coefficient: 1, exponent: 0)
    let inner = RealmObject(
      className: "A; B", objectKey: 1, primaryKey: nil,
      fields: [RealmObject.Field("x/y", .decimal(decimal)), RealmObject.Field("z", .int(1))])
    #expect(form(.float(1.5)) == "float /v")
    #expect(form(.list([.int(1), .objectID(id)])) == "objectId /v/1")
    #expect(form(.set([.int(1), .float(2)])) == "set /v; float /v/1")
    #expect(form(.embedded(inner), "a b") == "embedded:A~2~3B /a~3b; decimal128 /a~3b/x~1y")
    #expect(
      form(.dictionary([RealmValue.Entry(key: .int(7), value: .float(0))]))
        == "integerKeys /v; float /v/7")
    for value in [RealmValue.int(1), .string("s"), .null, .double(1), .uuid(UUID()), .list([])] {
      #expect(form(value) == nil)
    }
  }
}
