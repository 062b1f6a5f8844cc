import Foundation
import Harmony
import Testing

@Suite struct ArchiveMapperTests {
  @Test func `An object survives a round trip through its archive`() throws {
    let array = NSArray(array: [1, "two", Date(timeIntervalSince1970: 3.5)])
    let data = try NSCodingToDataMapper<NSArray>().map(array)
    #expect(try DataToNSCodingMapper<NSArray>().map(data) == array)
  }

  @Test func `Data that is not an archive of the expected class is an error`() throws {
    let number = try NSCodingToDataMapper<NSNumber>().map(7)
    let mapper = DataToNSCodingMapper<NSArray>()
    for data in [Data(), Data("no archive".utf8), Data("bplist00garbage".utf8), number] {
      #expect(throws: CoreError.DataSerialization.self) { try mapper.map(data) }
    }
    #expect(throws: CoreError.DataSerialization.self) { try mapper.map(number.dropLast(20)) }
  }
}
