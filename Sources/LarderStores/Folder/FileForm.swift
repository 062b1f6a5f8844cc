import Foundation

/// Who may do what with a file, which comes back with a file that was deleted or exported.
struct FileMode: Equatable {
  /// That of a new file, which only its owner may read.
  static let new = FileMode(bits: 0o600, group: nil)

  /// Read, write and run, for owner, group and others; never more, as a file that runs with the
  /// rights of its owner is not made from an import, and never so little that larder itself could
  /// not read the file again.
  let bits: mode_t
  /// The group that the bits for a group mean.
  let group: gid_t?

  private init(bits: mode_t, group: gid_t?) {
    self.bits = bits & 0o777 | 0o400
    self.group = group
  }

  init(of status: FileStatus) {
    self.init(bits: status.mode, group: status.group)
  }

  /// The mode that a word says, which is one of ``form`` or of another kind of store.
  init?(form: String) {
    let words = form.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "mode", let bits = mode_t(words[1], radix: 8) else {
      return nil
    }
    let group = words.count == 4 && words[2] == "group" ? gid_t(words[3]) : nil
    self.init(bits: bits, group: group)
  }

  /// The word for an entry to carry, such as `mode 644 group 1000`; nil for the mode that a new
  /// file has anyway.
  var form: String? {
    guard bits != Self.new.bits else { return nil }
    return "mode " + String(bits, radix: 8) + (group.map { " group \($0)" } ?? "")
  }

  /// Gives a new file the mode, without rights for a group that is not the one that had them.
  func dress(_ file: FolderDescriptor) throws(FileFailure) {
    guard bits != Self.new.bits else { return }
    guard let status = file.status else { throw FileFailure(errno) }
    let hasGroup =
      group.map { $0 == status.group || fchown(file.number, .max, $0) == 0 } ?? false
    guard fchmod(file.number, hasGroup ? bits : bits & ~0o070) == 0 else {
      throw FileFailure(errno)
    }
  }
}
