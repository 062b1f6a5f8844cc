import TestSamples
@testable import LarderModel
@testable import LarderBrowser
import Testing

/// Differences beyond the visible part of a value, which are reported too.
@Suite struct WholeComparisonTests {
  private func compare(_ left: StoredValue, _ right: StoredValue) -> ValueComparison {
    ValueComparison(left, right, names: .two("a", "b"))
  }

  private func different(_ comparison: ValueComparison) -> [ValueComparison.Row] {
    comparison.rows.filter(\.isDifferent)
  }

  @Test func `A column of bytes that differs at its end counts as different`() {
    func row(_ time: Int64, _ last: UInt8) -> StoredValue {
      .record([
        .init("id", .integer(1)), .init("updated_at", .integer(time)),
        .init("name", .text("Ada")),
        .init("image", .data([UInt8](repeating: 7, count: 4_999) + [last])),
      ])
    }
    let rows = different(compare(row(1, 1), row(2, 2)))
    #expect(rows.count == 2)
    #expect(rows.last?.left?.text.hasSuffix("differs from byte 5,000 on") == true)
    #expect(different(compare(row(1, 1), row(2, 1))).count == 1)
  }

  @Test func `A column of long text that differs beyond its visible part counts as different`() {
    func row(_ last: String) -> StoredValue {
      .record([
        .init("id", .text(last)), .init("text", .text(String(repeating: "x", count: 9_000) + last)),
      ])
    }
    let rows = different(compare(row("a"), row("b")))
    #expect(rows.count == 2)
    #expect(rows.last?.right?.text.hasSuffix("differs from byte 9,001 on") == true)
  }

  @Test func `Text is compared beyond the limits of other views`() {
    var lines = (0..<30_000).map { "line \($0) of a text with something on each of its lines" }
    let left = lines
    lines[0] += "!"
    lines[20_000] += "?"
    let comparison = compare(
      .text(left.joined(separator: "\n")), .text(lines.joined(separator: "\n")))
    #expect(different(comparison).count == 2)
    #expect(comparison.rows.count == 30_000)
  }

  @Test func `Long lines differ beyond their visible part`() {
    let start = String(repeating: "x", count: 3_000)
    let rows = different(compare(.text("a\n\(start)1"), .text("b\n\(start)2")))
    #expect(rows.count == 2)
    #expect(rows.last?.left?.text.hasSuffix("(3,001 bytes) … differs from byte 3,001 on") == true)
  }

  @Test func `Different line endings are differences`() {
    let rows = different(compare(.text("one\r\ntwo\r\nthree\r\n"), .text("one\n2\nthree\n")))
    #expect(rows.count == 3)
    #expect(rows.first?.left?.text == "one\r")
    let same = compare(.text("one\r\ntwo\r\n"), .text("one\r\n2\r\n"))
    #expect(different(same).count == 1)
    #expect(same.rows.first?.left?.text == "one")
    #expect(different(same).first?.left?.text == "two")
  }

  @Test func `Lines beyond the limit are summarized and count if they differ`() {
    let lines = (0..<(ComparisonExtent.view.lines + 100)).map { "line \($0)" }
    var others = lines
    others[0] = "first"
    func text(_ lines: [String]) -> StoredValue { .text(lines.joined(separator: "\n")) }
    let same = compare(text(lines), text(others))
    #expect(different(same).count == 1)
    #expect(same.rows.last?.isNote == true)
    #expect(same.rows.last?.left?.text.hasSuffix("and the same") == true)
    others[others.count - 1] = "last"
    let rows = different(compare(text(lines), text(others)))
    #expect(rows.count == 2)
    #expect(rows.last?.isNote == true)
    #expect(rows.last?.right?.text.hasSuffix("and differ") == true)
  }

  @Test func `Structures are compared beyond their visible lines`() {
    func value(_ first: Int64, _ last: Int64) -> StoredValue {
      .array([.integer(first)] + Array(repeating: .integer(0), count: 60_000) + [.integer(last)])
    }
    #expect(different(compare(value(1, 1), value(2, 1))).count == 1)
    #expect(different(compare(value(1, 1), value(2, 2))).count == 2)
    #expect(different(compare(value(1, 1), value(1, 2))).count == 1)
  }

  @Test func `A conflict reports differences beyond its visible lines`() {
    let lines = (0..<600).map { "line \($0)" }
    func text(_ first: String, _ last: String) -> StoredValue {
      .text(([first] + lines + [last]).joined(separator: "\n"))
    }
    let comparison = ValueComparison(
      before: text("a", "z"), theirs: text("b", "y"), mine: text("c", "z"), missingMine: "delete")
    #expect(different(comparison).count == 2)
    let same = ValueComparison(
      before: text("a", "z"), theirs: text("b", "z"), mine: text("c", "z"), missingMine: "delete")
    #expect(different(same).count == 1)
  }

  @Test func `Different formatting of a structure is reported`() {
    let comparison = compare(.text(#"{"a":1,"b":2}"#), .text("{\n  \"a\": 1,\n  \"b\": 3\n}"))
    #expect(different(comparison).count == 2)
    #expect(comparison.rows.last?.isNote == true)
    let compact = compare(.text(#"{"a":1}"#), .text(#"{"a":2}"#))
    #expect(compact.rows.contains(where: \.isNote) == false)
    #expect(different(compare(.text(#"{"a":1}"#), .text(#"{"a": 1}"#))).count == 1)
  }

  @Test func `Entries with different forms are reported`() {
    func entry(_ form: String?) -> Entry {
      Entry(key: .text("a"), value: .integer(1), form: form)
    }
    func model(_ left: String?, _ right: String?) -> ComparisonModel {
      ComparisonModel(title: "", ("a", entry(left)), ("b", entry(right)))
    }
    let long = model("long", nil)
    #expect(!long.areSame)
    #expect(different(long.comparison).map { $0.left?.text } == [Messages.form("long")])
    #expect(different(long.comparison).map { $0.right?.text } == [Messages.form(nil)])
    #expect(model("long", "long").areSame)
    let time = model(
      "mode 644 owner 0 modified 1.5 flags x", "mode 644 owner 0 modified 2.5 flags x")
    #expect(time.areSame)
    #expect(!model("mode 644 modified 1.5", "mode 600 modified 1.5").areSame)
  }

  @Test func `Every different column of random rows is counted`() {
    var random = SampleGenerator()
    for _ in 0..<200 {
      let count = Int.random(in: 1...8, using: &random)
      let left = (0..<count).map { StoredValue.Field("c\($0)", value(&random)) }
      var right = left
      var changed = 0
      for place in right.indices where Bool.random(using: &random) {
        right[place].value = nearby(right[place].value, &random)
        changed += right[place] == left[place] ? 0 : 1
      }
      let comparison = compare(.record(left), .record(right))
      let rows = different(comparison)
      #expect(rows.filter { !$0.isNote }.count == changed, "seed \(random.seed): \(left) \(right)")
      #expect(rows.isEmpty == (left == right), "seed \(random.seed)")
      for row in rows { #expect(row.left?.text != row.right?.text || row.isNote || isSaid(row)) }
    }
  }

  @Test func `Every different line of random texts is counted`() {
    var random = SampleGenerator()
    for _ in 0..<100 {
      let left = (0..<Int.random(in: 1...40, using: &random)).map {
        "\($0) " + String(repeating: "x", count: Int.random(in: 0...2_500, using: &random))
      }
      var right = left
      var changed = 0
      for place in right.indices where Int.random(in: 0..<4, using: &random) == 0 {
        right[place] +=
          ["\r", "y", " ", "\u{301}", String(repeating: "z", count: 2_000)]
          .randomElement(using: &random) ?? ""
        changed += 1
      }
      let comparison = compare(
        .text(left.joined(separator: "\n")), .text(right.joined(separator: "\n")))
      #expect(different(comparison).count == changed, "seed \(random.seed)")
    }
  }

  private func isSaid(_ row: ValueComparison.Row) -> Bool {
    row.left?.text.contains("differs from byte") == true
  }

  private func value(_ random: inout SampleGenerator) -> StoredValue {
    let size = Int.random(in: 0...5_000, using: &random)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: 0..<3, using: &random))
    case 2: .text(String(repeating: "é", count: size))
    case 3: .data([UInt8](repeating: 1, count: size))
    case 4: .array([.text(String(repeating: "a", count: size)), .bool(true)])
    default: .real(0.5)
    }
  }

  /// Returns the value itself or a copy with a different end.
  private func nearby(_ value: StoredValue, _ random: inout SampleGenerator) -> StoredValue {
    let isSame = Int.random(in: 0..<4, using: &random) == 0
    if isSame { return value }
    return switch value {
    case .null: .text("null")
    case .integer(let number): .text("\(number)")
    case .text(let text): .text(text + "\r")
    case .data(let bytes): .data(bytes.dropLast() + [9])
    case .array(let values): .array(values + [.null])
    default: .real(0.25)
    }
  }
}
