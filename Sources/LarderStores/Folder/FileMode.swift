import Foundation

/// Who may do what with a file, which comes back with a file that was deleted or exported.
struct FileMode: Equatable {
  /// That of a new file, which only its owner may read.
  static let new = FileMode(bits: 0o600)
  private static let start = "mode "

  /// Read, write and run, for owner, group and others; never more, as a file that runs with the
  /// rights of its owner is not made from an import.
  let bits: mode_t

  private init(bits: mode_t) {
    self.bits = bits & 0o777
  }

  init(of status: FileStatus) {
    self.init(bits: status.mode)
  }

  /// The mode that a word says, which is `mode 644` or one of another kind of store.
  init?(form: String) {
    guard form.hasPrefix(Self.start), let bits = mode_t(form.dropFirst(Self.start.count), radix: 8)
    else { return nil }
    self.init(bits: bits)
  }

  /// The word for an entry to carry, nil for the mode that a new file has anyway.
  var form: String? {
    self == .new ? nil : Self.start + String(bits, radix: 8)
  }
}
