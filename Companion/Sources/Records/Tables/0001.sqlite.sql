-- Studies and who takes part in them. Moments are ms since 1970; what is published and what is answered names its version.

CREATE TABLE subject (
  id TEXT PRIMARY KEY NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE study_version (
  sha256 TEXT PRIMARY KEY NOT NULL CHECK (length(sha256) = 64),
  study TEXT NOT NULL,
  version TEXT NOT NULL,
  signer TEXT NOT NULL,
  content BLOB NOT NULL,
  added INTEGER NOT NULL,
  UNIQUE (study, version)
) STRICT;

CREATE TRIGGER study_version_is_fixed BEFORE UPDATE ON study_version
BEGIN SELECT RAISE(ABORT, 'a published version is never changed'); END;

CREATE TABLE enrolment (
  id TEXT PRIMARY KEY NOT NULL,
  subject TEXT NOT NULL REFERENCES subject (id) ON DELETE CASCADE,
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  first_date TEXT NOT NULL,
  seed INTEGER NOT NULL,
  begun INTEGER NOT NULL,
  ended INTEGER,
  ending TEXT CHECK (ending IN ('completed', 'withdrawn')),
  CHECK ((ended IS NULL) = (ending IS NULL)),
  UNIQUE (subject, study_version)
) STRICT;

CREATE TABLE stay (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  since INTEGER NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, since)
) STRICT;

CREATE TABLE response (
  id TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  occurrence TEXT NOT NULL,
  questionnaire TEXT NOT NULL,
  version TEXT NOT NULL,
  opens INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  zone TEXT NOT NULL,
  begun INTEGER NOT NULL,
  completed INTEGER,
  UNIQUE (enrolment, occurrence, questionnaire)
) STRICT;

CREATE TABLE answer (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  value TEXT NOT NULL,
  shown INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  took INTEGER CHECK (took >= 0),
  changes INTEGER NOT NULL CHECK (changes >= 0),
  PRIMARY KEY (response, item, repetition)
) STRICT;

CREATE TABLE repetition (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  PRIMARY KEY (response, item, repetition)
) STRICT;

CREATE TABLE safety_alert (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  value TEXT NOT NULL,
  raised INTEGER NOT NULL,
  help_seen INTEGER,
  delivered INTEGER,
  failure TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  escalated INTEGER,
  acknowledged INTEGER,
  acknowledged_by TEXT,
  PRIMARY KEY (response, item)
) STRICT;
