import LarderFiles
import Foundation

/// The files and folders that a path which is being typed may mean.
public enum PathOffers {
  /// The paths that begin with a text, in order, folders with a slash at the end.
  ///
  /// Names that begin with a full stop are left out until that is typed. A folder that cannot be
  /// read has nothing in it.
  ///
  /// - Parameters:
  ///   - text: The text; `~/` stands for the home folder, and stays as it was typed.
  ///   - limit: The maximum number of paths.
  ///   - environment: The variables of the process, which may name the home folder.
  /// - Returns: The paths, as they may take the place of the text.
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

  /// A path up to its last slash, and what follows that.
  private static func parts(of text: String) -> (folder: String, start: String) {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", text) }
    let next = text.utf8.index(after: slash)
    return (String(text[..<next]), String(text[next...]))
  }
}
