import Foundation
import LarderCore

extension FolderKind {
  /// An app's caches and documents: text, JSON, bytes, and names that need care.
  static func makeSample(in folder: String) async throws(StoreError) -> String {
    let path = folder + "/files"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]
    let files: [(String, [UInt8])] = [
      ("caches/images/avatar-1.png", image), ("caches/images/avatar-2.png", image),
      ("caches/responses/users.json", Array(#"[{"id":1,"name":"Ada"}]"#.utf8)),
      ("documents/notes/first.txt", Array("Buy milk\nCall Grace\n".utf8)),
      ("documents/notes/second note.txt", Array("The analytical engine weaves.\n".utf8)),
      ("documents/größe.txt", Array("42\n".utf8)),
      ("settings.json", Array(#"{"theme":"larder-dark","size":13}"#.utf8)),
    ]
    do {
      for (name, bytes) in files {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
      }
    } catch {
      throw .failed("the sample \(path) cannot be made: \(error.localizedDescription)")
    }
    return path
  }
}
