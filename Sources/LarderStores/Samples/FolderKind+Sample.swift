import Foundation
import LarderModel

extension FolderKind {
  /// Creates an app's caches and documents: text, JSON, binary data, and names with special
  /// characters.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/files"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let files: [(String, [UInt8])] = [
      ("caches/images/avatar-1.png", avatars[0]),
      ("caches/images/avatar-2.png", avatars[1]),
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

  /// Avatars of 16 by 16 pixels, in PNG format.
  private static let avatars = [
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAgMAAABinRfyAAAADFBMVEUeKTv6zBUPFyq+GF0SLbnrAAAAPklEQVR42mNg"
      + "YHRgYGAIDWVgYAwNdWBgDQ0NYBBdGhWCRIQCAYQQDQ0Fin2NBxJ/60MYWOO/BkC0gQ0AGQUAsEwR6nO5xu4AAAAASUVO"
      + "RK5CYII=",
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAgMAAABinRfyAAAADFBMVEUPFypgpfoPFyr+88eP3erHAAAAPklEQVR42mNg"
      + "YHRgYGAIDWVgYAwNdWBgDQ0NYBBdGhWCRIQCAYQQDQ0Fin2NBxJ/60MYWOO/BkC0gQ0AGQUAsEwR6nO5xu4AAAAASUVO"
      + "RK5CYII=",
  ].map { [UInt8](Data(base64Encoded: $0) ?? Data()) }
}
