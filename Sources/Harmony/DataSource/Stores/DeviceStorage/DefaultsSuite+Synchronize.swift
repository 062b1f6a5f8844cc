import CPreferences
import Foundation

extension DefaultsSuite {
  /// Lets Foundation save what the process has set in this suite, or read it anew if that is nothing.
  ///
  /// `UserDefaults.synchronize()` does that with every suite that the process knows, also with those
  /// of which others hold the lock just now.
  ///
  /// - Returns: Whether all is saved.
  func synchronize() -> Bool {
    let name = name as NSString
    return withExtendedLifetime(name) {
      // Foundation has another memory for the defaults of the process, which have no name.
      let application =
        isStandard
        ? kCFPreferencesCurrentApplication
        : UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
      let user = kCFPreferencesCurrentUser
      let host = kCFPreferencesAnyHost
      let isDone = CFPreferencesSynchronize(application, user, host) != 0
      // Another thread may have put values together meanwhile, of what is outdated now.
      CFPreferencesSetMultiple(nil, nil, application, user, host)
      return isDone
    }
  }
}
