public import Foundation

/// A mapper from objects to keyed archives.
///
/// It supports all classes of the application, and Foundation's classes for strings, numbers,
/// dates, data, URLs, UUIDs, locales, arrays, sets and dictionaries. Other classes are rejected,
/// because on Linux Foundation crashes when it reads a damaged archive of them.
///
/// - Warning: `NSKeyedArchiver` itself crashes on Linux if an object contains itself, has a class
///   that is nested in another type, or has a URL relative to another.
public final class NSCodingToDataMapper<T: NSCoding>: Mapper<T, Data>, @unchecked Sendable {
  /// Archives the object, and verifies that the archive can be read.
  ///
  /// - Parameter from: The object.
  /// - Returns: A binary property list that ``DataToNSCodingMapper`` reads.
  /// - Throws: ``CoreError/DataSerialization`` if the object cannot be archived or read again.
  public override func map(_ from: T) throws -> Data {
    do {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: from, requiringSecureCoding: false)
      _ = try Archive.object(of: T.self, in: data)
      return data
    } catch {
      throw CoreError.DataSerialization("Cannot archive \(T.self): \(error)")
    }
  }
}

/// A mapper from keyed archives to objects.
///
/// Damaged archives are errors: the contents are checked before Foundation reads them, which would
/// otherwise crash. An archive chooses the classes of its objects, and the application's classes
/// decode themselves, so read only archives from trusted sources.
public final class DataToNSCodingMapper<T: NSCoding>: Mapper<Data, T>, @unchecked Sendable {
  /// Reads the archived object.
  ///
  /// - Parameter from: The archive, a binary property list.
  /// - Returns: The object.
  /// - Throws: ``CoreError/DataSerialization`` if this is not an archive of such an object, or if
  ///   its objects contain themselves or are nested more than 200 levels deep.
  public override func map(_ from: Data) throws -> T {
    do {
      return try Archive.object(of: T.self, in: from)
    } catch {
      throw CoreError.DataSerialization.notArchive(T.self, error)
    }
  }
}

private enum Archive {
  static func object<T>(of type: T.Type, in data: Data) throws -> T {
    try ArchiveCheck.check(data)
    let archive = try NSKeyedUnarchiver(forReadingFrom: data)
    archive.requiresSecureCoding = false
    archive.decodingFailurePolicy = .setErrorAndReturn
    let object = archive.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    archive.finishDecoding()
    if let error = archive.error { throw error }
    guard let object = object as? T else { throw ArchiveFlaw.wrongClass(type) }
    return object
  }
}
