CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, photo BLOB);
INSERT INTO people (name, born, photo) VALUES
  ('Ada', 1815, x'89504E470D0A1A0A'), ('Grace', 1906, x'89504E470D0A1A0A'),
  ('Alan', 1912, x'89504E470D0A1A0A'), ('Zoë', 2011, x'89504E470D0A1A0A'),
  ('李小龍', 1940, x'89504E470D0A1A0A');

CREATE TABLE settings (key TEXT PRIMARY KEY, value);
INSERT INTO settings VALUES
  ('Double.pi', 3.14159265359), ('Int.pi', 3), ('ui.theme', 'larder-dark'), ('ui.font.size', 13),
  ('sync.last', 1767225600), ('sync.error', NULL),
  ('profile', '{"name":"Ada","tags":["math","engine"],"admin":true}');

CREATE TABLE sessions (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
INSERT INTO sessions SELECT 'session:' || n || ':token', 't-' || (n * 7919) FROM numbers;

CREATE TABLE visits (country TEXT, day INTEGER, count INTEGER, PRIMARY KEY (country, day));
WITH countries(place, country) AS (VALUES (0, 'AT'), (1, 'BE'), (2, 'CH'), (3, 'DE')),
  days(day) AS (VALUES (1), (2), (3), (4), (5), (6), (7))
INSERT INTO visits SELECT country, day, day * 13 + place FROM countries, days;

CREATE VIEW adults AS SELECT name, born FROM people WHERE born < 2008;

CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
WITH RECURSIVE
  numbers(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM numbers WHERE n < 119),
  steps(n, step, now) AS (
    SELECT n, n * 7919 % 1000, CAST(strftime('%s', 'now') AS INTEGER) FROM numbers),
  entries(key, value, expires_at) AS (
    SELECT 'feed:' || (1000 + n),
      '{"id":' || n || ',"title":"Story ' || n || '","text":"'
        || replace(hex(zeroblob(n * 37 % 60)), '00', 'Lorem ipsum ') || '"}',
      now + step * 60 - 6000
    FROM steps
    UNION ALL
    SELECT 'session:' || (1000 + n), 't-' || (n * 7919), now + step * 20 - 1800 FROM steps
    UNION ALL
    SELECT 'user:' || (1000 + n),
      '{"name":"User ' || n || '","admin":' || iif(n % 9 = 0, 'true', 'false') || '}',
      now + step * 90 + 600
    FROM steps WHERE n < 40
    UNION ALL
    SELECT 'feature:' || n, iif(n % 2 = 0, 'true', 'false'), NULL FROM steps WHERE n < 8)
INSERT INTO cache SELECT key, CAST(value AS BLOB), expires_at FROM entries;

CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id),
  item TEXT NOT NULL, quantity INTEGER, total REAL, status TEXT, note TEXT, ordered TEXT);
WITH RECURSIVE
  numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 60),
  items(i, item) AS (VALUES (0, 'notebook'), (1, 'pencil'), (2, 'slide rule'),
    (3, 'punched cards'), (4, 'lamp'), (5, 'compass')),
  states(s, status) AS (VALUES (0, 'paid'), (1, 'open'), (2, 'shipped'), (3, 'paid'),
    (4, 'returned'))
INSERT INTO orders
  SELECT n, n * 3 % 5 + 1, item, n * 7 % 5 + 1,
    (n * 7 % 5 + 1) * (n * 137 % 900 + 95) / 100.0, status,
    iif(n % 6 = 0, 'gift wrapped', NULL), '2026-' || (10 + n / 40) || '-' || (10 + n % 18)
  FROM numbers JOIN items ON i = n * 5 % 6 JOIN states ON s = n * 3 % 5;
