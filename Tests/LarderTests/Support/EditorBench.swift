import Foundation

/// A database whose values are edited externally, and a folder for the editor's files.
struct EditorBench {
  let scratch: Scratch
  let database: String

  init(_ more: String = "") throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('alpha', 'one'), ('beta', 2);
      \(more)
      """)
  }

  /// Starts larder with an editor; prints the exit code when larder ends.
  func start(_ editor: String, before: String = "", _ options: String = "") throws -> Tmux {
    try Tmux(
      "TMPDIR='\(scratch.path)' XDG_STATE_HOME='\(scratch.path)/state' VISUAL= "
        + "EDITOR=\"\(editor)\" \(before) '\(Shell.larder)' '\(database)' \(options); "
        + "echo ended with $?")
  }

  /// Writes a shell script and returns its path.
  func script(_ text: String) throws -> String {
    let path = scratch.path + "/editor"
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    _ = try Shell.run("chmod", ["+x", path])
    return path
  }

  func value(of key: String) throws -> [String] {
    try scratch.query(database, "SELECT v, typeof(v) FROM kv WHERE k = '\(key)'")
  }

  /// The files that remain of those passed to editors.
  var leftovers: [String] {
    get throws {
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: scratch.path)
        .filter { $0.hasPrefix("larder-") }
        .flatMap { folder in
          try files.contentsOfDirectory(atPath: "\(scratch.path)/\(folder)").map {
            "\(folder)/\($0)"
          } + [folder]
        }
    }
  }

  /// The names of the remaining files without their folder.
  var names: [String] {
    get throws {
      try leftovers.filter { $0.contains("/") }.map { String($0.split(separator: "/")[1]) }.sorted()
    }
  }
}

extension Tmux {
  /// Waits until the screen contains a text, wrapped anywhere.
  func wait(forWrapped text: String) throws -> Bool {
    try wait {
      $0.filter { !$0.isWhitespace }.contains(text.filter { !$0.isWhitespace })
    } != nil
  }
}
