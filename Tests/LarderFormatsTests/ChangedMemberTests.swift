import Testing

@testable import LarderModel
@testable import LarderFormats

/// The member in which two values differ.
@Suite struct ChangedMemberTests {
  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, "b"),
    (#"{"a":{"x":[1,{"y":2}]}}"#, #"{"a":{"x":[1,{"y":3}]}}"#, "a.x[1].y"),
    // Several differences: the innermost value that contains them.
    (#"{"a":{"x":1,"y":2},"b":0}"#, #"{"a":{"x":3,"y":4},"b":0}"#, "a"),
    (#"{"a":1,"b":2}"#, #"{"a":2,"b":3}"#, nil),
    // An added or removed member or element.
    (#"{"a":1}"#, #"{"a":1,"b":2}"#, "b"), (#"{"a":1,"b":2}"#, #"{"b":2}"#, "a"),
    ("[1,2,3]", "[1,3]", "[1]"), ("[1,3]", "[1,2,3]", "[1]"), ("[]", "[1]", "[0]"),
    // A different type, name or order.
    (#"{"a":[1]}"#, #"{"a":{"b":1}}"#, "a"), (#"{"a":1}"#, #"{"b":1}"#, nil),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, nil),
    // Repeated names.
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, "a"),
    (#"{"a": 1}"#, #"{"a":1}"#, nil), (#"{"a":1}"#, "plain", nil), ("a", "b", nil), ("", "{}", nil),
  ])
  func itIsTheInnermostThatHoldsAllDifferences(before: String, after: String, name: String?) {
    #expect(ChangedMember.find(from: .text(before), to: .text(after)).member == name)
    let bytes = (before: StoredValue.data(Array(before.utf8)), after: Array(after.utf8))
    #expect(ChangedMember.find(from: bytes.before, to: .data(bytes.after)).member == name)
  }
}
