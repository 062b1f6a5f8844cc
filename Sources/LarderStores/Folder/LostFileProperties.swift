import Foundation

/// The properties of a file that could not be restored after a deletion, because entries do not
/// include them or the user may not set them.
struct LostFileProperties {
  /// The maximum total size of the attributes to preserve, in bytes.
  private static let maximumSize = 64 << 10

  let status: FileStatus
  /// The names of the file's extended attributes.
  let names: [[UInt8]]
  /// The total size of the preserved attributes, in bytes.
  let size: Int

  /// Returns the loss as a clause, or nil if everything could be restored.
  func clause(in directory: FolderDescriptor) -> String? {
    if status.links > 1 { return Messages.severalNames }
    if status.mode & (S_ISUID | S_ISGID) != 0 { return Messages.setuid }
    if let name = names.first(where: Self.isLost) {
      let name = String(decoding: name, as: UTF8.self).debugDescription
      return Messages.protectedAttribute(name)
    }
    if size > Self.maximumSize { return Messages.largeAttributes }
    guard geteuid() != 0 else { return nil }
    if status.owner != geteuid() { return Messages.otherUser }
    return mayGive(status.group, in: directory) ? nil : Messages.otherGroup
  }

  /// Returns whether an attribute would be lost.
  ///
  /// The system recreates its own security labels, except for capabilities, which grant a program
  /// more rights than its user has.
  private static func isLost(_ name: [UInt8]) -> Bool {
    if FileForm.isCarried(name) { return false }
    return !name.starts(with: "security.".utf8) || name.elementsEqual("security.capability".utf8)
  }

  private func mayGive(_ group: gid_t, in directory: FolderDescriptor) -> Bool {
    if group == getegid() || Self.groups.contains(group) { return true }
    // New files in a setgid directory get its group.
    guard let folder = directory.status else { return false }
    return folder.mode & S_ISGID != 0 && folder.group == group
  }

  /// The groups of this process.
  private static let groups: Set<gid_t> = {
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    let count = getgroups(Int32(groups.count), &groups)
    return Set(groups.prefix(Int(max(count, 0))))
  }()
}
