import Foundation
import Testing

/// The DocC catalogues.
@Suite struct CatalogueTests {
  static let catalogues =
    FileManager.default.enumerator(
      at: ReadmeBlock.page(""), includingPropertiesForKeys: nil)?
    .compactMap { $0 as? URL }.filter { $0.pathExtension == "docc" } ?? []

  @Test func `There are catalogues`() {
    #expect(Self.catalogues.count >= 6)
  }

  @Test(arguments: catalogues)
  func `A catalogue has a first page, which leads to all others`(_ catalogue: URL) throws {
    let name = catalogue.deletingPathExtension().lastPathComponent
    let first = try String(
      contentsOf: catalogue.appending(path: name + ".md"), encoding: .utf8)
    #expect(first.hasPrefix("# ``\(name)``\n"))
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
    for page in pages where page.hasSuffix(".md") && page != name + ".md" {
      #expect(first.contains("<doc:\(page.dropLast(3))>"), "\(page)")
    }
    for link in first.matches(of: /<doc:(\w+)>/) {
      #expect(pages.contains(link.output.1 + ".md"), "\(link.output.1)")
    }
  }

  @Test func `The walks through the files name files that there are`() throws {
    let page = ReadmeBlock.page("LarderUI/LarderUI.docc/HowLarderIsBuilt.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let paths = text.matches(of: /`Sources\/([^`]+\.swift)`/).map { String($0.output.1) }
    #expect(paths.count > 20)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: ReadmeBlock.page(path).path), "\(path)")
    }
  }
}
