import Foundation
import Testing

@testable import HarmonyInspection

/// The hand-written JSON serialization, compared with the encoder's.
@Suite struct AnswerTextTests {
  private func entry(_ number: Int, _ value: InspectedValue?) -> InspectedEntry {
    var entry = InspectedEntry(
      key: "key \(number) \"\\\u{1}\u{7F}é\u{1F600}/", value: value, size: number)
    if number.isMultiple(of: 2) {
      entry.cached = InspectedEntry.CachedState(
        age: Double(number) * 1e-7, timeToLive: 1e18, hits: number, lastUsed: -0.5, cost: .max)
      if number > 0 {
        entry.cached?.stored = 1_790_000_000.123_456_7
        entry.cached?.expires = InspectedEntry.CachedState.never
      }
    }
    return entry
  }

  @Test func `Lists of entries survive a round trip`() throws {
    var answer = InspectionAnswer(id: .max)
    answer.isCut = true
    answer.entries = [
      entry(0, .text("")), entry(1, .text("a\nb\t\"c\"\\\0")), entry(2, .json(#"{"a":[1,"é"]}"#)),
      entry(3, .data(Data([0, 255, 254, 1]))), entry(4, .data(Data())), entry(5, nil),
      entry(6, .list([.text("x"), .list([]), .data(Data([1]))])), entry(-7, .list([])),
    ]
    let bytes = try #require(AnswerText(answer)).bytes
    #expect(try JSONDecoder().decode(InspectionAnswer.self, from: Data(bytes)) == answer)
    answer.entries = []
    #expect(
      try JSONDecoder().decode(
        InspectionAnswer.self, from: Data(try #require(AnswerText(answer)).bytes)) == answer)
  }

  @Test func `Lists of keys survive a round trip`() throws {
    var answer = InspectionAnswer(id: 7)
    answer.keys = ["", "a", "\"", "\u{2028}", "e\u{301}", "\u{E9}"]
    let bytes = try #require(AnswerText(answer)).bytes
    let read = try JSONDecoder().decode(InspectionAnswer.self, from: Data(bytes))
    #expect(
      read.keys.map { $0.map { Array($0.utf8) } } == answer.keys.map { $0.map { Array($0.utf8) } })
    #expect(read.id == 7)
    #expect(read.isCut == nil)
  }

  @Test func `Answers that only the encoder supports are left to it`() {
    #expect(AnswerText(InspectionAnswer(id: 1)) == nil)
    var answer = InspectionAnswer(id: 1)
    answer.entries = []
    answer.count = 3
    #expect(AnswerText(answer) == nil)
    answer.count = nil
    answer.entries = [
      InspectedEntry(
        key: "a", value: nil, size: 0,
        cached: .init(age: .infinity, timeToLive: 0, hits: 0, lastUsed: 0, cost: 0))
    ]
    #expect(AnswerText(answer) == nil)
    answer.entries?[0].cached?.age = 0
    #expect(AnswerText(answer) != nil)
    answer.entries?[0].cached?.expires = .infinity
    #expect(AnswerText(answer) == nil)
  }
}
