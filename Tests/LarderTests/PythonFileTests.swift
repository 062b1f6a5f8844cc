import Testing

/// Files written by Python modules: after larder changes one entry, Python reads the rest
/// unchanged.
@Suite struct PythonFileTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Runs a Python script in the folder.
  private func python(_ script: String, _ words: String...) throws -> [String] {
    let outcome = try Shell.run("python3", ["-c", script] + words, folder: scratch.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  private func change(_ store: String, _ key: String, _ value: String) throws {
    let outcome = try Shell.larder("put", store, key, value, folder: scratch.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test(arguments: ["FMT_XML", "FMT_BINARY"])
  func `A property list of plistlib`(form: String) throws {
    let values = """
      import plistlib, datetime, sys
      values = {
        'z last': 'text', 'number': 42, 'huge': 2**64 - 1, 'least': -2**63, 'real': 0.1, 'whole': 3.0,
        'no': False, 'yes': True, 'date': datetime.datetime(2001, 2, 3, 4, 5, 6), 'bytes': b'\\0\\xff',
        'list': [1, 1.0, True, 'é 🦀', [], {}], 'map': {'b': {'deep': [b'x']}, 'a': ''},
        '': 'no name', 'a.b/c,d': 'odd', 'nul': plistlib.UID(7) if sys.argv[1] == 'FMT_BINARY' else 7,
      }

      """
    _ = try python(
      values + "plistlib.dump(values, open('a.plist', 'wb'), fmt=getattr(plistlib, sys.argv[1]), "
        + "sort_keys=False)", form)
    try change("a.plist", "number", "43")
    let lines = try python(
      values + """
        found = plistlib.load(open('a.plist', 'rb'))
        values['number'] = 43
        print(list(found) == list(values), found == values)
        print([type(a) for a in found.values()] == [type(a) for a in values.values()])
        print([type(a) for a in found['list']] == [type(a) for a in values['list']])
        print(open('a.plist', 'rb').read(6) == (b'bplist' if sys.argv[1] == 'FMT_BINARY' else b'<?xml '))
        """, form)
    #expect(lines == ["True True", "True", "True", "True"])
    #expect(try Shell.larder("undo", "a.plist", folder: scratch.path).code == 0)
    #expect(
      try python(values + "print(plistlib.load(open('a.plist', 'rb')) == values)", form) == ["True"]
    )
  }

  @Test(arguments: ["", "indent=2", "indent='\\t'", "separators=(',', ':')", "ensure_ascii=False"])
  func `A JSON file of the json module`(options: String) throws {
    let make = """
      import json
      values = {'number': 42, 'big': 2**70, 'real': 1e300, 'whole': 3.0, 'none': None, 'no': False,
        'text': 'é\\u2028\\n\\"', 'list': [1, [2.50, {}], []], 'map': {'b': {'': [None]}, 'a': ''}}
      text = json.dumps(values\(options.isEmpty ? "" : ", " + options))
      open('a.json', 'w', newline='').write(text)
      """
    _ = try python(make)
    try change("a.json", "number", "43")
    // Only the two digits differ.
    let found = try python("print(repr(open('a.json', newline='').read()))")
    #expect(try python(make + "\nprint(repr(text.replace('42', '43', 1)))") == found)
  }

  @Test func `A database of the sqlite3 module`() throws {
    let read = """
      import sqlite3
      base = sqlite3.connect('a.db', detect_types=sqlite3.PARSE_DECLTYPES)
      def dump():
        rows = list(base.iterdump())
        rows += [repr(row) for row in base.execute(
          'SELECT rowid, key, value, typeof(value), quote(value) FROM entries ORDER BY rowid')]
        return rows

      """
    let lines = try python(
      read + """
        base.executescript('''
          CREATE TABLE entries(key TEXT PRIMARY KEY, value);
          CREATE TABLE "odd name"(id INTEGER PRIMARY KEY, "a b" REAL CHECK ("a b" > 0), made TIMESTAMP);
          CREATE INDEX by_value ON entries(value);
          CREATE VIEW shown AS SELECT key FROM entries;
        ''')
        base.executemany('INSERT INTO entries VALUES (?, ?)', [
          ('number', 42), ('real', 0.1), ('whole', 3.0), ('none', None), ('text', 'é \\U0001F980'),
          ('bytes', b'\\0\\xff'), ('digits', '007'), ('least', -2**63)])
        base.execute('INSERT INTO "odd name" VALUES (7, 0.5, "2001-02-03 04:05:06")')
        base.commit()
        print('\\n'.join(dump()))
        """)
    try change("a.db#entries", "number", "43")
    let changed = try python(read + "print('\\n'.join(dump()))")
    #expect(
      changed
        == lines.map {
          $0.replacing("'number',42", with: "'number',43")
            .replacing("'number', 42, 'integer', '42'", with: "'number', 43, 'integer', '43'")
        })
    #expect(changed != lines)
    #expect(
      try python(read + "print(*base.execute('PRAGMA integrity_check').fetchone())") == ["ok"])
  }
}
