/// The themes of the folder `Themes`, compiled in so that a program without files has them.
enum EmbeddedThemes {
  /// The text of each theme by its name.
  ///
  /// A new theme is one line here and one word in the manifest.
  static let all: [String: [UInt8]] = [
    "larder-dark": PackageResources.larder_dark_json,
    "larder-light": PackageResources.larder_light_json,
    "monochrome": PackageResources.monochrome_json,
  ]
}
