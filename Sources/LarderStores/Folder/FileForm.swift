import LarderFiles
import Foundation

/// What a file is beside its contents, as far as that comes back with one that was deleted or
/// exported: who may do what with it, whose it is, since when it is as it is, and the attributes
/// that people and programs have given it.
struct FileForm: Equatable {
  /// That of a new file which only its owner may read.
  static let ofOwnerAlone = FileForm(bits: 0o600, group: nil)

  /// When a file was changed last.
  struct Time: Equatable {
    let seconds: Int
    let nanoseconds: Int
  }

  /// Read, write and run, for owner, group and others, and the bit that is of use for folders only;
  /// never more, as a file that runs with the rights of its owner is not made from an import.
  let bits: mode_t
  /// The group that the bits for a group mean.
  let group: gid_t?
  let owner: uid_t?
  let modified: Time?
  /// Those of `chattr`.
  let flags: FileFlags?
  /// In the order of the file.
  let attributes: [FolderAttributes.Pair]

  /// A form of parts, of which all but the mode may be unknown.
  init(
    bits: mode_t, group: gid_t?, owner: uid_t? = nil, modified: Time? = nil,
    flags: FileFlags? = nil, attributes: [FolderAttributes.Pair] = []
  ) {
    self.bits = bits & 0o1777
    self.group = group
    self.owner = owner
    self.modified = modified
    self.flags = flags
    self.attributes = attributes
  }

  /// That of a file.
  init(of status: FileStatus, _ flags: FileFlags?, _ attributes: [FolderAttributes.Pair]) {
    self.init(
      bits: status.mode, group: status.group, owner: status.owner,
      modified: Time(seconds: status.modifiedSeconds, nanoseconds: status.modifiedNanoseconds),
      flags: flags, attributes: attributes)
  }

  /// The same form of a file that was changed last at another time; nil where no file can be.
  func changed(at date: Date) -> FileForm? {
    let time = date.timeIntervalSince1970
    let seconds = time.rounded(.down)
    guard let whole = Int(exactly: seconds), whole.magnitude < 1 << 33 else { return nil }
    // What a date has no digits for is left out.
    let micros = Int(((time - seconds) * 1e6).rounded())
    return FileForm(
      bits: bits, group: group, owner: owner,
      modified: micros == 1_000_000
        ? Time(seconds: whole + 1, nanoseconds: 0)
        : Time(seconds: whole, nanoseconds: micros * 1_000),
      flags: flags, attributes: attributes)
  }

  /// Whether an attribute is carried: the user's own, and the list of who may read the file.
  ///
  /// Others let a program do more than its user, or are the system's, and not for an import to set.
  static func isCarried(_ name: [UInt8]) -> Bool {
    name.starts(with: "user.".utf8) || name.elementsEqual(accessList)
  }

  /// Those of some names that are carried, in an order of their own.
  static func names(of names: [[UInt8]]) -> [[UInt8]] {
    names.filter(isCarried).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static let accessList = Array("system.posix_acl_access".utf8)

  /// Gives a new file the form but for the flags, without rights for a group that is not the one
  /// that had them.
  ///
  /// Only the administrator can give it to another owner: for anybody else it is their own.
  ///
  /// - Returns: What it could not be given, as clauses.
  func dress(_ file: FolderDescriptor) throws(FileFailure) -> [String] {
    guard let status = file.status else { throw FileFailure(errno) }
    var losses: [String] = []
    // The owner first, as a change of owner may clear bits of the mode.
    if let owner, owner != status.owner, geteuid() == 0, fchown(file.number, owner, .max) != 0 {
      losses.append("its owner \(owner): \(FileFailure(errno).message)")
    }
    let hasGroup =
      group.map { $0 == status.group || fchown(file.number, .max, $0) == 0 } ?? false
    // The mode after the attributes, as an access list sets part of it.
    losses += try dressWithAttributes(file)
    var bits = hasGroup ? bits : bits & ~0o070
    if bits & 0o400 == 0, geteuid() != 0 {
      losses.append("its mode \(String(bits, radix: 8)), with which larder could not read it")
      bits |= 0o400
    }
    guard fchmod(file.number, bits) == 0 else { throw FileFailure(errno) }
    if let modified { losses += modified.set(of: file).map { ["its time: \($0.message)"] } ?? [] }
    return losses
  }

  private func dressWithAttributes(_ file: FolderDescriptor) throws(FileFailure) -> [String] {
    let present = FolderAttributes(file: file)
    var losses: [String] = []
    for pair in attributes {
      do throws(FileFailure) {
        try present.set(pair.value, of: pair.name)
      } catch {
        let name = String(decoding: pair.name, as: UTF8.self).debugDescription
        losses.append("its extended attribute \(name): \(error.message)")
      }
    }
    // A form without a time is from before access lists were part of it.
    guard modified != nil, !attributes.contains(where: { $0.name == Self.accessList }) else {
      return losses
    }
    // A folder may give its new files an access list that the file did not have.
    if try present.names().contains(Self.accessList) { try present.remove(Self.accessList) }
    return losses
  }
}

extension FileForm.Time {
  /// Makes a file one that was changed last at this time.
  ///
  /// - Returns: Why that failed.
  func set(of file: FolderDescriptor) -> FileFailure? {
    // UTIME_OMIT, of a header that Swift does not see.
    let untouched = timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)
    let times = [untouched, timespec(tv_sec: seconds, tv_nsec: nanoseconds)]
    return futimens(file.number, times) == 0 ? nil : FileFailure(errno)
  }
}
