import LarderDocuments

@testable import LarderFormats
@testable import LarderModel

/// Renders each message of `LarderFormats`.
extension MessageCatalogueTests {
  private typealias M = LarderFormats.Messages

  private static let encoded: [FormatError] = [
    .unknownVersion, .surplusBytes, .tooManyObjects, .repeatedObjects, .danglingReference,
    .unmatchedEnd, .invalidNumber, .invalidLength, .invalidKey, .notUTF8, .mixedString,
    .unknownCode(7), .unknownOpcode(0xFE, at: 3), .missing("list"), .customEncoding("a.B"),
    .noMemory, .invalidCompression, .separateDictionary, .wrongChecksum, .earlyReference,
    .noPixels, .invalidHeader, .unknownFilter, .compressedBMP, .unknownColors(bits: 3),
    .unknownColors(bits: 3, type: 7), .tooLargeToDraw(pixels: 100_000_000, side: 65_535),
    .wrongChecksum(ofChunk: "IDAT"), .unknownChunk("ABCD"),
  ]

  private static let lines: [EntryLine.Failure] = [
    .notObject, .noKey, .noValue, .invalidKey, .notDate, .repeated("key"),
    .notJSON(JSONParser.Failure(problem: .notUTF8, line: 1, column: 2)),
    .unknownType(.text("thing")), .wrongType(.text, not: .data),
  ]

  private static let values: [ValueText.Failure] = [
    .nullText, .notBool, .notNumber, .notInteger, .integerRange, .realRange, .notDate, .notUUID,
    .halfByte, .notArray, .notObject, .inexactReal("0.1", nearest: "0.2"), .notHexadecimal("g"),
    .noColumn("a", among: ["b", "c"]), .notPropertyList(.noNull), .fixedColumn,
    .memberExists("[0].a"), .memberGone("[0].a"), .columnGone("a"),
  ]

  /// The errors of `LarderFormats`.
  static let formats =
    encoded.map(\.reason) + lines.map(\.description) + values.map(\.description)

  /// The texts of displayed values.
  static let headings =
    [
      Duration.noMonths, ExpiryText.forms, M.jwt, M.mmkv, M.restNotShown, M.duplicateName,
      M.fieldsByNumber, M.notShown(2, of: 3), M.notShown(2, of: 3, "bytes"),
      M.partialJava(before: 7, problem), M.install("libzstd1", for: "zstd", "2 bytes"),
      M.headerCutOff, M.comparedAsText("March"), M.bits(1, per: "pixel"), M.bits(8, per: "sample"),
    ] + FlutterValue.Kind.allCases.map(M.flutter) + [0, 2, 3, 4, 6, 7].map(M.colors(ofPNG:))
    + [nil, problem].flatMap { problem in
      [false, true].map { M.decoded("php", "2 bytes", problem: problem, isCut: $0) }
    }
}
