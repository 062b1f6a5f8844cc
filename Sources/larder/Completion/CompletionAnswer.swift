/// The command `larder --complete SHELL …`, which completion scripts call.
enum CompletionAnswer {
  /// The first argument of a completion request.
  static let word = "--complete"

  /// Prints one completion per line; nothing for a request that is not understood.
  ///
  /// - Parameters:
  ///   - words: The arguments after ``word``, starting with the name of the shell. For bash, the
  ///     line, the cursor position in characters and the word breaks follow; for other shells, the
  ///     words up to the cursor.
  ///   - output: The output for the lines.
  /// - Returns: The exit code, which shells ignore.
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
      // fish passes the word as typed, and zsh without its quotation marks.
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
