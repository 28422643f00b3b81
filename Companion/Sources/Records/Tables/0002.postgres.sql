-- Consent and its renewal. Nothing of what somebody agreed to is rewritten: another row follows. Only with the part itself it goes.

-- The study's version under which a questionnaire was begun.
ALTER TABLE response ADD COLUMN study_version TEXT REFERENCES study_version (sha256);

UPDATE response SET study_version = (SELECT e.study_version FROM enrolment e WHERE e.id = response.enrolment);

-- Versions of a part in their order: offered to the person, refused by them, taken from then on.
CREATE TABLE edition_step (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  number BIGINT NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  step TEXT NOT NULL CHECK (step IN ('taken', 'offered', 'refused')),
  moment BIGINT NOT NULL,
  PRIMARY KEY (enrolment, number)
);

INSERT INTO edition_step (enrolment, number, study_version, step, moment)
SELECT id, 1, study_version, 'taken', begun FROM enrolment;

CREATE TABLE consent (
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  number BIGINT NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  text_sha256 TEXT NOT NULL CHECK (length(text_sha256) = 64),
  language TEXT NOT NULL,
  moment BIGINT NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, number)
);

-- Kinds of data that are given (1) or not (0), of each consent; the row with the highest number stands.
CREATE TABLE consent_tick (
  enrolment TEXT NOT NULL,
  consent BIGINT NOT NULL,
  kind TEXT NOT NULL,
  number BIGINT NOT NULL CHECK (number BETWEEN 1 AND 1000000),
  given BIGINT NOT NULL CHECK (given IN (0, 1)),
  moment BIGINT NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (enrolment, consent, kind, number),
  FOREIGN KEY (enrolment, consent) REFERENCES consent (enrolment, number) ON DELETE CASCADE
);

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT 1 FROM enrolment e WHERE e.id = OLD.enrolment) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'a consent is never rewritten' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER edition_step_is_fixed BEFORE UPDATE OR DELETE ON edition_step
FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

CREATE TRIGGER consent_is_fixed BEFORE UPDATE OR DELETE ON consent
FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

CREATE TRIGGER consent_tick_is_fixed BEFORE UPDATE OR DELETE ON consent_tick
FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- Nor all of them at once.
CREATE TRIGGER edition_step_is_whole BEFORE TRUNCATE ON edition_step FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER consent_is_whole BEFORE TRUNCATE ON consent FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER consent_tick_is_whole BEFORE TRUNCATE ON consent_tick FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

-- Places that a person has passed without an answer: a question that was left out (count 0), a group of which there is not another one after so many.
CREATE TABLE passed (
  response TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  repetition TEXT NOT NULL,
  count BIGINT NOT NULL CHECK (count >= 0),
  moment BIGINT NOT NULL,
  PRIMARY KEY (response, item, repetition)
);

-- Changes of the answer at which it was raised: one that was taken back and is given again is raised anew.
ALTER TABLE safety_alert ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
