/// The themes of the `Themes` folder, embedded so that they work without files.
enum EmbeddedThemes {
  /// The contents of each theme by its name.
  ///
  /// To add a theme, add a line here and its file to the package manifest.
  static let all: [String: [UInt8]] = [
    "catppuccin-latte": PackageResources.catppuccin_latte_json,
    "catppuccin-mocha": PackageResources.catppuccin_mocha_json,
    "colour-blind-dark": PackageResources.colour_blind_dark_json,
    "colour-blind-light": PackageResources.colour_blind_light_json,
    "dracula": PackageResources.dracula_json,
    "gruvbox-dark": PackageResources.gruvbox_dark_json,
    "gruvbox-light": PackageResources.gruvbox_light_json,
    "high-contrast": PackageResources.high_contrast_json,
    "high-contrast-light": PackageResources.high_contrast_light_json,
    "larder-dark": PackageResources.larder_dark_json,
    "larder-light": PackageResources.larder_light_json,
    "monochrome": PackageResources.monochrome_json,
    "nord": PackageResources.nord_json,
    "solarized-dark": PackageResources.solarized_dark_json,
    "solarized-light": PackageResources.solarized_light_json,
    "tokyo-night": PackageResources.tokyo_night_json,
  ]
}
