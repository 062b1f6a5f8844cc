import LarderFiles
import Foundation

/// The metadata of a file that is restored with it after a deletion or an import: permissions,
/// owner, modification time, and the attributes that users and programs have set.
struct FileForm: Equatable {
  /// The form of a new file that only its owner may read.
  static let ofOwnerAlone = FileForm(bits: 0o600, group: nil)

  /// Read, write and execute permissions for owner, group and others, and the sticky bit.
  ///
  /// Never setuid or setgid: an import must not create a file that runs with its owner's rights.
  let bits: mode_t
  /// The group that the group permissions apply to.
  let group: gid_t?
  let owner: uid_t?
  var modified: FileTime?
  /// The flags that `chattr` sets.
  let flags: FileFlags?
  /// The extended attributes, in the order of the file.
  let attributes: [FolderAttributes.Pair]

  /// Creates a form from its parts; all except the mode may be unknown.
  init(
    bits: mode_t, group: gid_t?, owner: uid_t? = nil, modified: FileTime? = nil,
    flags: FileFlags? = nil, attributes: [FolderAttributes.Pair] = []
  ) {
    self.bits = bits & 0o1777
    self.group = group
    self.owner = owner
    self.modified = modified
    self.flags = flags
    self.attributes = attributes
  }

  /// Creates the form of an existing file.
  init(of status: FileStatus, _ flags: FileFlags?, _ attributes: [FolderAttributes.Pair]) {
    self.init(
      bits: status.mode, group: status.group, owner: status.owner,
      modified: status.contentTime, flags: flags, attributes: attributes)
  }

  /// Returns the same form with another modification time, or nil if no file can have that time.
  func changed(at date: Date) -> FileForm? {
    // A `Date` is not precise enough for nanoseconds.
    let micros = (date.timeIntervalSince1970 * 1e6).rounded()
    guard micros.magnitude < 8e15 else { return nil }
    let seconds = (micros / 1e6).rounded(.down)
    var form = self
    form.modified = FileTime(
      seconds: Int(seconds), nanoseconds: Int(micros - seconds * 1e6) * 1_000)
    return form
  }

  /// Returns whether an attribute is preserved: the user's own attributes, and the access control
  /// list.
  ///
  /// Others belong to the system or grant a program more rights than its user has, and an import
  /// must not set them.
  static func isCarried(_ name: [UInt8]) -> Bool {
    name.starts(with: "user.".utf8) || name.elementsEqual(accessList)
  }

  /// Returns the names of the attributes that are preserved, sorted.
  static func names(of names: [[UInt8]]) -> [[UInt8]] {
    names.filter(isCarried).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static let accessList = Array("system.posix_acl_access".utf8)

  /// Applies the form, except for the flags, to a new file.
  ///
  /// If the group cannot be set, its permissions are not granted either.
  ///
  /// Only root can change the owner; for other users, the file remains their own.
  ///
  /// - Returns: The properties that could not be set, as clauses.
  func copyMetadata(_ file: FolderDescriptor) throws(FileFailure) -> [String] {
    guard let status = file.status else { throw FileFailure(errno) }
    var losses: [String] = []
    // Set the owner first, as changing it may clear bits of the mode.
    if let owner, owner != status.owner, geteuid() == 0, fchown(file.number, owner, .max) != 0 {
      losses.append("its owner \(owner): \(FileFailure(errno).message)")
    }
    let hasGroup =
      group.map { $0 == status.group || fchown(file.number, .max, $0) == 0 } ?? false
    // Set the mode after the attributes, as an access control list changes part of it.
    losses += try applyAttributes(file)
    var bits = hasGroup ? bits : bits & ~0o070
    if bits & 0o400 == 0, geteuid() != 0 {
      losses.append(Messages.unreadableMode(bits))
      bits |= 0o400
    }
    guard fchmod(file.number, bits) == 0 else { throw FileFailure(errno) }
    if let modified { losses += modified.set(of: file).map { ["its time: \($0.message)"] } ?? [] }
    return losses
  }

  private func applyAttributes(_ file: FolderDescriptor) throws(FileFailure) -> [String] {
    let present = FolderAttributes(file: file)
    var losses: [String] = []
    for pair in attributes {
      do throws(FileFailure) {
        try present.set(pair.value, of: pair.name)
      } catch {
        let name = String(decoding: pair.name, as: UTF8.self).debugDescription
        losses.append(Messages.attribute(name, error))
      }
    }
    // A form without a time was recorded before forms included access control lists.
    guard modified != nil, !attributes.contains(where: { $0.name == Self.accessList }) else {
      return losses
    }
    // A folder's default access control list may apply to new files, but the original had none.
    if try present.names().contains(Self.accessList) { try present.remove(Self.accessList) }
    return losses
  }
}

extension FileTime {
  /// Sets the modification time of a file.
  ///
  /// - Returns: The error, or nil on success.
  func set(of file: FolderDescriptor) -> FileFailure? {
    // UTIME_OMIT, which Swift does not import.
    let untouched = timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)
    let times = [untouched, timespec(tv_sec: seconds, tv_nsec: nanoseconds)]
    return futimens(file.number, times) == 0 ? nil : FileFailure(errno)
  }
}
