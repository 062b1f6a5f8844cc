import Foundation
import LarderModel

extension MMKVKind {
  /// Creates the settings of an app, in files written by MMKV 2.2.2.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let name = "settings.mmkv"
    _ = try SampleFile.make(name + MMKVFile.suffix, in: folder, page(header))
    return try SampleFile.make(name, in: folder, page(log))
  }

  /// Returns the contents of a file, whose size is that of a memory page.
  private static func page(_ base64: String) -> [UInt8] {
    let bytes = Array(Data(base64Encoded: base64) ?? Data())
    return bytes + Array(repeating: 0, count: max(0, 4_096 - bytes.count))
  }

  private static let header = "8Kn5sgQAAAABAAAAAAAAAAAAAAAAAAAAAAAAAGQAAAAEAAAA4zAZkg=="
  private static let log =
    """
    ZAAAALL/lxMJdXNlci5uYW1lBANBZGEFdGhlbWUGBWxpZ2h0BXRoZW1lBQRkYXJrCGxhdW5jaGVzASoJbGFzdF9zeW\
    5jBoDQ6ra3MwlvbmJvYXJkZWQBAQZ2b2x1bWUImpmZmZmZ6T8=
    """
}
