public import Foundation

/// A mapper from objects to keyed archives.
///
/// Of Foundation's classes those of texts, numbers, dates, bytes, addresses, identifiers, locales,
/// lists, sets and dictionaries can be archived, and of the application's all. Others are refused, as
/// Foundation stops the process on Linux when it reads a damaged archive of them.
///
/// - Warning: `NSKeyedArchiver` itself ends the process on Linux where an object holds itself, is of a
///   class that is declared inside another, or has an address relative to another.
public final class NSCodingToDataMapper<T: NSCoding>: Mapper<T, Data>, @unchecked Sendable {
  /// Archives the object, and reads the archive back.
  ///
  /// - Parameter from: The object.
  /// - Returns: A binary property list that ``DataToNSCodingMapper`` reads.
  /// - Throws: ``CoreError/DataSerialization`` if the object cannot be archived, or could not be read
  ///   again.
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
/// Damaged archives are errors: what an archive holds is checked before Foundation reads it, which
/// would stop the process. An archive says which classes its objects are of, and those of the
/// application decode themselves. Read only archives that nobody else can write.
public final class DataToNSCodingMapper<T: NSCoding>: Mapper<Data, T>, @unchecked Sendable {
  /// Reads the archived object.
  ///
  /// - Parameter from: The archive, a binary property list.
  /// - Returns: The object.
  /// - Throws: ``CoreError/DataSerialization`` if this is no archive, or not one of such an object,
  ///   or one of objects that hold themselves or are more than 200 deep in each other.
  public override func map(_ from: Data) throws -> T {
    do {
      return try Archive.object(of: T.self, in: from)
    } catch {
      throw CoreError.DataSerialization("Not an archive of \(T.self): \(error)")
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
    guard let object = object as? T else { throw ArchiveFlaw("it holds no \(type)") }
    return object
  }
}
