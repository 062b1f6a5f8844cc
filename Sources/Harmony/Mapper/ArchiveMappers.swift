public import Foundation

/// A mapper from objects to keyed archives.
public final class NSCodingToDataMapper<T: NSCoding>: Mapper<T, Data>, @unchecked Sendable {
  /// Archives the object.
  ///
  /// - Parameter from: The object.
  /// - Returns: A binary property list that ``DataToNSCodingMapper`` reads.
  /// - Throws: ``CoreError/DataSerialization`` if the object cannot be archived.
  public override func map(_ from: T) throws -> Data {
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: from, requiringSecureCoding: false)
    } catch {
      throw CoreError.DataSerialization("Cannot archive \(T.self): \(error)")
    }
  }
}

/// A mapper from keyed archives to objects.
///
/// An archive says which classes its objects are of, and those decode themselves. Read only
/// archives that nobody else can write.
public final class DataToNSCodingMapper<T: NSCoding>: Mapper<Data, T>, @unchecked Sendable {
  /// Reads the archived object.
  ///
  /// - Parameter from: The archive.
  /// - Returns: The object.
  /// - Throws: ``CoreError/DataSerialization`` if this is no archive, or not one of such an object.
  public override func map(_ from: Data) throws -> T {
    let object: Any?
    do {
      let archive = try NSKeyedUnarchiver(forReadingFrom: from)
      archive.requiresSecureCoding = false
      archive.decodingFailurePolicy = .setErrorAndReturn
      object = archive.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
      archive.finishDecoding()
      if let error = archive.error { throw error }
    } catch {
      throw CoreError.DataSerialization("Not an archive of \(T.self): \(error)")
    }
    guard let object = object as? T else {
      throw CoreError.DataSerialization("The archive holds no \(T.self)")
    }
    return object
  }
}
