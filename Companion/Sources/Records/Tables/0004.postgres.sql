-- Rights, and rows that an identity sees. The logins are made by `auricle study database prepare`, which runs this as auricle_owner.

-- A file of one person has no logins; there this step is empty.

GRANT SELECT ON schema_migrations TO auricle_participant, auricle_staff, auricle_export;

-- A published version is nobody's secret; it is added and never changed.
GRANT SELECT, INSERT ON study_version TO auricle_participant, auricle_staff;
GRANT SELECT ON study_version TO auricle_export;

-- A participant: own rows. Rights name the columns that the steps change; nothing is granted that no step needs.
GRANT SELECT, INSERT ON subject, enrolment, stay, response, answer, repetition, safety_alert TO auricle_participant;
GRANT SELECT, INSERT ON edition_step, consent, consent_tick, passed, task_run, task_end TO auricle_participant;
GRANT UPDATE (ended, ending, study_version) ON enrolment TO auricle_participant;
GRANT UPDATE (completed) ON response TO auricle_participant;
GRANT UPDATE (value, answered, took, changes), DELETE ON answer TO auricle_participant;
GRANT UPDATE (count) ON repetition TO auricle_participant;
GRANT UPDATE (count, moment) ON passed TO auricle_participant;
GRANT UPDATE (value, changes, raised, help_seen, delivered, failure, attempts, escalated, acknowledged, acknowledged_by)
  ON safety_alert TO auricle_participant;

-- Staff: who takes part, under which consent, what was done when, alerts; no results, and no answers but that which raised an alert.
GRANT SELECT ON subject, enrolment, stay, edition_step, consent, consent_tick, response, task_run, safety_alert TO auricle_staff;
GRANT UPDATE (delivered, failure, attempts, escalated, acknowledged, acknowledged_by) ON safety_alert TO auricle_staff;

-- Data sets: everything that was answered and measured, and the consents that say what of it may leave; read only, no alerts.
GRANT SELECT ON enrolment, stay, edition_step, consent, consent_tick, response, answer, repetition, passed, task_run, task_end TO auricle_export;

ALTER TABLE subject ENABLE ROW LEVEL SECURITY;
ALTER TABLE enrolment ENABLE ROW LEVEL SECURITY;
ALTER TABLE stay ENABLE ROW LEVEL SECURITY;
ALTER TABLE response ENABLE ROW LEVEL SECURITY;
ALTER TABLE answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE repetition ENABLE ROW LEVEL SECURITY;
ALTER TABLE safety_alert ENABLE ROW LEVEL SECURITY;
ALTER TABLE edition_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_tick ENABLE ROW LEVEL SECURITY;
ALTER TABLE passed ENABLE ROW LEVEL SECURITY;
ALTER TABLE task_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE task_end ENABLE ROW LEVEL SECURITY;

-- The owner too sees no rows. A migration that changes rows does so while this is lifted for its own transaction.
ALTER TABLE subject FORCE ROW LEVEL SECURITY;
ALTER TABLE enrolment FORCE ROW LEVEL SECURITY;
ALTER TABLE stay FORCE ROW LEVEL SECURITY;
ALTER TABLE response FORCE ROW LEVEL SECURITY;
ALTER TABLE answer FORCE ROW LEVEL SECURITY;
ALTER TABLE repetition FORCE ROW LEVEL SECURITY;
ALTER TABLE safety_alert FORCE ROW LEVEL SECURITY;
ALTER TABLE edition_step FORCE ROW LEVEL SECURITY;
ALTER TABLE consent FORCE ROW LEVEL SECURITY;
ALTER TABLE consent_tick FORCE ROW LEVEL SECURITY;
ALTER TABLE passed FORCE ROW LEVEL SECURITY;
ALTER TABLE task_run FORCE ROW LEVEL SECURITY;
ALTER TABLE task_end FORCE ROW LEVEL SECURITY;

-- Own parts and responses, as the same identity sees them: each function asks tables whose policies ask the next one. They are functions because
-- their plans are kept for the connection, which halves what an answer takes. Names are written with their schema: nobody's temporary
-- tables come first.
DO $$ BEGIN
  EXECUTE format($f$
    CREATE FUNCTION is_own_part(part TEXT, running BOOLEAN) RETURNS BOOLEAN LANGUAGE plpgsql STABLE AS
    $b$ BEGIN RETURN EXISTS (SELECT 1 FROM %1$I.enrolment e WHERE e.id = part AND (e.ended IS NULL OR NOT running)); END $b$
  $f$, current_schema());
  EXECUTE format($f$
    CREATE FUNCTION is_own_response(id TEXT, running BOOLEAN) RETURNS BOOLEAN LANGUAGE plpgsql STABLE AS
    $b$ BEGIN RETURN EXISTS (
      SELECT 1 FROM %1$I.response r WHERE r.id = is_own_response.id AND ((r.completed IS NULL AND %1$I.is_own_part(r.enrolment, true)) OR NOT running)
    ); END $b$
  $f$, current_schema());
END $$;

CREATE POLICY own ON subject TO auricle_participant
  USING (id = (SELECT subject_id())) WITH CHECK (id = (SELECT subject_id()));

CREATE POLICY own_read ON enrolment FOR SELECT TO auricle_participant USING (subject = (SELECT subject_id()));
CREATE POLICY own_begin ON enrolment FOR INSERT TO auricle_participant WITH CHECK (subject = (SELECT subject_id()));
CREATE POLICY own_change ON enrolment FOR UPDATE TO auricle_participant
  USING (subject = (SELECT subject_id()) AND ended IS NULL) WITH CHECK (subject = (SELECT subject_id()));

CREATE POLICY own ON stay TO auricle_participant USING (is_own_part(enrolment, false));

CREATE POLICY own_read ON response FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_begin ON response FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, true));
CREATE POLICY own_complete ON response FOR UPDATE TO auricle_participant
  USING (completed IS NULL AND is_own_part(enrolment, true)) WITH CHECK (is_own_part(enrolment, false));

-- What was answered is changed as long as its questionnaire is not completed and its part has not ended, and never afterwards.
CREATE POLICY own_read ON answer FOR SELECT TO auricle_participant USING (is_own_response(response, false));
CREATE POLICY own_give ON answer FOR INSERT TO auricle_participant WITH CHECK (is_own_response(response, true));
CREATE POLICY own_change ON answer FOR UPDATE TO auricle_participant USING (is_own_response(response, true));
CREATE POLICY own_clear ON answer FOR DELETE TO auricle_participant USING (is_own_response(response, true));

CREATE POLICY own_read ON repetition FOR SELECT TO auricle_participant USING (is_own_response(response, false));
CREATE POLICY own_give ON repetition FOR INSERT TO auricle_participant WITH CHECK (is_own_response(response, true));
CREATE POLICY own_change ON repetition FOR UPDATE TO auricle_participant USING (is_own_response(response, true));

-- Left out, as answers are given.
CREATE POLICY own_read ON passed FOR SELECT TO auricle_participant USING (is_own_response(response, false));
CREATE POLICY own_give ON passed FOR INSERT TO auricle_participant WITH CHECK (is_own_response(response, true));
CREATE POLICY own_change ON passed FOR UPDATE TO auricle_participant USING (is_own_response(response, true));

-- Consents, editions and measurements are added while the part goes on; a kind of data is taken back afterwards too.
CREATE POLICY own_read ON edition_step FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_add ON edition_step FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, true));
CREATE POLICY own_read ON consent FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_add ON consent FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, true));
CREATE POLICY own_read ON consent_tick FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_add ON consent_tick FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, given = 1));
CREATE POLICY own_read ON task_run FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_add ON task_run FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, true));
CREATE POLICY own_read ON task_end FOR SELECT TO auricle_participant USING (is_own_part(enrolment, false));
CREATE POLICY own_add ON task_end FOR INSERT TO auricle_participant WITH CHECK (is_own_part(enrolment, true));

CREATE POLICY own ON safety_alert TO auricle_participant USING (is_own_response(response, false));

-- Staff and data sets: all rows, of the operations and columns that are granted above.
CREATE POLICY site ON subject FOR SELECT TO auricle_staff USING (true);
CREATE POLICY site ON enrolment FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON stay FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON response FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON answer FOR SELECT TO auricle_export USING (true);
CREATE POLICY site ON repetition FOR SELECT TO auricle_export USING (true);
CREATE POLICY site ON edition_step FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON consent FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON consent_tick FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON passed FOR SELECT TO auricle_export USING (true);
CREATE POLICY site ON task_run FOR SELECT TO auricle_staff, auricle_export USING (true);
CREATE POLICY site ON task_end FOR SELECT TO auricle_export USING (true);
CREATE POLICY site_read ON safety_alert FOR SELECT TO auricle_staff USING (true);
CREATE POLICY site_care ON safety_alert FOR UPDATE TO auricle_staff USING (true);
