import Foundation
import LarderModel

extension PropertyListKind {
  /// Creates the settings of an app, with every property list type.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>AppleLanguages</key>
      \t<array>
      \t\t<string>en</string>
      \t\t<string>ca</string>
      \t</array>
      \t<key>Double.pi</key>
      \t<real>3.14159265359</real>
      \t<key>LaunchCount</key>
      \t<integer>42</integer>
      \t<key>FirstLaunch</key>
      \t<date>2026-01-31T09:41:00Z</date>
      \t<key>Token</key>
      \t<data>
      \tAP8QIA==
      \t</data>
      \t<key>Tracking</key>
      \t<false/>
      \t<key>Window</key>
      \t<dict>
      \t\t<key>Frame</key>
      \t\t<string>{{0, 0}, {800, 600}}</string>
      \t\t<key>Zoomed</key>
      \t\t<true/>
      \t</dict>
      </dict>
      </plist>

      """
    return try SampleFile.make("defaults.plist", in: folder, text)
  }
}

extension PreferencesKind {
  /// Creates the preferences of an Android app, in the format that Android writes.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let text = """
      <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
      <map>
          <string name="user.name">Ada</string>
          <int name="launches" value="42" />
          <long name="last_sync" value="1767225600000" />
          <float name="volume" value="0.8" />
          <boolean name="dark_mode" value="true" />
          <set name="topics">
              <string>stores</string>
              <string>caches</string>
          </set>
      </map>

      """
    return try SampleFile.make("preferences.xml", in: folder, text)
  }
}

/// A sample that consists of one file.
enum SampleFile {
  /// Creates a text file in a folder, unless it exists, and returns its path.
  static func make(
    _ name: String, in folder: String, _ text: String
  ) throws(StoreError) -> String {
    try make(name, in: folder, Data(text.utf8))
  }

  /// Creates the file in a folder, unless it exists, and returns its path.
  static func make(_ name: String, in folder: String, _ bytes: Data) throws(StoreError) -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    do {
      try bytes.write(to: URL(fileURLWithPath: path))
    } catch {
      throw .failed("the sample \(path) cannot be made: \(error.localizedDescription)")
    }
    return path
  }
}
