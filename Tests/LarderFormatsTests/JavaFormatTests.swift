import LarderModel
import Testing

@testable import LarderFormats

/// Objects that Java serialized, shown as a structure.
@Suite struct JavaFormatTests {
  /// Streams of OpenJDK 17.0.15.
  private enum Sample {
    static let string = "rO0ABXQABmjDqWxsbw=="
    static let list = """
      rO0ABXNyABNqYXZhLnV0aWwuQXJyYXlMaXN0eIHSHZnHYZ0DAAFJAARzaXpleHAAAAADdwQAAAADdAADb25ldAAD\
      dHdvcQB+AAJ4
      """
    static let map = """
      rO0ABXNyABdqYXZhLnV0aWwuTGlua2VkSGFzaE1hcDTATlwQbMD7AgABWgALYWNjZXNzT3JkZXJ4cgARamF2YS51\
      dGlsLkhhc2hNYXAFB9rBwxZg0QMAAkYACmxvYWRGYWN0b3JJAAl0aHJlc2hvbGR4cD9AAAAAAAAYdwgAAAAgAAAA\
      EXQAAmlkc3IAEWphdmEubGFuZy5JbnRlZ2VyEuKgpPeBhzgCAAFJAAV2YWx1ZXhyABBqYXZhLmxhbmcuTnVtYmVy\
      hqyVHQuU4IsCAAB4cAAAACp0AANiaWdzcgAUamF2YS5tYXRoLkJpZ0ludGVnZXKM/J8fqTv7HQMABkkACGJpdENv\
      dW50SQAJYml0TGVuZ3RoSQATZmlyc3ROb256ZXJvQnl0ZU51bUkADGxvd2VzdFNldEJpdEkABnNpZ251bVsACW1h\
      Z25pdHVkZXQAAltCeHEAfgAF///////////////+/////v////91cgACW0Ks8xf4BghU4AIAAHhwAAAADQGO6Q/2\
      w3Pg7k4/CtJ4dAAEd2hlbnNyAA5qYXZhLnV0aWwuRGF0ZWhqgQFLWXQZAwAAeHB3CAAAAYvP5Wh7eHQABHV1aWRz\
      cgAOamF2YS51dGlsLlVVSUS8mQP3mG2FLwIAAkoADGxlYXN0U2lnQml0c0oAC21vc3RTaWdCaXRzeHCN7wEjRWeJ\
      qwGJq80SNHq8dAAFY29sb3J+cgAJR2VuJENvbG9yAAAAAAAAAAASAAB4cgAOamF2YS5sYW5nLkVudW0AAAAAAAAA\
      ABIAAHhwdAAFR1JFRU50AANzZXRzcgARamF2YS51dGlsLkhhc2hTZXS6RIWVlri3NAMAAHhwdwwAAAAQP0AAAAAA\
      AAFzcgAOamF2YS5sYW5nLkxvbmc7i+SQzI8j3wIAAUoABXZhbHVleHEAfgAFAAAAAAAAAAF4dAACb2ZzcgARamF2\
      YS51dGlsLkNvbGxTZXJXjqu2OhuoEQMAAUkAA3RhZ3hwAAAAAXcEAAAAAnQAAXh0AAF5eHQAA21hcHNxAH4AHgAA\
      AAN3BAAAAAJ0AAFrc3IAEWphdmEubGFuZy5Cb29sZWFuzSBygNWc+u4CAAFaAAV2YWx1ZXhwAXh0AANhcnJzcgAa\
      amF2YS51dGlsLkFycmF5cyRBcnJheUxpc3TZpDy+zYgG0gIAAVsAAWF0ABNbTGphdmEvbGFuZy9PYmplY3Q7eHB1\
      cgATW0xqYXZhLmxhbmcuTnVtYmVyO41Ghsxc4RUsAgAAeHAAAAACc3IAEGphdmEubGFuZy5Eb3VibGWAs8JKKWv7\
      BAIAAUQABXZhbHVleHEAfgAFP/gAAAAAAABzcgAPamF2YS5sYW5nLkZsb2F02u3Jots88OwCAAFGAAV2YWx1ZXhx\
      AH4ABUAgAAB0AAR0cmVlc3IAEWphdmEudXRpbC5UcmVlU2V03ZhQk5Xth1sDAAB4cHB3BAAAAAJ0AAFhdAABYnh0\
      AAd0cmVlbWFwc3IAEWphdmEudXRpbC5UcmVlTWFwDMH2Pi0lauYDAAFMAApjb21wYXJhdG9ydAAWTGphdmEvdXRp\
      bC9Db21wYXJhdG9yO3hwcHcEAAAAAXNxAH4ABAAAAAF0AAFpeHQAAmxsc3IAFGphdmEudXRpbC5MaW5rZWRMaXN0\
      DClTXUpgiCIDAAB4cHcEAAAAA3NyAA9qYXZhLmxhbmcuU2hvcnRoTTcTNGDaUgIAAVMABXZhbHVleHEAfgAFAAFz\
      cgAOamF2YS5sYW5nLkJ5dGWcTmCE7lD1HAIAAUIABXZhbHVleHEAfgAFAnNyABNqYXZhLmxhbmcuQ2hhcmFjdGVy\
      NItH2WsaJngCAAFDAAV2YWx1ZXhwAGN4dAADZGVxc3IAFGphdmEudXRpbC5BcnJheURlcXVlIHzaLiQNoIsDAAB4\
      cHcEAAAAAXQAAWR4dAADY293c3IAKWphdmEudXRpbC5jb25jdXJyZW50LkNvcHlPbldyaXRlQXJyYXlMaXN0eF2f\
      1UarkMMDAAB4cHcEAAAAAXQAAXd4dAADY2htc3IAJmphdmEudXRpbC5jb25jdXJyZW50LkNvbmN1cnJlbnRIYXNo\
      TWFwZJneEp2HKT0DAANJAAtzZWdtZW50TWFza0kADHNlZ21lbnRTaGlmdFsACHNlZ21lbnRzdAAxW0xqYXZhL3V0\
      aWwvY29uY3VycmVudC9Db25jdXJyZW50SGFzaE1hcCRTZWdtZW50O3hwAAAADwAAABx1cgAxW0xqYXZhLnV0aWwu\
      Y29uY3VycmVudC5Db25jdXJyZW50SGFzaE1hcCRTZWdtZW50O1J3P0Eymzl0AgAAeHAAAAAQc3IALmphdmEudXRp\
      bC5jb25jdXJyZW50LkNvbmN1cnJlbnRIYXNoTWFwJFNlZ21lbnQfNkyQWJMpPQIAAUYACmxvYWRGYWN0b3J4cgAo\
      amF2YS51dGlsLmNvbmN1cnJlbnQubG9ja3MuUmVlbnRyYW50TG9ja2ZVqCwsyGrrAgABTAAEc3luY3QAL0xqYXZh\
      L3V0aWwvY29uY3VycmVudC9sb2Nrcy9SZWVudHJhbnRMb2NrJFN5bmM7eHBzcgA0amF2YS51dGlsLmNvbmN1cnJl\
      bnQubG9ja3MuUmVlbnRyYW50TG9jayROb25mYWlyU3luY2WIMudTe78LAgAAeHIALWphdmEudXRpbC5jb25jdXJy\
      ZW50LmxvY2tzLlJlZW50cmFudExvY2skU3luY7geopSqRFp8AgAAeHIANWphdmEudXRpbC5jb25jdXJyZW50Lmxv\
      Y2tzLkFic3RyYWN0UXVldWVkU3luY2hyb25pemVyZlWoQ3U/UuMCAAFJAAVzdGF0ZXhyADZqYXZhLnV0aWwuY29u\
      Y3VycmVudC5sb2Nrcy5BYnN0cmFjdE93bmFibGVTeW5jaHJvbml6ZXIz36+5rW1vqQIAAHhwAAAAAD9AAABzcQB+\
      AFNzcQB+AFcAAAAAP0AAAHNxAH4AU3NxAH4AVwAAAAA/QAAAc3EAfgBTc3EAfgBXAAAAAD9AAABzcQB+AFNzcQB+\
      AFcAAAAAP0AAAHNxAH4AU3NxAH4AVwAAAAA/QAAAc3EAfgBTc3EAfgBXAAAAAD9AAABzcQB+AFNzcQB+AFcAAAAA\
      P0AAAHNxAH4AU3NxAH4AVwAAAAA/QAAAc3EAfgBTc3EAfgBXAAAAAD9AAABzcQB+AFNzcQB+AFcAAAAAP0AAAHNx\
      AH4AU3NxAH4AVwAAAAA/QAAAc3EAfgBTc3EAfgBXAAAAAD9AAABzcQB+AFNzcQB+AFcAAAAAP0AAAHNxAH4AU3Nx\
      AH4AVwAAAAA/QAAAc3EAfgBTc3EAfgBXAAAAAD9AAAB0AAFwdAABcXBweHQAAmh0c3IAE2phdmEudXRpbC5IYXNo\
      dGFibGUTuw8lIUrkuAMAAkYACmxvYWRGYWN0b3JJAAl0aHJlc2hvbGR4cD9AAAAAAAAIdwgAAAALAAAAAXQAAWh0\
      AAF0eHQAA2Nsc3ZxAH4AFHgA
      """
    static let pairs = """
      rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AA\
      AAAAAAx3CAAAABAAAAABc3IAEWphdmEudXRpbC5Db2xsU2VyV46rtjobqBEDAAFJAAN0YWd4cAAAAAF3BAAAAAFz\
      cgARamF2YS5sYW5nLkludGVnZXIS4qCk94GHOAIAAUkABXZhbHVleHIAEGphdmEubGFuZy5OdW1iZXKGrJUdC5Tg\
      iwIAAHhwAAAAAXh0AAF2eA==
      """
    static let point3 = """
      rO0ABXNyAApHZW4kUG9pbnQzAAAAAAAAAAECAAFMAAF6dAASTGphdmEvbGFuZy9TdHJpbmc7eHIACUdlbiRQb2lu\
      dAAAAAAAAAABAgAMQgABYkMAAWNGAAFmSgABbFoAAm9uUwABc0kAAXhEAAF5WwABYXQAAltJWwAFbmFtZXN0ABNb\
      TGphdmEvbGFuZy9TdHJpbmc7TAAEbm9uZXQAEkxqYXZhL2xhbmcvT2JqZWN0O1sAA3Jhd3QAAltCeHD/AOk/wAAA\
      AAABAAAAAAAB/tQAAAADv+AAAAAAAAB1cgACW0lNumAmduqypQIAAHhwAAAAAgAAAAH////+dXIAE1tMamF2YS5s\
      YW5nLlN0cmluZzut0lbn6R17RwIAAHhwAAAAAnQAAWFwcHVyAAJbQqzzF/gGCFTgAgAAeHAAAAACAP90AAl6wIDt\
      oL3tuIA=
      """
    static let custom = """
      rO0ABXNyAApHZW4kQ3VzdG9tAAAAAAAAAAEDAAFJAAFueHAAAAAHdwQAAAECdAAFZXh0cmF4
      """
    static let ext = """
      rO0ABXNyAAdHZW4kRXh0k+UroLGLCRUMAAB4cHcEAAJoaXNyABFqYXZhLmxhbmcuSW50ZWdlchLioKT3gYc4AgAB\
      SQAFdmFsdWV4cgAQamF2YS5sYW5nLk51bWJlcoaslR0LlOCLAgAAeHAAAAAFeA==
      """
    static let cycle = """
      rO0ABXNyAAhHZW4kTm9kZQAAAAAAAAABAgACTAAEbmFtZXQAEkxqYXZhL2xhbmcvU3RyaW5nO0wABG5leHR0AApM\
      R2VuJE5vZGU7eHB0AAFhc3EAfgAAdAABYnEAfgAD
      """
    static let two = "rO0ABXQAAWF1cgACW0lNumAmduqypQIAAHhwAAAAAQAAAAE="
    static let instant = """
      rO0ABXNyAA1qYXZhLnRpbWUuU2VylV2EuhsiSLIMAAB4cHcNAgAAAABlU/EAAAAAAHg=
      """
    static let proxy = """
      rO0ABXN9AAAAAQAHR2VuJFNheXhyABdqYXZhLmxhbmcucmVmbGVjdC5Qcm94eeEn2iDMEEPLAgABTAABaHQAJUxq\
      YXZhL2xhbmcvcmVmbGVjdC9JbnZvY2F0aW9uSGFuZGxlcjt4cHNyACFqYXZhLmxhbmcuaW52b2tlLlNlcmlhbGl6\
      ZWRMYW1iZGFvYdCULCk2hQIACkkADmltcGxNZXRob2RLaW5kWwAMY2FwdHVyZWRBcmdzdAATW0xqYXZhL2xhbmcv\
      T2JqZWN0O0wADmNhcHR1cmluZ0NsYXNzdAARTGphdmEvbGFuZy9DbGFzcztMABhmdW5jdGlvbmFsSW50ZXJmYWNl\
      Q2xhc3N0ABJMamF2YS9sYW5nL1N0cmluZztMAB1mdW5jdGlvbmFsSW50ZXJmYWNlTWV0aG9kTmFtZXEAfgAHTAAi\
      ZnVuY3Rpb25hbEludGVyZmFjZU1ldGhvZFNpZ25hdHVyZXEAfgAHTAAJaW1wbENsYXNzcQB+AAdMAA5pbXBsTWV0\
      aG9kTmFtZXEAfgAHTAATaW1wbE1ldGhvZFNpZ25hdHVyZXEAfgAHTAAWaW5zdGFudGlhdGVkTWV0aG9kVHlwZXEA\
      fgAHeHAAAAAGdXIAE1tMamF2YS5sYW5nLk9iamVjdDuQzlifEHMpbAIAAHhwAAAAAHZyAANHZW4AAAAAAAAAAAAA\
      AHhwdAAjamF2YS9sYW5nL3JlZmxlY3QvSW52b2NhdGlvbkhhbmRsZXJ0AAZpbnZva2V0AFMoTGphdmEvbGFuZy9P\
      YmplY3Q7TGphdmEvbGFuZy9yZWZsZWN0L01ldGhvZDtbTGphdmEvbGFuZy9PYmplY3Q7KUxqYXZhL2xhbmcvT2Jq\
      ZWN0O3QAA0dlbnQAFmxhbWJkYSRtYWluJDcwNmIxN2RiJDFxAH4AD3EAfgAP
      """
    static let bomb = """
      rO0ABXVyABNbTGphdmEubGFuZy5PYmplY3Q7kM5YnxBzKWwCAAB4cAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVx\
      AH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAA\
      AAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+\
      AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAAC\
      dXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAA\
      AAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVx\
      AH4AAAAAAAJ1cQB+AAAAAAACdXEAfgAAAAAAAnVxAH4AAAAAAAJ1cQB+AAAAAAABdAABeHEAfgApcQB+AChxAH4A\
      J3EAfgAmcQB+ACVxAH4AJHEAfgAjcQB+ACJxAH4AIXEAfgAgcQB+AB9xAH4AHnEAfgAdcQB+ABxxAH4AG3EAfgAa\
      cQB+ABlxAH4AGHEAfgAXcQB+ABZxAH4AFXEAfgAUcQB+ABNxAH4AEnEAfgARcQB+ABBxAH4AD3EAfgAOcQB+AA1x\
      AH4ADHEAfgALcQB+AApxAH4ACXEAfgAIcQB+AAdxAH4ABnEAfgAFcQB+AARxAH4AA3EAfgAC
      """
  }

  private static let all = [
    Sample.string, Sample.list, Sample.map, Sample.pairs, Sample.point3, Sample.custom, Sample.ext,
    Sample.cycle, Sample.two, Sample.instant, Sample.proxy, Sample.bomb,
  ]

  /// The lines of a stream without indentation.
  private func lines(_ sample: String) -> [String] {
    FormatSample(sample).lines.map { String($0.drop { $0 == " " }) }
  }

  @Test func `Streams are named and shown first`() {
    for sample in Self.all { #expect(FormatSample(sample).format == "java") }
    #expect(lines(Sample.string) == ["java: text", #""héllo""#])
    #expect(
      lines(Sample.list) == [
        "java: java.util.ArrayList", "[", #""one","#, #""two","#, #""one""#, "]",
      ])
    #expect(lines(Sample.two) == ["java: 2 objects", "[", #""a","#, "[", "1", "]", "]"])
  }

  @Test func `Boxed numbers, dates, UUIDs and collections have their own forms`() {
    let lines = lines(Sample.map).joined(separator: " ")
    for part in [
      "java: java.util.LinkedHashMap {", #""id": 42,"#,
      #""big": -123456789012345678901234567890,"#, #""when": {"date":"2023-11-14T22:13:20.123Z"},"#,
      #""uuid": {"uuid":"0189ABCD-1234-7ABC-8DEF-0123456789AB"},"#, #""color": "GREEN","#,
      #""set": [ 1 ],"#, #""of": [ "x", "y" ],"#, #""map": { "k": true },"#,
      #""arr": [ 1.5, 2.5 ],"#, #""tree": [ "a", "b" ],"#, #""treemap": { "1": "i" },"#,
      #""ll": [ 1, 2, "c" ],"#, #""deq": [ "d" ],"#, #""cow": [ "w" ],"#,
      #""ht": { "h": "t" },"#, #""cls": "class Gen$Color""#,
    ] {
      #expect(lines.contains(part), "\(part)")
    }
    #expect(
      self.lines(Sample.pairs) == [
        "java: java.util.HashMap", "[", "{", #""key": ["#, "1", "],", #""value": "v""#, "}", "]",
      ])
  }

  @Test func `Other objects have their class and fields`() {
    let lines = lines(Sample.point3).joined(separator: " ")
    #expect(
      lines.hasPrefix(
        #"java: Gen$Point3 { "class": "Gen$Point3", "b": -1, "c": "é", "f": 1.5, "#
          + #""l": 1099511627776, "on": true, "s": -300, "x": 3, "y": -0.5, "a": [ 1, -2 ], "#
          + #""names": [ "a", null ], "none": null, "raw": {"base64":"AP8="}, "#))
    // Java writes zero as two bytes, and characters beyond 16 bits as two surrogates.
    #expect(lines.contains(#""z": "z\u0000😀""#))
    let custom = self.lines(Sample.custom).joined(separator: " ")
    #expect(custom.contains(#""n": 7, "bytes written": {"base64":"AAABAg=="}"#))
    #expect(custom.contains(#""objects written": [ "extra" ]"#))
    #expect(self.lines(Sample.ext).contains("5"))
  }

  @Test func `An object that contains itself is shown once`() {
    #expect(
      lines(Sample.cycle).suffix(5) == [
        #""class": "Gen$Node","#, #""name": "b","#,
        #""next": "… recursive, the enclosing Gen$Node""#, "}", "}",
      ])
  }

  @Test func `A damaged stream lists its classes and strings`() {
    let bytes = FormatSample(Sample.list).bytes
    let short = FormatSample(.data(Array(bytes.dropLast(6))))
    #expect(
      short.lines.map { String($0.drop { $0 == " " }) } == [
        "java: the classes and strings before byte \(bytes.count - 6); it ends too early", "{",
        #""classes": ["#, #""java.util.ArrayList""#, "],", #""strings": ["#, #""one","#, #""two""#,
        "]", "}",
      ])
  }

  @Test func `Forty levels of shared objects do not become a trillion`() {
    #expect(lines(Sample.bomb)[0].hasSuffix(FormatError.tooManyObjects.reason))
  }

  @Test func `Nesting and lengths are limited`() {
    let start: [UInt8] = [0xAC, 0xED, 0, 5]
    let name: [UInt8] = [0, 2, 0x5B, 0x4C] + Array(repeating: 0, count: 8) + [2, 0, 0, 0x78, 0x70]
    let array = [0x75, 0x72] + name + [0, 0, 0, 1]
    let nested =
      start + array
      + Array(repeatElement([0x75, 0x71, 0, 0x7E, 0, 0, 0, 0, 0, 1], count: 50_000).joined())
    let inherited =
      start + [0x73] + Array(repeatElement([0x72] + name.dropLast(), count: 50_000).joined())
    let lengths: [[UInt8]] = [
      start + [0x7C, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      start + [0x75, 0x72] + name + [0xFF, 0xFF, 0xFF, 0xFF],
      start + [0x7A, 0xFF, 0xFF, 0xFF, 0xFF], start + [0x73, 0x7D, 0xFF, 0xFF, 0xFF, 0xFF],
      start + [0x71, 0xFF, 0xFF, 0xFF, 0xFF],
      start + [0x71, 0, 0x7E, 0, 0], start + [0x79, 0x78], start + [0x7B],
    ]
    // One class name of 65,535 bytes, in as many texts as there are references.
    let long = [0x72, 0xFF, 0xFF] + [UInt8](repeating: 0x41, count: 65_535) + name.dropFirst(4)
    let names =
      start + long + Array(repeatElement([0x71, 0, 0x7E, 0, 0], count: 100_000).joined())
    let objects =
      start + [0x73] + long
      + Array(repeatElement([0x73, 0x71, 0, 0x7E, 0, 0], count: 100_000).joined())
    for bytes in [names, objects] {
      #expect(FormatSample(.data(bytes)).lines[0].hasSuffix(FormatError.tooManyObjects.reason))
    }
    for bytes in [nested, inherited, names, objects] + lengths {
      let time = ContinuousClock().measure {
        let head = ValueFormat.named("java")?.lines(.data(bytes), 10, 80).first?.text ?? ""
        #expect(head.hasPrefix("java: the classes and strings before byte"), "\(head)")
      }
      #expect(time < .seconds(5))
    }
  }

  /// A list of integers that share the bytes of their magnitude.
  private func integers(_ count: Int, of magnitude: [UInt8]) -> FormatSample {
    func number(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    func type(_ name: String) -> [UInt8] {
      [0x72, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8](repeating: 0, count: 8) + [2]
    }
    let end: [UInt8] = [0x78, 0x70]
    let list = [0x75] + type("[L") + [0, 0] + end + number(count)
    let fields =
      [0, 2, 0x49, 0, 6] + Array("signum".utf8) + [0x5B, 0, 9] + Array("magnitude".utf8)
    let first =
      [0x73] + type("java.math.BigInteger") + fields + [0x74, 0, 2, 0x5B, 0x42] + end + number(1)
      + [0x75] + type("[B") + [0, 0] + end + number(magnitude.count) + magnitude
    let other = [0x73, 0x71, 0, 0x7E, 0, 2] + number(1) + [0x71, 0, 0x7E, 0, 6]
    let others = Array(repeatElement(other, count: count - 1).joined())
    return FormatSample(.data([0xAC, 0xED, 0, 5] + list + first + others))
  }

  @Test func `The conversion of large integers is limited, and that of small ones is not`() {
    let large = integers(1_000, of: [UInt8](repeating: 0xFF, count: 1_000))
    #expect(large.lines[0].hasSuffix(FormatError.tooManyObjects.reason))
    let small = integers(1_000, of: [1] + [UInt8](repeating: 0, count: 8))
    #expect(
      small.lines.prefix(4) == [
        "java: [L", "[", "  18446744073709551616,", "  18446744073709551616,",
      ])
  }

  @Test func `Integers of more than a thousand bytes are shown in hex`() {
    let lines = integers(1, of: [UInt8](repeating: 0xFF, count: 1_001)).lines
    #expect(lines[2] == #"  "0x"# + String(repeating: "ff", count: 1_001) + "\"")
  }

  @Test func `The preview is the structure`() {
    let preview = ValuePreview(FormatSample(Sample.list).value)
    #expect(preview.kind == "java" && preview.text == #"["one","two","one"]"#)
  }

  @Test func `No damage traps or takes long`() {
    for sample in Self.all where sample != Sample.bomb {
      FormatSample(sample).withstandsDamage(in: ["java"])
    }
  }

  @Test func `Java inside base64 or compressed data is shown in turn`() {
    let text = FormatSample(.text(Sample.list))
    #expect(text.format == "base64")
    #expect(
      text.lines.prefix(2) == ["base64: 75 bytes from 100, as java", "java: java.util.ArrayList"])
    // A Zstandard frame of one block that is not compressed.
    let content = FormatSample(Sample.list).bytes
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 75, 75 << 3 & 0xFF | 1, 75 >> 5, 0] + content
    #expect(FormatSample(.data(frame)).lines.prefix(2).last == "java: java.util.ArrayList")
  }
}
