import Foundation
import Testing

@testable import TerminalUI

/// Requirements for all themes in the `Themes` folder; new themes are included automatically.
@Suite struct BundledThemeTests {
  static let names = EmbeddedThemes.all.keys.sorted()

  @Test func everyFileOfTheFolderIsCompiledIn() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Themes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    #expect(files.map { String($0.dropLast(5)) }.sorted() == Self.names)
    for file in files {
      let contents = try Data(contentsOf: folder.appending(path: file))
      #expect(EmbeddedThemes.all[String(file.dropLast(5))] == [UInt8](contents))
    }
  }

  @Test(arguments: names)
  func loadsWithoutAWarningUnderItsName(name: String) throws {
    let (theme, warnings) = try ThemeLoader().load(name)
    #expect(warnings == [])
    #expect(theme.name == name)
  }

  @Test(arguments: names)
  func textStandsOutFromItsBackground(name: String) throws {
    let theme = try ThemeLoader().load(name).theme
    for role in ThemeRole.allCases where role != .border {
      let style = theme[role]
      guard let text = style.foreground.components, let ground = style.background.components else {
        continue
      }
      #expect(text.contrast(with: ground) >= 4.5, "\(role.rawValue)")
    }
  }

  @Test(arguments: names)
  func textStandsOutWith256Colors(name: String) throws {
    let theme = try ThemeLoader().load(name).theme
    for role in ThemeRole.allCases where role != .border {
      let style = ColorDepth.indexed256.reduce(theme[role])
      guard let text = style.foreground.components, let ground = style.background.components else {
        continue
      }
      #expect(text.contrast(with: ground) >= 4.5, "\(role.rawValue)")
    }
  }

  @Test(arguments: names, [ColorDepth.ansi8, .ansi16])
  func textStandsOutWithNamedColors(name: String, depth: ColorDepth) throws {
    let theme = try ThemeLoader().load(name).theme.fitted(to: depth)
    for role in ThemeRole.allCases where role != .border {
      let style = depth.reduce(theme[role])
      guard let ground = style.background.components else { continue }
      let text = try #require(style.foreground.components, "\(role.rawValue)")
      #expect(text.contrast(with: ground) >= 4.5, "\(role.rawValue)")
      // Bold black is gray on such terminals.
      #expect(
        depth == .ansi16 || style.foreground != .ansi(.black) || !style.attributes.contains(.bold))
    }
  }

  @Test(arguments: ["default-light", "default"])
  func `Named colors stand out on the terminal's background`(name: String) throws {
    let theme = try ThemeLoader().load(name).theme
    let ground = RGB.ansi[name == "default" ? 0 : 15]
    for role in ThemeRole.allCases where theme[role].background == .default && role != .border {
      guard let text = theme[role].foreground.components else { continue }
      #expect(text.contrast(with: ground) >= 4.5, "\(role.rawValue)")
    }
  }

  @Test(arguments: names)
  func valuesStandOutFromSelectedRows(name: String) throws {
    let theme = try ThemeLoader().load(name).theme
    for row in [ThemeRole.listRowSelected, .listRowSelectedUnfocused] {
      for role in ThemeRole.allCases where role.rawValue.hasPrefix("value.") {
        guard let text = theme[role].foreground.components,
          let ground = theme[row].background.components
        else { continue }
        #expect(text.contrast(with: ground) >= 3, "\(role.rawValue) on \(row.rawValue)")
      }
    }
  }

  @Test(arguments: names, ColorDepth.allCases)
  func importantRolesDifferFromPlainText(name: String, depth: ColorDepth) throws {
    let theme = try ThemeLoader().load(name).theme.fitted(to: depth)
    for role in [ThemeRole.listRowSelected, .match, .status, .messageError, .cursor] {
      #expect(depth.reduce(theme[role]) != depth.reduce(theme[.text]), "\(role.rawValue)")
    }
    // Bold alone is hardly visible or invisible.
    let (selected, text) = (depth.reduce(theme[.listRowSelected]), depth.reduce(theme[.text]))
    #expect(
      selected.background != text.background || selected.attributes.contains(.reverse), "\(depth)")
  }

  @Test(arguments: names)
  func `Without colors, selection and focus are still visible`(
    name: String
  ) throws {
    let depth = ColorDepth.monochrome
    let theme = try ThemeLoader().load(name).theme.fitted(to: depth)
    #expect(depth.reduce(theme[.listRowSelected]) != depth.reduce(theme[.text]))
    #expect(depth.reduce(theme[.borderFocused]) != depth.reduce(theme[.title]))
    #expect(try ThemeLoader().load(name).theme.fitted(to: .trueColor).name == name)
  }

  @Test func `A theme of attributes is unchanged without colors`() {
    let theme = Theme(
      name: "x",
      partialStyles: [
        .listRowSelected: PartialStyle(attributes: [.reverse, .bold]),
        .listRowSelectedUnfocused: PartialStyle(attributes: .bold),
        .borderFocused: PartialStyle(attributes: .reverse), .title: PartialStyle(attributes: []),
        .status: PartialStyle(attributes: .underline),
      ])
    #expect(theme.fitted(to: .monochrome) == theme)
  }

  @Test func `The monochrome file equals the built-in theme`() throws {
    let theme = try ThemeLoader().load("monochrome").theme
    #expect(theme == .monochrome)
  }

  @Test func builtInThemesAreComplete() {
    for theme in [Theme.default, .monochrome] {
      #expect(theme[.text] == .plain)
      #expect(theme[.listRowSelected] != theme[.text])
    }
    for role in ThemeRole.allCases {
      #expect(Theme.monochrome[role].foreground == .default)
      #expect(Theme.monochrome[role].background == .default)
    }
    #expect(Theme.monochrome.roles(of: Style(attributes: .underline)).contains(.listHeader))
  }

  @Test func `Roles fall back along their dotted names`() {
    #expect(
      ThemeRole.listRowSelectedUnfocused.fallbacks == [.listRowSelected, .listRow, .text])
    #expect(ThemeRole.valueNull.fallbacks == [.text])
    #expect(ThemeRole.textDim.fallbacks == [.text])
    #expect(ThemeRole.text.fallbacks == [])
    let theme = Theme(
      name: "x",
      partialStyles: [
        .text: PartialStyle(foreground: .ansi(.white), background: .ansi(.black)),
        .listRowSelected: PartialStyle(background: .ansi(.blue), attributes: .bold),
      ])
    #expect(
      theme[.listRowSelectedUnfocused]
        == Style(foreground: .ansi(.white), background: .ansi(.blue), attributes: .bold))
    #expect(theme[.key] == theme[.text])
  }
}
