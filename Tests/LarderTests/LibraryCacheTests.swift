import Foundation
import Testing

/// Caches that third-party libraries write, and read back after larder has changed them.
///
/// The libraries run on a simulated clock, so no test has to wait for an expiry.
@Suite struct LibraryCacheTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A library and the cache that it makes.
  struct Library: Sendable, CustomTestStringConvertible {
    let name: String
    /// The package to install.
    let package: String
    /// A Python script that sets `cache` to a cache in the folder `root`, at the time `now`.
    let script: String
    /// The location of the cache, relative to the folder.
    let location: String

    var testDescription: String { name }
  }

  private static let django = """
    import datetime
    from django.conf import settings
    settings.configure(USE_TZ=True, CACHES={'default': {
        'BACKEND': 'django.core.cache.backends.%', 'LOCATION': '%'.replace('ROOT', root)}},
      DATABASES={'default': {
        'ENGINE': 'django.db.backends.sqlite3', 'NAME': root + '/django.db'}})
    import django
    django.setup()
    from django.core.cache import cache

    """

  static let libraries = [
    Library(
      name: "Django's table", package: "python3-django",
      script: filled(django, "db.DatabaseCache", "pages") + """
        import django.core.cache.backends.db as backend
        from django.core.management import call_command
        call_command('createcachetable', verbosity=0)
        from django.utils import timezone
        now = lambda: datetime.datetime.fromtimestamp(time.time(), datetime.timezone.utc)
        timezone.now = backend.tz_now = now
        """,
      location: "django.db#pages"),
    Library(
      name: "Django's files", package: "python3-django",
      script: filled(django, "filebased.FileBasedCache", "ROOT/files"), location: "files"),
    Library(
      name: "diskcache", package: "python3-diskcache",
      script: """
        import diskcache
        cache = diskcache.Cache(root + '/disk')
        """, location: "disk/cache.db#Cache"),
    Library(
      name: "cachelib", package: "python3-cachelib",
      script: """
        from cachelib.file import FileSystemCache
        cache = FileSystemCache(root + '/cachelib')
        """, location: "cachelib"),
  ]

  private static func filled(_ script: String, _ words: String...) -> String {
    words.reduce(script) { text, word in
      text.firstRange(of: "%").map { text.replacingCharacters(in: $0, with: word) } ?? text
    }
  }

  /// The simulated time at the start of a test, in seconds since 1970.
  private static let start = 2_000_000_000

  /// Runs a script with a cache, a number of seconds after the start.
  private func python(_ library: Library, after seconds: Int, _ script: String) throws -> [String] {
    try python(
      package: library.package,
      """
      import sys, time
      root = sys.argv[1]
      time.time = lambda: \(Self.start + seconds).0
      \(library.script)
      \(script)
      """)
  }

  private func python(package: String, _ script: String) throws -> [String] {
    let outcome = try Shell.run("/usr/bin/python3", ["-W", "ignore", "-c", script, scratch.path])
    guard outcome.code == 0 else {
      throw ScratchError(
        text: "a library did not do its part; apt-get install \(package) if it is missing: "
          + outcome.errors)
    }
    return outcome.lines
  }

  @Test(arguments: libraries)
  func `the library honors an expiry set by larder`(library: Library) throws {
    let put = "cache.set('a', 'one', 60)"
    _ = try python(library, after: 0, put)
    let location = scratch.file(library.location)
    let first = try Shell.larder("ls", location, "--json", "--sort", "expires").lines
    let line = try #require(first.first { $0.contains(#""expires":"2033-05-18T03:34:20"#) })
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    // The plain list shows the key in the notation to type.
    let keys = try Shell.larder("ls", location).lines
    let key = try #require(
      keys.first { $0 == "\(object?["key"] ?? "")" } ?? (keys.count == 1 ? keys.first : nil))
    _ = try python(library, after: 0, "cache.set('b', 'two', 60)")
    #expect(
      try Shell.larder("touch", location, key, "--at", "2033-05-18T04:33:20Z").code == 0)
    let get = "print(cache.get('a'), cache.get('b'))"
    #expect(try python(library, after: 30, get) == ["one two"])
    #expect(try python(library, after: 600, get) == ["one None"])
    #expect(try python(library, after: 3_601, get) == ["None None"])
  }

  @Test func `deleting from a diskcache removes the value's file, and undo restores it`()
    throws
  {
    let library = try #require(Self.libraries.first { $0.name == "diskcache" })
    _ = try python(
      library, after: 0,
      "cache.set('big', b'x' * 200_000); cache.set('gone', 1, 60); cache.set(('a', 1), 'pair')")
    let location = scratch.file(library.location)
    let state = """
      import warnings
      warnings.simplefilter('always')
      print(len(cache.check()), len(cache.get('big', b'')), cache.get('gone'), cache.get(('a', 1)),
        cache.get('new'), len(cache))
      """
    #expect(try Shell.larder("ls", location).lines.prefix(2) == ["big", "gone"])
    #expect(try Shell.larder("rm", location, "big").code == 0)
    #expect(try Shell.larder("rm", location, "gone").code == 0)
    #expect(
      try Shell.larder("put", location, "new", #"{"value": "text"}"#, "--type", "record").code == 0)
    #expect(try python(library, after: 0, state) == ["0 0 None pair text 2"])
    for _ in 0..<3 { #expect(try Shell.larder("undo", location).code == 0) }
    #expect(try python(library, after: 0, state) == ["0 200000 1 pair None 3"])
  }

  /// Makes a diskcache with values in its table and in files, and returns its location.
  private func diskcache() throws -> (library: Library, location: String) {
    let library = try #require(Self.libraries.first { $0.name == "diskcache" })
    _ = try python(
      library, after: 0,
      "cache.set('bytes', b'x' * 100_000); cache.set('text', 'needle' * 10_000); "
        + "cache.set('pickle', list(range(50_000))); cache.set('small', {'a': 1})")
    return (library, scratch.file("disk"))
  }

  @Test func `an export of a diskcache holds the values of files and can be imported`()
    throws
  {
    let (library, folder) = try diskcache()
    let location = scratch.file(library.location)
    _ = try python(library, after: 0, "diskcache.Cache(root + '/other')")
    let export = try Shell.larder("export", location)
    #expect(export.code == 0 && export.lines.count == 4)
    let file = try scratch.file("export.jsonl", export.output)
    #expect(try Shell.larder("diff", location, file).code == 0)
    let again = try Shell.larder("import", location, file, "--json").text
    #expect(again.contains(#""imported":0,"same":4"#), "\(again)")
    let other = scratch.file("other/cache.db#Cache")
    #expect(try Shell.larder("import", other, file).code == 0)
    let compare = """
      other = diskcache.Cache(root + '/other')
      print(len(other), all(cache[key] == other[key] for key in cache), len(other.check()))
      """
    #expect(try python(library, after: 0, compare) == ["4 True 0"])
    #expect(try Shell.larder("rm", other, "bytes", "pickle", "small", "text").code == 0)
    #expect(try Shell.larder("cp", location, other, "--prefix", "").code == 0)
    #expect(try python(library, after: 0, compare) == ["4 True 0"])
    #expect(try Shell.larder("get", location, "text").text.contains("needle"))
    #expect(
      try Shell.larder("ls", location, "--match", "needleneedle", "--in-values").lines == ["text"])
    try FileManager.default.removeItem(
      atPath: folder + "/"
        + scratch.query(
          folder + "/cache.db", "SELECT filename FROM Cache WHERE key = 'text'")[0])
    let partial = try Shell.larder("export", location)
    #expect(partial.code == 3 && partial.lines.count == 3)
  }

  @Test func `columns that larder sets in a diskcache are not attributed to triggers`() throws {
    let (library, _) = try diskcache()
    let location = scratch.file(library.location)
    let touched = try Shell.larder("touch", location, "small", "--at", "2099-01-01T00:00:00Z")
    #expect(touched.code == 0 && touched.errors.isEmpty, "\(touched.errors)")
    let written = try Shell.larder("put", location, "small", #"{"value": "v"}"#, "--json")
    #expect(written.code == 0 && written.errors.isEmpty, "\(written.errors)")
    let size = try Shell.larder("put", location, "bytes", #"{"value": "v"}"#)
    #expect(size.errors.contains("“Settings”") && !size.errors.contains("“mode”"))
    #expect(try python(library, after: 0, "print(cache['bytes'], cache['small'])") == ["b'v' b'v'"])
    let deleted = try Shell.larder("rm", location, "small", "--no-journal")
    #expect(deleted.errors.contains("1 row in “Settings”"), "\(deleted.errors)")
  }

  @Test func `the folder of a diskcache opens as the cache`() throws {
    let (library, folder) = try diskcache()
    let location = scratch.file(library.location)
    #expect(try Shell.larder("ls", folder).lines == ["bytes", "pickle", "small", "text"])
    #expect(try Shell.larder("rm", folder, "text").code == 0)
    #expect(try Shell.larder("undo", folder).code == 0)
    #expect(try Shell.larder("ls", location).lines.count == 4)
    let files = try Shell.larder("ls", folder + "#.").lines
    #expect(files.count == 4 && files.contains("cache.db"))
    _ = try scratch.file("disk/notes.txt", "mine".utf8)
    #expect(try Shell.larder("ls", folder).lines.contains("notes.txt"))
  }

  @Test func `an expiry that larder cannot set is not recognized`() throws {
    let script = """
      import sys
      from datetime import datetime
      from requests_cache.backends.sqlite import SQLiteCache
      from requests_cache.models import CachedResponse
      cache = SQLiteCache(sys.argv[1] + '/http.db')
      if not list(cache.responses.keys()):
          response = CachedResponse(
            status_code=200, url='http://a/', expires=datetime(2033, 5, 18, 3, 34, 20))
          response._content = b'x'
          cache.responses['k'] = response
      print(cache.responses['k'].expires)
      """
    let package = "python3-requests-cache"
    #expect(try python(package: package, script) == ["2033-05-18 03:34:20"])
    let location = scratch.file("http.db#responses")
    #expect(try Shell.larder("ls", location).lines == ["k"])
    let refused = try Shell.larder("touch", location, "k", "--at", "2033-05-18T04:33:20Z")
    #expect(refused.code == 5, "\(refused.errors)")
    #expect(try python(package: package, script) == ["2033-05-18 03:34:20"])
  }
}
