import LarderModel
import TestSamples
import Foundation
import LarderDocuments
import Testing

@Suite struct KeyedArchiveTests {
  private static func archive(_ object: Any, isXML: Bool = false) throws -> [UInt8] {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    if isXML { archiver.outputFormat = .xml }
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return Array(archiver.encodedData)
  }

  @Test(arguments: [true, false])
  func `Foundation objects are decoded as values`(isXML: Bool) throws {
    let uuid = UUID()
    let object = NSArray(array: [
      NSString("a"), NSNumber(value: 42), NSNumber(value: 1.5), NSData(data: Data([1, 2])),
      NSDate(timeIntervalSinceReferenceDate: 0.5),
      NSURL(string: "https://example.com/a") ?? NSNull(),
      uuid as NSUUID, NSNull(), NSDictionary(dictionary: ["k": NSSet(array: [NSString("v")])]),
      NSMutableArray(array: [NSMutableString(string: "m")]),
    ])
    #expect(
      try KeyedArchive.decode(Self.archive(object, isXML: isXML))
        == .array([
          .text("a"), .integer(42), .real(1.5), .data([1, 2]),
          .date(Date(timeIntervalSinceReferenceDate: 0.5)), .url("https://example.com/a"),
          .uuid(uuid), .null, .dictionary([.init("k", .array([.text("v")]))]),
          .array([.text("m")]),
        ]))
  }

  @Test func `Other objects start with their class, and cycles are cut`() throws {
    let bytes = try PropertyListSamples.python(
      """
      U = plistlib.UID
      objects = ["$null", {"$class": U(2), "name": U(3), "me": U(1), "n": 5, "gone": U(0)},
        {"$classname": "App.Person", "$classes": ["App.Person", "NSObject"]}, "Ann"]
      sys.stdout.buffer.write(plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000,
        "$top": {"root": U(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY, sort_keys=False))
      """)
    #expect(
      KeyedArchive.decode(bytes)
        == .dictionary([
          .init("$class", .text("App.Person")), .init("name", .text("Ann")),
          .init("me", .dictionary([.init("$ref", .integer(1))])), .init("n", .integer(5)),
          .init("gone", .null),
        ]))
  }

  @Test func `Shared objects cannot make an archive expand without limit`() throws {
    let bytes = try PropertyListSamples.python(
      """
      U = plistlib.UID
      objects = ["$null"] + [{"l": [U(n + 1)] * 8} for n in range(1, 60)] + ["end"]
      sys.stdout.buffer.write(plistlib.dumps({"$archiver": "NSKeyedArchiver",
        "$top": {"root": U(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY))
      """)
    #expect(KeyedArchive.decode(bytes) == nil)
  }

  @Test func `Files that are not archives are not decoded`() throws {
    #expect(KeyedArchive.decode([]) == nil)
    #expect(KeyedArchive.decode(Array("bplist00".utf8)) == nil)
    #expect(KeyedArchive.decode(Array("<plist><dict/></plist>".utf8)) == nil)
  }

  @Test func `A damaged archive never traps`() throws {
    var random = SampleGenerator()
    let sample = try Self.archive(
      NSDictionary(dictionary: ["a": NSArray(array: [NSString("b"), NSDate()])]))
    for length in 0..<sample.count { _ = KeyedArchive.decode(Array(sample.prefix(length))) }
    for _ in 0..<1_500 {
      var bytes = sample
      guard let index = bytes.indices.randomElement(using: &random) else { return }
      bytes[index] = .random(in: 0...255, using: &random)
      _ = KeyedArchive.decode(bytes)
    }
  }
}
