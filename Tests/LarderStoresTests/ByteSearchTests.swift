import Foundation
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Byte search, compared with a naive search.
@Suite struct ByteSearchTests {
  private static func occurs(_ needle: [UInt8], in haystack: [UInt8], ignoringCase: Bool) -> Bool {
    func fold(_ byte: UInt8) -> UInt8 {
      ignoringCase && (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }
    guard needle.count <= haystack.count else { return false }
    return (0...(haystack.count - needle.count)).contains { start in
      needle.indices.allSatisfy { fold(haystack[start + $0]) == fold(needle[$0]) }
    }
  }

  @Test(arguments: [false, true])
  func `The search agrees with a naive comparison at every offset`(ignoringCase: Bool) {
    var generator = SystemRandomNumberGenerator()
    // Few distinct bytes, so that long partial matches are common.
    let bytes = Array("aAbBzZ7 é[{".utf8) + [0, 0xFF]
    var found = 0
    for _ in 0..<20_000 {
      func some(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &generator)).map { _ in
          bytes[Int.random(in: 0..<bytes.count, using: &generator)]
        }
      }
      let haystack = some(0...40)
      let needle = some(0...4)
      let search = ByteSearch(needle, ignoringCase: ignoringCase)
      let occurs = haystack.withUnsafeBytes { search.occurs(in: $0) }
      let isExpected = Self.occurs(needle, in: haystack, ignoringCase: ignoringCase)
      #expect(occurs == isExpected, "\(needle) in \(haystack)")
      found += occurs ? 1 : 0
    }
    #expect(found > 1_000)
  }

  @Test func `Matches at the start, at the end and of the whole text are distinguished`() {
    let search = ByteSearch(Array("ab".utf8), ignoringCase: true)
    for (text, places) in [
      ("AB", [true, true, true, true]), ("abc", [true, true, false, false]),
      ("cAb", [true, false, true, false]), ("b", [false, false, false, false]),
    ] {
      let haystack = Array(text.utf8)
      let found = haystack.withUnsafeBytes { haystack in
        [ByteSearch.Place.anywhere, .atStart, .atEnd, .everywhere].map {
          search.occurs(in: haystack, $0)
        }
      }
      #expect(found == places, "\(text)")
    }
  }
}
