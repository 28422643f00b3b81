-- Measurements of studies: a run when it is begun, and its end, a result or the reason why there is none. Rows are added and never changed.

CREATE TABLE task_run (
  id TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL REFERENCES enrolment (id) ON DELETE CASCADE,
  study_version TEXT NOT NULL REFERENCES study_version (sha256),
  occurrence TEXT NOT NULL,
  kind TEXT NOT NULL,
  kind_version INTEGER NOT NULL,
  settings TEXT NOT NULL,
  opens INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  zone TEXT NOT NULL,
  begun INTEGER NOT NULL,
  CHECK (opens <= begun AND begun < closes),
  UNIQUE (id, enrolment, occurrence)
) STRICT;

CREATE TABLE task_end (
  run TEXT PRIMARY KEY NOT NULL,
  enrolment TEXT NOT NULL,
  occurrence TEXT NOT NULL,
  ended INTEGER NOT NULL,
  measured TEXT,
  record TEXT,
  reason TEXT,
  CHECK ((measured IS NULL) = (record IS NULL) AND (measured IS NULL) <> (reason IS NULL)),
  FOREIGN KEY (run, enrolment, occurrence) REFERENCES task_run (id, enrolment, occurrence) ON DELETE CASCADE
) STRICT;

-- One result for an occurrence.
CREATE UNIQUE INDEX task_end_measured ON task_end (enrolment, occurrence) WHERE reason IS NULL;
CREATE INDEX task_run_enrolment ON task_run (enrolment);

CREATE TRIGGER task_run_is_fixed BEFORE UPDATE ON task_run
BEGIN SELECT RAISE(ABORT, 'a measurement that was begun is never changed'); END;

CREATE TRIGGER task_end_is_fixed BEFORE UPDATE ON task_end
BEGIN SELECT RAISE(ABORT, 'a result that was kept is never changed'); END;

-- Rows leave with the part that they belong to, and in no other way.
CREATE TRIGGER task_run_stays BEFORE DELETE ON task_run
WHEN EXISTS (SELECT 1 FROM enrolment WHERE id = OLD.enrolment)
BEGIN SELECT RAISE(ABORT, 'a measurement that was begun is never removed'); END;

CREATE TRIGGER task_end_stays BEFORE DELETE ON task_end
WHEN EXISTS (SELECT 1 FROM enrolment WHERE id = OLD.enrolment)
BEGIN SELECT RAISE(ABORT, 'a result that was kept is never removed'); END;

-- Nor by INSERT OR REPLACE, which asks no trigger of deletion.
CREATE TRIGGER task_run_is_new BEFORE INSERT ON task_run
WHEN EXISTS (SELECT 1 FROM task_run r WHERE r.id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a measurement that was begun is never changed'); END;

CREATE TRIGGER task_end_is_new BEFORE INSERT ON task_end
WHEN EXISTS (SELECT 1 FROM task_end e WHERE e.run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'a result that was kept is never changed'); END;
