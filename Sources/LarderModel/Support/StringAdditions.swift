extension StringProtocol {
  /// Whether both texts are the same bytes; `==` also holds for two spellings of "é".
  package func hasBytes(of other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Where the characters of a word stand in the text, in their order and with others between them.
  ///
  /// - Parameters:
  ///   - word: The characters to look for.
  ///   - ignoresCase: Whether a character of either case will do.
  /// - Returns: Their places, or nil where not all of them were found.
  package func places(ofLettersOf word: String, ignoresCase: Bool) -> [Index]? {
    var rest = word[...]
    var places: [Index] = []
    for place in indices {
      guard let wanted = rest.first else { break }
      let character = self[place]
      guard
        ignoresCase ? character.lowercased() == wanted.lowercased() : character == wanted
      else { continue }
      rest.removeFirst()
      places.append(place)
    }
    return rest.isEmpty ? places : nil
  }
}

extension Collection where Element == UInt8 {
  /// The first bytes, and fewer where that would cut a UTF-8 sequence in two.
  package func textPrefix(_ count: Int) -> SubSequence {
    let head = prefix(count)
    guard head.endIndex < endIndex, self[head.endIndex] & 0xC0 == 0x80 else { return head }
    // At most three bytes can belong to a sequence that goes on.
    for length in 1...3 where head.count > length {
      let cut = head.prefix(head.count - length)
      guard self[cut.endIndex] & 0xC0 == 0x80 else { return cut }
    }
    return head
  }
}
