import LarderModel

/// The result of decoding an image.
package struct DecodedPicture: Sendable, Equatable {
  /// The decoded part of the picture, or nil if nothing could be decoded.
  package var picture: Picture?
  /// The reason why the image is incomplete or unreadable.
  package var problem: String?
}

/// A decoder for PNG and uncompressed BMP images, which needs no image libraries.
///
/// Damaged or malicious data ends the decoding early.
package enum PictureDecoder {
  /// The maximum number of pixels of an image.
  static let maximumPixels = 100_000_000
  /// The maximum width and height in pixels.
  static let maximumSide = 65_535

  /// Whether the bytes start with the header of a supported format.
  package static func canRead(_ bytes: [UInt8]) -> Bool {
    let header = ImageHeader(bytes)
    return ImageFacts.png(header) != nil || ImageFacts.bmp(header) != nil
  }

  /// Decodes an image at a reduced size, which can take more than a second for large ones.
  ///
  /// - Parameters:
  ///   - bytes: The image.
  ///   - isCancelled: Whether to stop early; checked periodically.
  /// - Returns: The picture, the problem that prevented decoding, or both if it is incomplete.
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
      return DecodedPicture(problem: error.reason)
    }
  }

  /// Throws if an image is empty or too large.
  static func check(width: Int, height: Int) throws(FormatError) {
    guard width > 0, height > 0 else { throw .noPixels }
    guard width <= maximumSide, height <= maximumSide, width * height <= maximumPixels else {
      throw .tooLargeToDraw(pixels: maximumPixels, side: maximumSide)
    }
  }

  /// Returns an accumulator for an image of the given size.
  static func sums(_ width: Int, _ height: Int) -> PictureSums {
    PictureSums(
      width, height, fittingWidth: Picture.maximumSide, height: Picture.maximumSide)
  }
}
