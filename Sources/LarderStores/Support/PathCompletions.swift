import LarderFiles
import Foundation

/// Completions for a path that is being typed.
public enum PathCompletions {
  /// Returns the paths that start with some text, sorted, with a slash at the end of folders.
  ///
  /// Hidden files are only included if the typed name starts with a full stop. A folder that cannot
  /// be read has no completions.
  ///
  /// - Parameters:
  ///   - text: The text. A leading `~/` refers to the home folder and is preserved in the results.
  ///   - limit: The maximum number of paths.
  ///   - environment: The environment variables, which may specify the home folder.
  /// - Returns: The paths that can replace the text.
  @concurrent public static func paths(
    beginningWith text: String, limit: Int,
    environment: [String: String]
  ) async -> [String] {
    let (folder, start) = parts(of: text)
    let path = folder.isEmpty ? "." : HomePath.expanded(folder, environment)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
    return names.filter { $0.utf8.starts(with: start.utf8) }
      .filter { start.hasPrefix(".") || !$0.hasPrefix(".") }
      .sorted().prefix(limit)
      .map { name in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
          atPath: path + "/" + name, isDirectory: &isFolder)
        return folder + name + (exists && isFolder.boolValue ? "/" : "")
      }
  }

  /// Splits a path after its last slash.
  private static func parts(of text: String) -> (folder: String, start: String) {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", text) }
    let next = text.utf8.index(after: slash)
    return (String(text[..<next]), String(text[next...]))
  }
}
