import Foundation
import HarmonyTesting
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// The rows of values of every size and shape.
@Suite struct ValueRowsTests {
  /// Returns a model that has received a value.
  private func model(_ value: StoredValue, format: String? = nil, width: Int = 20) -> ValueModel {
    var model = ValueModel(key: .text("a"), token: 1, width: width)
    model.receive(.success(Entry(key: .text("a"), value: value)))
    var turns = 0
    while let format, model.format != format, turns < 10 {
      model.changeFormat()
      turns += 1
    }
    // Performs the background jobs.
    while let job = model.jobs.first {
      model.jobs.removeFirst()
      _ = model.perform(job)
    }
    return model
  }

  private func rows(_ model: ValueModel) -> [String] {
    (0..<model.rowCount).map { model.line(at: $0).text }
  }

  @Test func `Text is wrapped at line feeds and at the width`() {
    #expect(rows(model(.text(""))) == [""])
    #expect(rows(model(.text("a\n"))) == ["a", ""])
    #expect(rows(model(.text("a\r\nb"))) == ["a", "b"])
    let long = String(repeating: "0123456789", count: 5)
    #expect(
      rows(model(.text(long))) == ["01234567890123456789", "01234567890123456789", "0123456789"])
    #expect(rows(model(.text("李小龍李小龍李小龍李小龍"))) == ["李小龍李小龍李小龍李", "小龍"])
    #expect(rows(model(.text(String(repeating: "e\u{301}", count: 21)))).map(\.count) == [20, 1])
  }

  @Test func `Thousands of combining marks are split into several rows`() {
    let marks = String(repeating: "\u{301}", count: 10_000)
    let shown = rows(model(.text("a" + marks + "b")))
    #expect(shown.joined().utf8.elementsEqual(("a" + marks + "b").utf8))
    #expect(shown.allSatisfy { $0.unicodeScalars.count <= 100 })
    // More marks than in any real word still fit in one row.
    #expect(rows(model(.text("e" + String(repeating: "\u{301}", count: 20)))).count == 1)
  }

  @Test func `Rows of random text add up to the text`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "bc ", "\n", "é", "e\u{301}", "李", "👩‍👩‍👧", "\u{1B}", "x\ty", "\u{FEFF}"]
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...120, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let width = Int.random(in: 4...30, using: &random)
      let shown = rows(model(.text(text), format: "text", width: width)).joined()
      #expect(shown.utf8.elementsEqual(text.replacing("\n", with: "").utf8), "seed \(seed)")
    }
  }

  @Test func `A value of several megabytes is shown to its end`() throws {
    let text = (0..<200_000).map { "line \($0)" }.joined(separator: "\n")
    var bench = Bench.ready(value: .text(text))
    bench.command("open")
    #expect((bench.state.value?.rowCount ?? 0) < 20_000)
    bench.command("last")
    // The rows are computed in the background.
    let work = try bench.first(RunValueJob.self)
    var model = work.model
    let finding = model.perform(work.job)
    bench.answer(work, .init(model, finding))
    #expect(bench.state.value?.rowCount == 200_000)
    #expect(bench.state.value.map { $0.line(at: $0.rowCount - 1).text } == "line 199999")
    bench.command("page-up")
    #expect(bench.state.value?.cursor.top == 199_981)
  }

  @Test func `All bytes are shown`() {
    let bytes = model(.data([UInt8](repeating: 7, count: 5_000_000)), width: 80)
    #expect(bytes.rowCount == 312_500)
    #expect(bytes.line(at: 312_499).text.hasPrefix("004c4b30  07 07"))
  }

  @Test func `A long string in a tree is on several rows`() {
    let shown = rows(model(.dictionary([.init("a", .text(String(repeating: "x", count: 30)))])))
    #expect(shown == ["{", "  \"a\": \"xxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxx\"", "}"])
  }

  @Test func `A huge tree opens folded and counts omitted rows`() {
    let member = StoredValue.array(Array(repeating: .integer(1), count: 2_000))
    let wide = rows(model(.array(Array(repeating: member, count: 200))))
    #expect(wide.count == 202)
    #expect(wide[1] == "  […],  2,000 elements")
    let long = rows(model(.array(Array(repeating: .integer(1), count: 150_000))))
    #expect(long.count < 100_010)
    #expect(long.suffix(2) == ["  … 50,001 of 150,000 are not shown", "]"])
  }

  @Test func `A deeply nested tree is shown`() {
    var value = StoredValue.integer(1)
    for _ in 0..<200 { value = .array([value]) }
    #expect(rows(model(value, width: 80)).count == 401)
  }

  @Test func `Numbers that may be timestamps show their date`() {
    func note(_ value: StoredValue) -> String? {
      let shown = model(.record([.init("a", value)]), width: 200).line(at: 0)
      return shown.parts.last { $0.role == .note }?.text.trimmingCharacters(in: .whitespaces)
    }
    #expect(note(.integer(1_700_000_000)) == "2023-11-14T22:13:20Z")
    #expect(note(.integer(1_700_000_000_123)) == "2023-11-14T22:13:20.123Z")
    #expect(note(.integer(1_700_000_000_123_456)) == "2023-11-14T22:13:20.123456Z")
    #expect(note(.integer(1_700_000_000_123_456_789)) == "2023-11-14T22:13:20.123456789Z")
    #expect(note(.integer(1_700_000_000_000)) == "2023-11-14T22:13:20Z")
    #expect(note(.real(1_700_000_000.5)) == "2023-11-14T22:13:20.5Z")
    #expect(note(.real(721_692_800.25)) == "2023-11-14T22:13:20.25Z since 2001")
    #expect(note(.integer(721_692_800)) == "2023-11-14T22:13:20Z if since 2001")
    #expect(note(.real(1_790_000_105.7547486)) == "2026-09-21T14:15:05.754749Z")
    #expect(note(.integer(13_344_473_600_123_456)) == "2023-11-14T22:13:20.123456Z since 1601")
    #expect(note(.integer(133_444_736_000_000_000)) == "2023-11-14T22:13:20Z since 1601")
    #expect(note(.integer(638_355_968_000_000_000)) == "2023-11-14T22:13:20Z since year 1")
    #expect(note(.text("1700000000")) == "2023-11-14T22:13:20Z")
    for other in [
      StoredValue.integer(42), .integer(252_460_799), .integer(978_307_200), .real(3.14),
      .text("1700000000 apples"), .text("170"), .integer(.max), .integer(.min), .real(.infinity),
      .real(.nan), .real(1e300),
    ] { #expect(note(other) == nil, "\(other)") }
  }

  @Test func `UUIDs show their version`() throws {
    let id = try #require(UUID(uuidString: "6F9619FF-8B86-4011-B42D-00C04FC964FF"))
    let text = model(.text(id.uuidString), width: 200)
    #expect(rows(text) == ["\(id.uuidString)  UUID of version 4"])
    let timed = "018bcfe5-6800-7000-8000-000000000000"
    #expect(
      rows(model(.text(timed), width: 200)) == ["\(timed)  UUID of version 7, 2023-11-14T22:13:20Z"]
    )
    let first = "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"
    #expect(rows(model(.text(first), width: 200))[0].contains("version 1, 2019-03-06T"))
    let bytes = withUnsafeBytes(of: id.uuid) { Array($0) }
    let shown = model(.record([.init("id", .data(bytes))]), width: 200).line(at: 0).text
    #expect(shown.hasSuffix("\(id.uuidString), UUID of version 4"))
    #expect(rows(model(.data(bytes), width: 200))[0] == "\(id.uuidString)  UUID of version 4")
    let random = model(.record([.init("id", .data([UInt8](repeating: 0xFF, count: 16)))]))
    #expect(!random.line(at: 0).text.contains("UUID"))
  }

  @Test func `A byte is shown as every kind of number`() {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x00, 0x80, 0, 0, 0, 0, 1]
    let shown = ByteInspector.lines(bytes, at: 0).map(\.text)
    #expect(shown.count == ByteInspector.lineCount(width: 80))
    #expect(shown[1] == "8     255  -1  11111111")
    let narrow = ByteInspector.lines(bytes, at: 0, width: 35).map(\.text)
    #expect(narrow.count == ByteInspector.lineCount(width: 35))
    #expect(narrow[2...3] == ["16  le 65279  -257", "16  be 65534  -2"])
    #expect(shown[2].hasPrefix("u16   le 65279 ") && shown[2].hasSuffix("be 65534"))
    #expect(shown[3].hasPrefix("i16   le -257 ") && shown[3].hasSuffix("be -2"))
    #expect(shown[4].hasPrefix("u32   le 2147548927 "))
    #expect(shown[5].hasPrefix("i32   le -2147418369 "))
    #expect(ByteInspector.lines(bytes, at: 8).last?.text.contains("–") == true)
    #expect(ByteInspector.lines(bytes, at: 9).isEmpty)
    let seconds: [UInt8] = [0x00, 0xF1, 0x53, 0x65]
    #expect(ByteInspector.lines(seconds, at: 0).last?.text.contains("2023-11-14T22:13:20Z") == true)
  }

  @Test func `Every offset of random bytes can be read`() {
    var random = SeededGenerator(seed: .random(in: .min ... .max))
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      for place in -1...bytes.count {
        for width in [20, 80] { _ = ByteInspector.lines(bytes, at: place, width: width) }
      }
    }
  }
}
