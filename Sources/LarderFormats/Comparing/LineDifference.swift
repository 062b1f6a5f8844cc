import LarderModel

/// A piece of a line, marked as common to both lines or changed.
package struct DifferencePart: Sendable, Equatable {
  package var text: String
  package var isChanged: Bool

  package init(_ text: String, isChanged: Bool = false) {
    self.text = text
    self.isChanged = isChanged
  }
}

/// Text that is compared byte by byte, so that two encodings of "é" differ.
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

/// Finds the differences between two lines: by word, and by character within a single word.
package enum LineDifference {
  /// The maximum number of words for a word-by-word comparison.
  private static let maximumWords = 300

  /// The budget of character and word comparisons for all lines of a conflict.
  ///
  /// The screen waits for the result, and texts with little in common would take half a minute.
  package static let maximumComparisons = 40_000

  /// Returns the line in parts, or as a single part if the remaining comparisons do not suffice.
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
      let common = SequenceDiff.of(middle, others)
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

  /// Returns the changed words, with invisible characters escaped where both sides would look the
  /// same.
  private static func changed(_ words: [String], besides others: [String]) -> [DifferencePart] {
    guard
      !(words.allSatisfy(InvisibleScalars.isPlain) && others.allSatisfy(InvisibleScalars.isPlain))
    else { return words.map { DifferencePart($0, isChanged: true) } }
    let seen = words.map(InvisibleScalars.seen)
    let seenOfOthers = others.map(InvisibleScalars.seen)
    let isAlike = seen.joined().hasBytes(of: seenOfOthers.joined())
    let known = Set(seenOfOthers.map { ExactText($0) })
    return zip(words, seen).map { word, seen in
      // Text that renders as nothing, or as something that only looks like spaces, is escaped too.
      let isBlank = seen.allSatisfy { $0 == " " } && !InvisibleScalars.isPlain(word)
      let looksAlike = isAlike || isBlank || known.contains(ExactText(seen))
      return DifferencePart(
        looksAlike ? InvisibleScalars.spelledOut(word) : word, isChanged: true)
    }
  }

  private static func text(_ characters: ArraySlice<ExactText>) -> String {
    characters.map(\.text).joined()
  }

  /// Splits characters into runs of letters and digits; every other character is a word of its own.
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

  /// Merges adjacent parts of the same kind and drops empty ones.
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
