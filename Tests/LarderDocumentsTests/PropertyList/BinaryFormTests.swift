import Testing

@testable import LarderModel
@testable import LarderDocuments

/// The forms of values in binary property lists.
struct BinaryFormTests {
  @Test func `The forms of a large number of elements are marked in one pass`() {
    let count = 50_000
    let form = (0..<count).map { "real32 /\($0)" }.joined(separator: "; ")
    let marked = BinaryForm.marked(.array((0..<count).map { .real(Double($0)) }), form)
    guard case .array(let values) = marked else {
      Issue.record("an array became \(marked.type)")
      return
    }
    let marks = values.map { value -> BinaryForm? in
      guard case .record(let fields) = value else { return nil }
      return BinaryForm.marked(fields)?.form
    }
    #expect(marks == Array(repeating: .real32, count: count))
  }

  @Test func `Values inside a value with a form can have their own forms`() {
    let value = StoredValue.dictionary([
      .init("\u{E9}", .array([.array([.real(1)]), .real(2)])), .init("e\u{301}", .real(3)),
    ])
    let marked = BinaryForm.marked(
      value, "set /\u{E9}/0; real32 /\u{E9}/0/0; real32 /e\u{301}; set /x")
    guard case .dictionary(let fields) = marked, case .array(let values) = fields[0].value,
      case .record(let set) = values[0], case .record(let single) = fields[1].value
    else {
      Issue.record("not marked: \(marked)")
      return
    }
    #expect(BinaryForm.marked(set)?.form == .set)
    #expect(values[1] == .real(2))
    #expect(BinaryForm.marked(single)?.form == .real32)
  }
}
