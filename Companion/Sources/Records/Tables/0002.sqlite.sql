-- Consent and its renewal. Nothing of what somebody agreed to is rewritten: another row follows. Only with the part itself it goes.

-- The study's version under which a questionnaire was begun.
ALTER TABLE response ADD COLUMN study_version TEXT REFERENCES study_version (sha256);

UPDATE response SET study_version = (SELECT e.study_version FROM enrolment e WHERE e.id = response.enrolment);

-- Versions of a part in their order: offered to the person, refused by them, taken from then on.
CREATE TABLE edition_step (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  step TEXT NOT NULL CHECK (step IN ('taken', 'offered', 'refused')),
  moment INTEGER NOT NULL,
  PRIMARY KEY (enrolment, number)
) STRICT;

INSERT INTO edition_step (enrolment, number, study_version, step, moment)
SELECT id, 1, study_version, 'taken', begun FROM enrolment;

CREATE TABLE consent (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  text_sha256 TEXT NOT NULL CHECK (length(text_sha256) = 64),
  language TEXT NOT NULL,
  moment INTEGER NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, number)
) STRICT;

-- Kinds of data that are given (1) or not (0), of each consent; the row with the highest number stands.
CREATE TABLE consent_tick (
  enrolment TEXT NOT NULL,
  consent INTEGER NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  given INTEGER NOT NULL CHECK (given IN (0, 1)),
  moment INTEGER NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, consent, kind, number),
  FOREIGN KEY (enrolment, consent) REFERENCES consent (enrolment, number) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER edition_step_is_fixed BEFORE UPDATE ON edition_step
BEGIN SELECT RAISE(ABORT, 'a step between versions is never rewritten'); END;

CREATE TRIGGER edition_step_stays BEFORE DELETE ON edition_step
WHEN EXISTS (SELECT 1 FROM enrolment e WHERE e.id = OLD.enrolment)
BEGIN SELECT RAISE(ABORT, 'a step between versions is never rewritten'); END;

CREATE TRIGGER consent_is_fixed BEFORE UPDATE ON consent
BEGIN SELECT RAISE(ABORT, 'a consent is never rewritten'); END;

CREATE TRIGGER consent_stays BEFORE DELETE ON consent
WHEN EXISTS (SELECT 1 FROM enrolment e WHERE e.id = OLD.enrolment)
BEGIN SELECT RAISE(ABORT, 'a consent is never rewritten'); END;

CREATE TRIGGER consent_tick_is_fixed BEFORE UPDATE ON consent_tick
BEGIN SELECT RAISE(ABORT, 'a tick is never rewritten'); END;

CREATE TRIGGER consent_tick_stays BEFORE DELETE ON consent_tick
WHEN EXISTS (SELECT 1 FROM enrolment e WHERE e.id = OLD.enrolment)
BEGIN SELECT RAISE(ABORT, 'a tick is never rewritten'); END;

-- Nor by INSERT OR REPLACE, which asks no trigger of deletion.
CREATE TRIGGER edition_step_is_new BEFORE INSERT ON edition_step
WHEN EXISTS (SELECT 1 FROM edition_step s WHERE s.enrolment = NEW.enrolment AND s.number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a step between versions is never rewritten'); END;

CREATE TRIGGER consent_is_new BEFORE INSERT ON consent
WHEN EXISTS (SELECT 1 FROM consent c WHERE c.enrolment = NEW.enrolment AND c.number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a consent is never rewritten'); END;

CREATE TRIGGER consent_tick_is_new BEFORE INSERT ON consent_tick
WHEN EXISTS (
  SELECT 1 FROM consent_tick t WHERE t.enrolment = NEW.enrolment AND t.consent = NEW.consent AND t.kind = NEW.kind AND t.number = NEW.number
)
BEGIN SELECT RAISE(ABORT, 'a tick is never rewritten'); END;

-- Places that a person has passed without an answer: a question that was left out (count 0), a group of which there is not another one after so many.
CREATE TABLE passed (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  moment INTEGER NOT NULL,
  PRIMARY KEY (response, item, repetition)
) STRICT;

-- Changes of the answer at which it was raised: one that was taken back and is given again is raised anew.
ALTER TABLE safety_alert ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
