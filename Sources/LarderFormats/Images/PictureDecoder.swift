/// What was made of the bytes of an image.
package struct DecodedPicture: Sendable, Equatable {
  /// The picture, as far as it could be read; nil where nothing could.
  package var picture: Picture?
  /// What is wrong with the bytes.
  package var problem: String?
}

/// Reads the pixels of images that need no more than the system has.
///
/// These are PNG, and BMP that is not compressed. Bytes that are damaged, or made to do harm, end it early.
package enum PictureDecoder {
  /// The maximum number of pixels that are read.
  static let maximumPixels = 100_000_000
  /// The maximum number of pixels of a side.
  static let maximumSide = 65_535

  /// Why bytes are no image that can be read.
  struct Problem: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  /// Whether the bytes begin as an image that can be read.
  package static func canRead(_ bytes: [UInt8]) -> Bool {
    let header = ImageHeader(bytes)
    return ImageFacts.png(header) != nil || ImageFacts.bmp(header) != nil
  }

  /// Reads an image, made smaller; that of many pixels takes a second or more.
  ///
  /// - Parameters:
  ///   - bytes: The image.
  ///   - isCancelled: Whether nobody waits for it any more; asked now and then.
  /// - Returns: The picture, or what hinders it.
  package static func decode(
    _ bytes: [UInt8], isCancelled: @escaping () -> Bool = { false }
  ) -> DecodedPicture {
    do {
      if ImageFacts.png(ImageHeader(bytes)) != nil {
        var decoder = try PNGDecoder(bytes)
        return decoder.decode(isCancelled)
      }
      return try BMPDecoder(bytes).decode(isCancelled)
    } catch {
      return DecodedPicture(problem: error.text)
    }
  }

  /// Checks the size of an image.
  static func check(width: Int, height: Int) throws(Problem) {
    guard width > 0, height > 0 else { throw Problem("it has no pixels") }
    guard width <= maximumSide, height <= maximumSide, width * height <= maximumPixels else {
      throw Problem(
        "it is not drawn: more than \(maximumPixels / 1_000_000) million pixels, or "
          + "\(maximumSide) on a side")
    }
  }

  /// The sums for an image of a size.
  static func sums(_ width: Int, _ height: Int) -> PictureSums {
    PictureSums(
      width, height, fittingWidth: Picture.maximumSide, height: Picture.maximumSide)
  }
}
