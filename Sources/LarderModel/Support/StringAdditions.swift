extension StringProtocol {
  /// Whether both strings have the same bytes, whereas `==` also matches two spellings of "é".
  package func hasBytes(of other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Returns the indices of the characters of a word, in order but not necessarily adjacent.
  ///
  /// - Parameters:
  ///   - word: The characters to search for.
  ///   - ignoresCase: Whether to ignore case.
  /// - Returns: The indices, or nil if not all characters were found.
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

  /// Returns the offsets of the characters of a word's first occurrence, ignoring case, or nil if
  /// there is none.
  package func offsets(of word: String) -> [Int]? {
    let (text, word) = (Array(lowercased()), Array(word.lowercased()))
    guard !word.isEmpty, text.count >= word.count else { return word.isEmpty ? [] : nil }
    let start = (0...(text.count - word.count)).first { text[$0...].starts(with: word) }
    return start.map { Array($0..<($0 + word.count)) }
  }

  /// Returns the offsets of the characters of a word, in order but not necessarily adjacent and
  /// ignoring case, or nil if not all were found.
  package func offsets(ofLettersOf word: String) -> [Int]? {
    let text = lowercased()
    return text.places(ofLettersOf: word.lowercased(), ignoresCase: false)?
      .map { text.distance(from: text.startIndex, to: $0) }
  }
}

extension Collection where Element == UInt8 {
  /// Returns a prefix of at most the given length that does not split a UTF-8 sequence.
  package func textPrefix(_ count: Int) -> SubSequence {
    let head = prefix(count)
    guard head.endIndex < endIndex, self[head.endIndex] & 0xC0 == 0x80 else { return head }
    // A sequence has at most three continuation bytes.
    for length in 1...3 where head.count > length {
      let cut = head.prefix(head.count - length)
      guard self[cut.endIndex] & 0xC0 == 0x80 else { return cut }
    }
    return head
  }
}
