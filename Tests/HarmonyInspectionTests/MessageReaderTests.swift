import Foundation
import HarmonyTesting
import Testing

@testable import HarmonyInspection

@Suite struct MessageReaderTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Messages survive transmission in pieces of any size`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let messages = (0..<20).map { _ in
      Data(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
    var stream = try messages.flatMap { try MessageReader.frame($0, limit: 40) }[...]
    var reader = MessageReader(limit: 40)
    var found: [Data] = []
    while !stream.isEmpty {
      let count = min(stream.count, Int.random(in: 1...60, using: &random))
      reader.append(stream.prefix(count))
      stream = stream.dropFirst(count)
      while let message = try reader.next() { found.append(message) }
    }
    #expect(found == messages)
    #expect(!reader.isWithin)
  }

  @Test func `The message limit applies to both sides`() throws {
    #expect(throws: InspectionError.tooLarge(limit: 3)) {
      try MessageReader.frame(Data(count: 4), limit: 3)
    }
    var reader = MessageReader(limit: 3)
    reader.append([0, 0, 0, 4])
    #expect(throws: InspectionError.tooLarge(limit: 3)) { try reader.next() }
  }

  @Test func `Truncated values end at a scalar boundary or after the first elements`() {
    #expect(InspectedValue.text("aé\u{1F600}").prefix(2) == .text("a"))
    #expect(InspectedValue.text("aé\u{1F600}").prefix(3) == .text("aé"))
    #expect(InspectedValue.text("aé\u{1F600}").prefix(6) == .text("aé"))
    #expect(InspectedValue.text("aé").prefix(-1) == .text(""))
    #expect(InspectedValue.json("[1,2]").prefix(5) == .json("[1,2]"))
    #expect(InspectedValue.json("[1,2]").prefix(2) == .text("[1"))
    #expect(InspectedValue.data(Data([1, 2])).prefix(1) == .data(Data([1])))
  }
}
