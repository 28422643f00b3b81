-- Studies and who takes part in them. Moments are ms since 1970; what is published and what is answered names its version.

-- Identity and time of a transaction, set when it begins.
CREATE FUNCTION subject_id() RETURNS TEXT LANGUAGE sql STABLE AS
$$ SELECT nullif(current_setting('app.subject', true), '') $$;

CREATE FUNCTION clock_now() RETURNS BIGINT LANGUAGE sql STABLE AS
$$ SELECT nullif(current_setting('app.now', true), '')::BIGINT $$;

CREATE TABLE subject (
  id TEXT PRIMARY KEY NOT NULL,
  since BIGINT NOT NULL
);

CREATE TABLE study_version (
  sha256 TEXT PRIMARY KEY NOT NULL CHECK (length(sha256) = 64),
  study TEXT NOT NULL,
  version TEXT NOT NULL,
  signer TEXT NOT NULL,
  content BYTEA NOT NULL,
  added BIGINT NOT NULL,
  UNIQUE (study, version)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'a published version is never changed' USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE TRIGGER study_version_is_fixed BEFORE UPDATE ON study_version
FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE enrolment (
  id TEXT PRIMARY KEY NOT NULL,
  subject TEXT NOT NULL REFERENCES subject (id) ON DELETE CASCADE,
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  first_date TEXT NOT NULL,
  seed BIGINT NOT NULL,
  begun BIGINT NOT NULL,
  ended BIGINT,
  ending TEXT CHECK (ending IN ('completed', 'withdrawn')),
  CHECK ((ended IS NULL) = (ending IS NULL)),
  UNIQUE (subject, study_version)
);

CREATE TABLE stay (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  since BIGINT NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, since)
);

CREATE TABLE response (
  id TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  occurrence TEXT NOT NULL,
  questionnaire TEXT NOT NULL,
  version TEXT NOT NULL,
  opens BIGINT NOT NULL,
  closes BIGINT NOT NULL,
  zone TEXT NOT NULL,
  begun BIGINT NOT NULL,
  completed BIGINT,
  UNIQUE (enrolment, occurrence, questionnaire)
);

CREATE TABLE answer (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  value TEXT NOT NULL,
  shown BIGINT NOT NULL,
  answered BIGINT NOT NULL,
  took BIGINT CHECK (took >= 0),
  changes BIGINT NOT NULL CHECK (changes >= 0),
  PRIMARY KEY (response, item, repetition)
);

CREATE TABLE repetition (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  count BIGINT NOT NULL CHECK (count >= 1),
  PRIMARY KEY (response, item, repetition)
);

CREATE TABLE safety_alert (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  value TEXT NOT NULL,
  raised BIGINT NOT NULL,
  help_seen BIGINT,
  delivered BIGINT,
  failure TEXT,
  attempts BIGINT NOT NULL DEFAULT 0,
  escalated BIGINT,
  acknowledged BIGINT,
  acknowledged_by TEXT,
  PRIMARY KEY (response, item)
);
