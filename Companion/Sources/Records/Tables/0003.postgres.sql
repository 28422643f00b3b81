-- Measurements of studies: a run when it is begun, and its end, a result or the reason why there is none. Rows are added and never changed.

CREATE TABLE task_run (
  id TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  occurrence TEXT NOT NULL,
  kind TEXT NOT NULL,
  kind_version BIGINT NOT NULL,
  settings TEXT NOT NULL,
  opens BIGINT NOT NULL,
  closes BIGINT NOT NULL,
  zone TEXT NOT NULL,
  begun BIGINT NOT NULL,
  CHECK (opens <= begun AND begun < closes),
  UNIQUE (id, enrolment, occurrence)
);

CREATE TABLE task_end (
  run TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL,
  occurrence TEXT NOT NULL,
  ended BIGINT NOT NULL,
  measured TEXT,
  record TEXT,
  reason TEXT,
  CHECK ((measured IS NULL) = (record IS NULL) AND (measured IS NULL) <> (reason IS NULL)),
  FOREIGN KEY (run, enrolment, occurrence) REFERENCES task_run (id, enrolment, occurrence) ON DELETE CASCADE
);

-- One result for an occurrence.
CREATE UNIQUE INDEX task_end_measured ON task_end (enrolment, occurrence) WHERE reason IS NULL;
CREATE INDEX task_run_enrolment ON task_run (enrolment);

CREATE FUNCTION refuse_measured_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'a measurement that is kept is never changed' USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE FUNCTION refuse_measured_removal() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF EXISTS (SELECT 1 FROM enrolment WHERE id = OLD.enrolment) THEN
    RAISE EXCEPTION 'a measurement that is kept is never removed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER task_run_is_fixed BEFORE UPDATE ON task_run FOR EACH ROW EXECUTE FUNCTION refuse_measured_change();
CREATE TRIGGER task_end_is_fixed BEFORE UPDATE ON task_end FOR EACH ROW EXECUTE FUNCTION refuse_measured_change();

-- Rows leave with the part that they belong to, and in no other way.
CREATE TRIGGER task_run_stays BEFORE DELETE ON task_run FOR EACH ROW EXECUTE FUNCTION refuse_measured_removal();
CREATE TRIGGER task_end_stays BEFORE DELETE ON task_end FOR EACH ROW EXECUTE FUNCTION refuse_measured_removal();
CREATE TRIGGER task_run_is_whole BEFORE TRUNCATE ON task_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_measured_change();
CREATE TRIGGER task_end_is_whole BEFORE TRUNCATE ON task_end FOR EACH STATEMENT EXECUTE FUNCTION refuse_measured_change();
