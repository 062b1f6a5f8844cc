import Foundation

/// The source files of a target, or of a folder in it, among them those of its message catalogue.
package struct MessageSources {
  private var files: [(name: String, text: String)]

  /// The root of the package.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Reads the Swift files of a folder and its subfolders.
  ///
  /// - Parameter folder: The path of the folder in `Sources`, such as `LarderStores/Kinds`.
  /// - Throws: The error of a file that cannot be read.
  package init(_ folder: String) throws {
    let names =
      FileManager.default
      .enumerator(atPath: Self.root.appending(path: "Sources/\(folder)").path)?
      .compactMap { $0 as? String } ?? []
    files = try names.filter { $0.hasSuffix(".swift") }.sorted().map {
      ($0, try Self.text("Sources/\(folder)/\($0)"))
    }
  }

  /// Returns the sources without some files.
  ///
  /// - Parameter names: The names of the files, without the extension.
  /// - Returns: The other files.
  package func without(_ names: [String]) -> Self {
    var others = self
    others.files.removeAll { file in names.contains { file.name == "\($0).swift" } }
    return others
  }

  /// Returns a file of the package.
  ///
  /// - Parameter path: The path in the package.
  /// - Returns: The text of the file.
  /// - Throws: The error if it cannot be read.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The number of files.
  package var count: Int { files.count }

  /// The members of the catalogue, which is the files whose names end in `Messages.swift`.
  package var members: [String] {
    files.filter { Self.isCatalogue($0.name) }.flatMap { file in
      file.text.matches(
        of: /(?m)^(?:  |    (?=static ))(?:public |package )?(?:static )?(?:let|var|func) (\w+)/
      ).map { String($0.1) }
    }
  }

  /// Returns the members of the catalogue that tests do not use.
  ///
  /// - Parameter tests: The text of the tests.
  /// - Returns: The names.
  /// - Throws: The error of a regular expression that cannot be made from a name.
  package func unrendered(in tests: String) throws -> [String] {
    try members.filter { name in
      tests.firstMatch(of: try Regex("\\.\(name)\\b").wordBoundaryKind(.simple)) == nil
    }
  }

  /// Returns the sentences outside of the catalogue: literals with three words in a row.
  ///
  /// - Parameter declarations: The labels of arguments, by the function called, that declare what
  ///   the help and the manual print, or that no user sees.
  /// - Returns: The sentences, each after the name of its file.
  package func sentences(except declarations: [String: Set<String>]) -> [String] {
    files.filter { !Self.isCatalogue($0.name) }.flatMap { file in
      SourceLiterals(file.text).all.filter {
        // Forms such as `<name that is not text>` are stored, not shown.
        $0.text.firstMatch(of: /[a-z’]+ [a-z]+ [a-z]+/) != nil && !$0.text.hasPrefix("<")
          && declarations[$0.call]?.contains($0.label) != true
      }.map { "\(file.name): \($0.text)" }
    }
  }

  /// Returns the literals with a word that are passed to a function without a label.
  ///
  /// - Parameter calls: The names of the functions.
  /// - Returns: The literals, each after the name of its file.
  package func words(saidBy calls: Set<String>) -> [String] {
    files.filter { !Self.isCatalogue($0.name) }.flatMap { file in
      SourceLiterals(file.text).all.filter {
        calls.contains($0.call) && ["", "text"].contains($0.label)
          && $0.text.contains(where: \.isLetter)
      }.map { "\(file.name): \($0.text)" }
    }
  }

  private static func isCatalogue(_ name: String) -> Bool { name.hasSuffix("Messages.swift") }
}

/// The rules for every text that users see.
package struct TextRules {
  private let phrases: [NSRegularExpression]

  /// Reads the phrases that `.ci/prose` counts.
  package init() throws {
    phrases = try MessageSources.text(".ci/prose").matches(of: /": r"([^"]+)",/).map {
      try NSRegularExpression(pattern: String($0.1), options: .anchorsMatchLines)
    }
  }

  /// The number of phrases that no text may contain.
  package var phraseCount: Int { phrases.count }

  /// Returns what is wrong with a text; nil if nothing is.
  package func fault(of text: String) -> String? {
    func count(_ character: Character) -> Int { text.count { $0 == character } }
    guard !text.isEmpty else { return "empty" }
    guard count("\"") % 2 == 0, count("“") == count("”") else { return "unbalanced quotes" }
    guard count("(") == count(")") || text.contains("“(”") else { return "unbalanced brackets" }
    let range = NSRange(text.startIndex..., in: text)
    return phrases.first { $0.firstMatch(in: text, range: range) != nil }?.pattern
  }
}
