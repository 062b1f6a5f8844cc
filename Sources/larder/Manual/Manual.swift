import LarderModel
import LarderBrowser
import LarderStores

extension Subcommand {
  static let man = Subcommand(
    name: "man", summary: "print the manual page; to read it: larder man | man -l -"
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    output.lines(Manual.page(arguments.file.configuration.bindings))
    output.flush()
    return .done
  }
}

/// The manual page, generated from the program's own tables.
enum Manual {
  /// Returns the manual page.
  ///
  /// - Parameter bindings: The key bindings in effect.
  /// - Returns: The source for `man`.
  static func page(_ bindings: Bindings) -> String {
    var page = Roff(
      name: "larder", section: 1, date: Version.date, source: "larder \(Version.number)")
    page.section("Name")
    // Unescaped, because programs that index manuals parse this line.
    page.paragraph(Messages.manualTitle)
    page.section("Synopsis")
    page.paragraph("larder [LOCATION…] [OPTIONS]")
    page.paragraph("larder COMMAND [ARGUMENT…] [OPTIONS]")
    addDescription(&page)
    addCommands(&page)
    page.section(Messages.commonOptionsTitle)
    for option in OptionSpec.common { add(option, to: &page) }
    page.section(Messages.browserOptionsTitle)
    for option in OptionSpec.browser { add(option, to: &page) }
    addStores(&page)
    page.section("Keys")
    for (title, commands) in Command.groups {
      page.part(title)
      for command in commands {
        let keys = bindings.text(of: command)
        page.term(keys.isEmpty ? ":\(command.id)" : "\(keys)   :\(command.id)", command.help)
      }
    }
    addSettings(&page)
    addSurroundings(&page)
    return page.text
  }

  private static func addDescription(_ page: inout Roff) {
    page.section("Description")
    for paragraph in Messages.manualDescription { page.paragraph(paragraph) }
  }

  private static func addCommands(_ page: inout Roff) {
    page.section("Commands")
    for command in Subcommand.all {
      page.part(command.line)
      page.paragraph(command.sentence)
      for option in command.options { add(option, to: &page) }
    }
  }

  private static func add(_ option: OptionSpec, to page: inout Roff) {
    let notes = [
      option.usual.map { " [default: \($0)]" }, option.variable.map { " [env: \($0)]" },
    ].compactMap(\.self)
    page.term(option.usage, option.help + notes.joined())
  }

  private static func addStores(_ page: inout Roff) {
    page.section("Locations")
    page.paragraph(Messages.manualLocations)
    for kind in Stores.kinds {
      page.term(kind.name, "\(kind.recognizedBy); keys: \(kind.keys)")
    }
  }

  private static func addSettings(_ page: inout Roff) {
    page.section("Settings")
    page.paragraph(Messages.manualSettings)
    for setting in ConfigurationSetting.all {
      page.term(setting.name, setting.help)
      page.example(["\"\(setting.name)\": \(setting.example)"])
    }
  }

  private static func addSurroundings(_ page: inout Roff) {
    page.section("Environment")
    page.paragraph(Messages.environmentRule)
    for option in Environment.options {
      page.term(option.variable ?? "", Environment.meaning(of: option))
    }
    for variable in Environment.others {
      page.term(
        variable.name, variable.meaning + (variable.usual.map { "; default: \($0)" } ?? ""))
    }
    page.section("Files")
    for (name, meaning) in Messages.manualFiles { page.term(name, meaning) }
    page.section("Exit status")
    for (code, meaning) in ExitCode.meanings { page.term("\(code.rawValue)", meaning) }
    page.section("Examples")
    for example in examples + Subcommand.all.flatMap(\.examples) {
      page.paragraph(example.meaning)
      page.example([example.line])
    }
    page.section("See also")
    page.paragraph("sqlite3(1), plistutil(1), jq(1)")
  }

  private static let examples = [
    Subcommand.Example(
      "Browse a database and two more stores:", "larder app.db settings.json ~/cache"),
    Subcommand.Example(
      "Copy all settings to another app:",
      "larder export a.plist | larder import b.plist --replace"),
  ]
}
