import LarderModel
import LarderStores
import LarderStoreBase
import Testing

struct SeenKeysTests {
  @Test(arguments: [3, 50, 1_000])
  func `A repeated key is found immediately or at the end`(inMemory: Int) throws {
    var keys = SeenKeys(inMemory: inMemory)
    for line in 1...100 {
      #expect(try keys.insert(.text("key \(line)"), line: line))
    }
    #expect(try keys.repetition() == nil)
    #expect(keys.line(of: .text("key 1")) == 1)
    #expect(keys.line(of: .text("key 100")) == 100)
    #expect(keys.line(of: .text("none")) == nil)
    // A number is a different key from its digits.
    #expect(try keys.insert(.integer(7), line: 101))
    #expect(try keys.insert(.text("7"), line: 102))
    let isNew = try keys.insert(.text("key 20"), line: 103)
    guard isNew else {
      #expect(inMemory > 100)
      return
    }
    #expect(try keys.insert(.text("key 10"), line: 104))
    let found = try #require(try keys.repetition())
    #expect(found == (103, 20))
  }
}
