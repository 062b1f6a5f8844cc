import FoundationEssentials

/// Finds and loads themes by name.
///
/// Searches directories in order and then the embedded themes, so a file can override an embedded
/// theme. Loading blocks while files are read.
public struct ThemeLoader: Sendable {
  /// The directories to search, in order.
  public let directories: [String]

  /// Creates a loader that searches some directories.
  public init(directories: [String] = []) {
    self.directories = directories
  }

  /// Creates a loader that searches the directories in `$LARDER_THEMES`, then `themes` in the
  /// user's configuration directory.
  public init(environment: [String: String], configuration: String) {
    let directories = (environment["LARDER_THEMES"] ?? "").split(separator: ":").map(String.init)
    self.init(directories: directories + ["\(configuration)/themes"])
  }

  /// Loads a theme by name, or by path if the argument contains `/` or ends in `.json`.
  ///
  /// Unknown roles, colors and attributes are ignored with a warning. `default` and
  /// `default-light` are always available.
  ///
  /// - Throws: ``ThemeError`` if there is no such theme, its file is invalid, a required role has
  ///   no style, or it inherits itself.
  public func load(_ nameOrPath: String) throws(ThemeError) -> (theme: Theme, warnings: [String]) {
    var files: [ThemeFile] = []
    var visited: [String] = []
    var wanted: String? = nameOrPath
    while let name = wanted {
      if let theme = Self.builtIn.first(where: { $0.name == name }), find(name) == nil {
        if files.isEmpty { return (theme, []) }
        throw ThemeError(
          code: .parentNotFound, file: visited.last ?? name, position: nil,
          message: Messages.noParentFile(name))
      }
      guard let source = find(name) else { throw notFound(name, for: visited.last) }
      if visited.contains(source.label) {
        throw ThemeError(
          code: .circular, file: visited.first ?? source.label, position: nil,
          message: Messages.circular(visited + [source.label]))
      }
      visited.append(source.label)
      let file = try ThemeFile(try text(of: source), source: source.label)
      files.append(file)
      wanted = file.inherits
    }
    return try ThemeResolver.resolve(files, name: nameOrPath, source: visited.first ?? nameOrPath)
  }

  /// The themes without a file.
  private static let builtIn = [Theme.default, .defaultLight]

  /// Returns the names of all available themes, sorted.
  public func available() -> [String] {
    var names = Set(EmbeddedThemes.all.keys)
    names.formUnion(Self.builtIn.map(\.name))
    for directory in directories {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      for entry in entries where entry.hasSuffix(".json") {
        names.insert(String(entry.dropLast(5)))
      }
    }
    return names.sorted()
  }

  /// The location of a theme's text.
  private enum Source {
    case file(String)
    case embedded(String, [UInt8])

    /// The name of the source in messages.
    var label: String {
      switch self {
      case .file(let path): path
      case .embedded(let name, _): "\(name) (built in)"
      }
    }
  }

  private func find(_ name: String) -> Source? {
    if name.contains("/") || name.hasSuffix(".json") { return .file(name) }
    for directory in directories {
      let path = "\(directory)/\(name).json"
      if FileManager.default.fileExists(atPath: path) { return .file(path) }
    }
    return EmbeddedThemes.all[name].map { .embedded(name, $0) }
  }

  private func text(of source: Source) throws(ThemeError) -> String {
    let bytes: [UInt8]
    switch source {
    case .embedded(_, let contents): bytes = contents
    case .file(let path):
      guard FileManager.default.fileExists(atPath: path) else {
        throw ThemeError(code: .notFound, file: path, position: nil, message: Messages.noFile)
      }
      guard let contents = FileManager.default.contents(atPath: path) else {
        throw ThemeError(
          code: .unreadable, file: path, position: nil, message: Messages.unreadableFile)
      }
      bytes = [UInt8](contents)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ThemeError(
        code: .invalid, file: source.label, position: nil, message: Messages.notUTF8)
    }
    return text
  }

  private func notFound(_ name: String, for child: String?) -> ThemeError {
    let quoted = "“\(Sanitizer.display(name))”"
    guard let child else {
      return ThemeError(
        code: .notFound, file: "theme \(quoted)", position: nil,
        message: Messages.noTheme(among: available()))
    }
    return ThemeError(
      code: .parentNotFound, file: child, position: nil,
      message: Messages.noParent(quoted))
  }
}
