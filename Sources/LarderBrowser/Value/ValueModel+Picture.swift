import LarderModel
import LarderFormats

extension ValueModel {
  /// The bytes of the image to decode, or `nil` if no image is shown or it is decoded already or
  /// being decoded.
  var undecodedPicture: [UInt8]? {
    guard content.awaitsPicture, picture == nil, !isDecoding else { return nil }
    return image?.bytes
  }

  /// An image that can be drawn, and the format that shows it.
  private var image: (bytes: [UInt8], format: String)? {
    guard let value = innerValue, let best = formats.first else { return nil }
    if case .data(let bytes) = value, formats.contains(ValueFormat.image.name) {
      return PictureDecoder.canRead(bytes) ? (bytes, ValueFormat.image.name) : nil
    }
    // An image inside a value is drawn only if its format is the best one.
    guard ValueFormat.openers.contains(best), let format = ValueFormat.named(best),
      let bytes = (reading?.contents[best] ?? format.compared(value)).bytes,
      PictureDecoder.canRead(bytes)
    else { return nil }
    return (bytes, best)
  }

  /// Returns the content with the image in it, as far as it has been decoded.
  func drawn(_ content: ValueContent, height: Int) -> ValueContent {
    guard let (bytes, imageFormat) = image, format == imageFormat else { return content }
    guard let picture else {
      var content = ValueContent(
        head: content.head, .lines([ValueLine([.init(Messages.decoding, .note)])]))
      content.awaitsPicture = true
      return content
    }
    var content = content
    // A truncated header is already reported in the header lines.
    let hasHeader = ImageFacts(of: bytes)?.size != nil
    if hasHeader, let problem = picture.problem {
      let text = Messages.image(problem, isDrawn: picture.picture != nil)
      let line = ValueLine([.init(text, .note)])
      content.head.insert(line, at: max(0, content.head.count - 1))
    }
    guard let image = picture.picture else { return content }
    let room = max(4, height - content.head.count)
    let rows = image.fitting(width: max(1, width), height: room * 2).rows
    content.body = .lines(
      rows.map { cells in
        var line = ValueLine([])
        line.picture = cells
        return line
      })
    return content
  }
}
