import Harmony
import HarmonyRealm
import LarderModel

/// A lookup of objects by the keys of their entries, in one version of a file.
struct RealmLookup {
  let reading: RealmReading
  let found: RealmClass
  let places: ObjectKeyCache
  /// The path of the file, for error messages.
  let path: String

  /// Returns the complete entry for a key, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` if the object cannot be read.
  func entry(_ key: EntryKey) throws -> Entry? {
    guard let objectKey = try objectKey(key),
      let object = try reading.object(objectKey, of: found)
    else { return nil }
    return try object.entry(key, path)
  }

  /// Returns the object key of an entry, or nil if there is none.
  func objectKey(_ key: EntryKey) throws -> Int64? {
    guard let primary = found.primaryKey else {
      guard case .integer(let number) = key else { return nil }
      return try reading.hasObject(number, in: found) ? number : nil
    }
    if let place = places[key],
      try reading.value(of: primary, place, in: found)?.entryKey == key
    {
      return place
    }
    guard let value = RealmValue(key, primary.type) else { return nil }
    let result = try reading.objectKey(primaryKey: value, of: found)
    if let result { places.note(key, result) }
    return result
  }

  /// Returns the object key after which a page begins that follows an entry.
  ///
  /// If the entry does not exist any more, that is its last known position or, failing that, the
  /// position before the entry with the next larger key.
  func place(after key: EntryKey, isBackward: Bool) throws -> Int64? {
    if found.primaryKey == nil {
      switch key {
      case .integer(let number): return number
      case .null: return isBackward ? 0 : nil
      default: return isBackward ? nil : .max
      }
    }
    if let place = try objectKey(key) { return place }
    if let place = places[key] { return place }
    guard let primary = found.primaryKey else { return nil }
    var next: (key: EntryKey, place: Int64)?
    try reading.forEachValue(of: primary, in: found) { objectKey, value in
      if let other = value.entryKey, key < other, next.map({ other < $0.key }) ?? true {
        next = (other, objectKey)
      }
      return true
    }
    guard let next else { return isBackward ? nil : .max }
    return isBackward ? next.place : next.place == 0 ? nil : next.place - 1
  }
}
