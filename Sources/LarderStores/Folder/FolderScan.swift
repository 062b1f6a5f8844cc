import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

/// A scan of the files in a folder, for a page of entries or their count.
struct FolderScan: EntryScan {
  let root: FolderDescriptor
  let cache: FolderListingCache
  let flag: CancelFlag
  /// The rules for the expiry of files, or nil if the files have no expiry.
  var expiry: FolderExpiry?

  /// A file that the scan has found.
  struct Found {
    let key: EntryKey
    let path: [UInt8]
    /// The file, if it was read to search it.
    var file: FolderReader.File?
  }

  func key(of found: Found) -> EntryKey { found.key }

  func entry(_ key: EntryKey) -> Entry? {
    let entry = try? summary(key)
    return entry?.size == nil ? nil : entry
  }

  func walk(
    _ selection: EntrySelection, after: EntryKey?, isBackward: Bool, isWhole: Bool,
    atMost count: Int, _ body: (Found) throws -> Bool
  ) throws -> Bool {
    var walk = FolderWalk(
      root, cache, prefix: Array(selection.prefix.utf8), after: try after.map(FolderPath.bytes),
      isBackward: isBackward)
    while let path = try walk.next() {
      try flag.check()
      guard try body(Found(key: EntryKey(textBytes: path), path: path)) else { return false }
    }
    return true
  }

  func matches(_ found: inout Found, _ selection: EntrySelection) -> Bool {
    guard let matcher = selection.matcher else { return true }
    guard selection.filter?.field == .values else {
      return found.path.withUnsafeBytes { matcher.matches($0) }
    }
    found.file = read(found.key, for: selection.scan)
    return found.file.map { matcher.matches(.data($0.bytes), of: found.key) } ?? false
  }

  func entry(of found: Found, _ detail: EntryPageQuery.Detail) throws -> Entry {
    switch detail {
    case .keys: return Entry(key: found.key)
    case .values:
      guard let file = found.file ?? read(found.key, for: nil) else {
        return try summary(found.key, isBytes: true)
      }
      let entry = file.entry(found.key)
      return expiry?.timed(entry) { nil } ?? entry
    case .summary: return try summary(found.key)
    }
  }

  /// Returns the entry for a file from its metadata alone.
  ///
  /// Links and special files are listed but never read.
  ///
  /// The type of a file that could not be read is data, as it is not known to be text.
  private func summary(_ key: EntryKey, isBytes: Bool = false) throws -> Entry {
    // A folder that may not be listed.
    if key.isOfFolder {
      var folder = Entry(key: key, type: .data, size: 0)
      folder.specialType = "folder"
      return folder
    }
    let path = try FolderPath(key)
    guard let directory = try? root.directory(path.parents),
      let status = try? directory.status(of: path.name)
    else { return Entry(key: key) }
    var entry = Entry(
      key: key, type: status.isRegular && !isBytes ? nil : .data, size: status.size,
      modified: status.modified)
    entry.specialType = status.specialType
    guard let expiry, status.isRegular else { return entry }
    return expiry.timed(entry) { FolderExpiry.start(of: path.name, in: directory) }
  }

  /// Returns a file, or nil if it was removed, is not regular, or cannot be read, which is reported
  /// to the scan.
  private func read(_ key: EntryKey, for scan: Scan?) -> FolderReader.File? {
    do {
      guard !key.isOfFolder else {
        throw StoreError.unreadableFolder
      }
      return try FolderReader(root: root).read(key)
    } catch StoreError.notSupported {
      // Links and special files have no value to search.
    } catch let failure as FileFailure {
      let sentences = FileMessages(key.spoken)
      scan?.report(unreadable: key, sentences.storeError(failure, .reading))
    } catch {
      scan?.report(unreadable: key, StoreError(error))
    }
    return nil
  }
}
