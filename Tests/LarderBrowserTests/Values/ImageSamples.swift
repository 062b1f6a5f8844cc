/// Small images of every kind, 11 by 9 pixels, and what other programs read in them.
enum ImageSamples {
  static let width = 11
  static let height = 9

  struct Sample: Sendable, CustomStringConvertible {
    var description: String
    var base64: String
    /// Red, green, blue and alpha of each pixel.
    var pixels: String
  }

  static let all = plainPNGs + interlacedPNGs + otherImages
}
