/// Answers the shells: `larder --complete SHELL …`, which is not for people.
enum CompletionAnswer {
  /// The first word of the command lines that shells write.
  static let word = "--complete"

  /// Prints a line for each word that may be meant; nothing where that is not understood.
  ///
  /// - Parameters:
  ///   - words: The words after ``word``: for bash the line, the cursor's place in characters and
  ///     what it takes words apart at; for others the words, up to the one that is typed.
  ///   - output: Where the lines go.
  /// - Returns: What the shell is told, which looks at the lines only.
  static func print(_ words: [String], to output: Output) async -> ExitCode {
    guard let shell = words.first, words.count > 1 else { return .usage }
    if shell == "bash" {
      let line = words[1]
      let scalars = line.unicodeScalars
      let point = words.count > 2 ? Int(words[2]) ?? scalars.count : scalars.count
      let typed = TypedLine(
        String(String.UnicodeScalarView(scalars.prefix(max(0, point)))),
        breaks: words.count > 3 ? words[3].filter { !"\"'\\".contains($0) && !$0.isWhitespace } : ""
      )
      let offers = await Completion(
        typed.typed, after: Array(typed.before.dropFirst()), beginsAtHome: typed.beginsAtHome
      ).offers()
      for offer in offers {
        if let text = typed.written(offer.text) { output.plainLine(text) }
      }
    } else {
      // fish hands over what is typed as it is typed, and zsh without its quotation marks.
      let last = words[words.count - 1]
      let line = shell == "fish" ? TypedLine(last) : nil
      let offers = await Completion(
        line?.typed ?? last, after: Array(words[1..<(words.count - 1)]),
        beginsAtHome: line?.beginsAtHome ?? last.hasPrefix("~")
      ).offers()
      for offer in offers where !offer.text.contains(where: { $0.isNewline || $0 == "\t" }) {
        output.plainLine(offer.help.isEmpty ? offer.text : "\(offer.text)\t\(offer.help)")
      }
    }
    output.flush()
    return .done
  }
}
