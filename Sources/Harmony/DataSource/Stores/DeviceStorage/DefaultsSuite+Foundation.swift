import CPreferences
import Foundation

/// What `UserDefaults` does too broadly, or not at all, by the calls that it makes itself.
extension DefaultsSuite {
  /// Lets Foundation save what the process has set in this suite, or read it anew if that is nothing.
  ///
  /// `UserDefaults.synchronize()` does that with every suite that the process knows, also with those
  /// of which others hold the lock just now.
  ///
  /// - Returns: Whether all is saved.
  func synchronize() -> Bool {
    withApplication { application in
      let user = kCFPreferencesCurrentUser
      let host = kCFPreferencesAnyHost
      let isDone = CFPreferencesSynchronize(application, user, host) != 0
      // Another thread may have put values together meanwhile, of what is outdated now.
      CFPreferencesSetMultiple(nil, nil, application, user, host)
      return isDone
    }
  }

  /// Sets a list or dictionary in the memory of the process.
  ///
  /// `UserDefaults` makes arrays of Swift's of it on the way, which stops a program that Foundation is
  /// linked into.
  ///
  /// - Parameters:
  ///   - collection: The list or dictionary.
  ///   - key: Its key.
  /// - Returns: Whether the value is one.
  func set(collection: DefaultsValue, forKey key: String) -> Bool {
    switch collection {
    case .array, .dictionary: break
    default: return false
    }
    guard let object = Self.object(collection) else { return false }
    let key = key as NSString
    withExtendedLifetime(key) {
      withApplication { CFPreferencesSetAppValue(Self.place(of: key), object, $0) }
    }
    CFRelease(object)
    return true
  }

  /// Does something with the name of the suite as Foundation has it.
  private func withApplication<Result>(_ body: (UnsafeRawPointer?) -> Result) -> Result {
    // Foundation has another memory for the defaults of the process, which have no name.
    if isStandard { return body(kCFPreferencesCurrentApplication) }
    let name = name as NSString
    return withExtendedLifetime(name) { body(Self.place(of: name)) }
  }

  private static func place(of object: NSObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  /// The object of a value, which the caller has to release.
  private static func object(_ value: DefaultsValue) -> UnsafeRawPointer? {
    switch value {
    case .array(let values):
      guard let list = cp_array() else { return nil }
      for value in values {
        guard let element = object(value) else { continue }
        CFArrayAppendValue(list, element)
        CFRelease(element)
      }
      return UnsafeRawPointer(list)
    case .dictionary(let values):
      guard let dictionary = cp_dictionary() else { return nil }
      for (key, value) in values {
        guard let element = object(value) else { continue }
        let key = key as NSString
        withExtendedLifetime(key) { CFDictionarySetValue(dictionary, place(of: key), element) }
        CFRelease(element)
      }
      return UnsafeRawPointer(dictionary)
    default: return UnsafeRawPointer(Unmanaged.passRetained(leaf(value)).toOpaque())
    }
  }

  private static func leaf(_ value: DefaultsValue) -> NSObject {
    switch value {
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .data(let value): value as NSData
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .string(let text): text as NSString
    case .url: (value.nested as? String ?? "") as NSString
    case .array, .dictionary: NSNull()
    }
  }
}
