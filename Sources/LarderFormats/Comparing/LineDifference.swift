import LarderModel

/// A piece of a line, and whether the line that it is compared with has it too.
package struct DifferencePart: Sendable, Equatable {
  package var text: String
  package var isChanged: Bool

  package init(_ text: String, isChanged: Bool = false) {
    self.text = text
    self.isChanged = isChanged
  }
}

/// Text whose bytes are compared: two spellings of "é" are a difference.
package struct ExactText: Hashable {
  package let text: String

  package init(_ text: some StringProtocol) {
    self.text = String(text)
  }

  package static func == (left: Self, right: Self) -> Bool { left.text.hasBytes(of: right.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// Where a line differs from another one: by words, and within a single word by characters.
package enum LineDifference {
  /// The maximum number of words that are compared one by one.
  private static let maximumWords = 300

  /// The number of comparisons of all lines of a conflict: of characters, and of words with words.
  ///
  /// The screen waits for them, and texts that have little in common would take half a minute.
  package static let maximumComparisons = 40_000

  /// The line in parts; one part where the comparisons that are left would not do.
  package static func parts(
    of line: String, against other: String, comparisons: inout Int
  ) -> [DifferencePart] {
    let length = line.utf8.count + other.utf8.count
    guard length <= comparisons else { return joined(changed([line], besides: [other])) }
    comparisons -= length
    let (mine, theirs) = (line.map { ExactText(String($0)) }, other.map { ExactText(String($0)) })
    var start = 0
    while start < min(mine.count, theirs.count), mine[start] == theirs[start] { start += 1 }
    var end = 0
    while end < min(mine.count, theirs.count) - start,
      mine[mine.count - 1 - end] == theirs[theirs.count - 1 - end]
    {
      end += 1
    }
    let middle = words(mine[start..<(mine.count - end)])
    let others = words(theirs[start..<(theirs.count - end)])
    var parts = [DifferencePart(text(mine[..<start]))]
    let pairs = middle.count * others.count
    if middle.count > 1, others.count > 1, max(middle.count, others.count) <= maximumWords,
      pairs <= comparisons
    {
      comparisons -= pairs
      let common = CommonRows.of(middle, others)
      let (kept, found) = (Set(common.map(\.0)), Set(common.map(\.1)))
      var differing = changed(
        middle.indices.filter { !kept.contains($0) }.map { middle[$0].text },
        besides: others.indices.filter { !found.contains($0) }.map { others[$0].text }
      ).makeIterator()
      for (place, word) in middle.enumerated() {
        let part = kept.contains(place) ? DifferencePart(word.text) : differing.next()
        if let part { parts.append(part) }
      }
    } else {
      parts += changed(middle.map(\.text), besides: others.map(\.text))
    }
    parts.append(DifferencePart(text(mine[(mine.count - end)...])))
    return joined(parts)
  }

  /// Words that differ from those of the other line; what is not seen of them is spelled out where
  /// the others look alike.
  private static func changed(_ words: [String], besides others: [String]) -> [DifferencePart] {
    guard !(words.allSatisfy(UnseenScalars.isPlain) && others.allSatisfy(UnseenScalars.isPlain))
    else { return words.map { DifferencePart($0, isChanged: true) } }
    let seen = words.map(UnseenScalars.seen)
    let seenOfOthers = others.map(UnseenScalars.seen)
    let isAlike = seen.joined().hasBytes(of: seenOfOthers.joined())
    let known = Set(seenOfOthers.map { ExactText($0) })
    return zip(words, seen).map { word, seen in
      // What looks like nothing, or like spaces and is none, is seen too little as well.
      let isBlank = seen.allSatisfy { $0 == " " } && !UnseenScalars.isPlain(word)
      let looksAlike = isAlike || isBlank || known.contains(ExactText(seen))
      return DifferencePart(
        looksAlike ? UnseenScalars.spelledOut(word) : word, isChanged: true)
    }
  }

  private static func text(_ characters: ArraySlice<ExactText>) -> String {
    characters.map(\.text).joined()
  }

  /// Runs of letters and digits, and everything else one by one.
  private static func words(_ characters: ArraySlice<ExactText>) -> [ExactText] {
    var words: [String] = []
    var isInWord = false
    for character in characters {
      let isPart = character.text.allSatisfy { $0.isLetter || $0.isNumber }
      if isPart, isInWord {
        words[words.count - 1] += character.text
      } else {
        words.append(character.text)
      }
      isInWord = isPart
    }
    return words.map { ExactText($0) }
  }

  /// The same line with neighbours of one kind as one part, without empty ones.
  private static func joined(_ parts: [DifferencePart]) -> [DifferencePart] {
    var joined: [DifferencePart] = []
    for part in parts where !part.text.isEmpty {
      if joined.last?.isChanged == part.isChanged {
        joined[joined.count - 1].text += part.text
      } else {
        joined.append(part)
      }
    }
    return joined
  }
}
