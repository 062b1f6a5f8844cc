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

  /// The offsets of the characters of a word where the text has it, in either case; nil where not.
  package func offsets(of word: String) -> [Int]? {
    let (text, word) = (Array(lowercased()), Array(word.lowercased()))
    guard !word.isEmpty, text.count >= word.count else { return word.isEmpty ? [] : nil }
    let start = (0...(text.count - word.count)).first { text[$0...].starts(with: word) }
    return start.map { Array($0..<($0 + word.count)) }
  }

  /// The offsets of the characters of a word where the text has them in their order; nil where not.
  package func offsets(ofLettersOf word: String) -> [Int]? {
    let text = lowercased()
    return text.places(ofLettersOf: word.lowercased(), ignoresCase: false)?
      .map { text.distance(from: text.startIndex, to: $0) }
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
