/// Small images of every kind, 11 by 9 pixels, with their pixels as decoded by other programs.
enum ImageSamples {
  static let width = 11
  static let height = 9

  struct Sample: Sendable, CustomStringConvertible {
    var description: String
    var base64: String
    /// The red, green, blue and alpha components of each pixel.
    var pixels: String
  }

  static let all = plainPNGs + interlacedPNGs + otherImages
}
