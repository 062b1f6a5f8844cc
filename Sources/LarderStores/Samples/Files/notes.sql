CREATE TABLE catalystLocalStorage (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO catalystLocalStorage VALUES
  ('@notes:open', '[1,2]'), ('@notes:theme', '"dark"'), ('@user:token', 't-7919');
