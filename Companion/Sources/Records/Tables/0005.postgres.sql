-- An answer is kept by one call. Under the policies alone, which look at each table on the way, it takes half as long again. The function acts as
-- auricle_verbs, as which nobody can log in; subject and moment are its parameters, so that it cannot be called without them. Others are members of
-- that role by SET ROLE at most (auricle_owner does not inherit), or its policies would be theirs.

GRANT SELECT ON enrolment, response TO auricle_verbs;
GRANT SELECT, INSERT, UPDATE ON answer TO auricle_verbs;
CREATE POLICY verbs ON enrolment FOR SELECT TO auricle_verbs USING (true);
CREATE POLICY verbs ON response FOR SELECT TO auricle_verbs USING (true);
CREATE POLICY verbs ON answer TO auricle_verbs USING (true);

-- The same as SQLite's statement (ResponseStatements.answer), tried first for a question that has no answer yet, as nearly all have not: that is a
-- tenth faster. Names are written with their schema: nobody's temporary tables come first. The part is looked up by its key; as a join the server
-- may look through all parts of the subject.
DO $$ DECLARE statement TEXT := format($f$
      INSERT INTO %1$I.answer AS a (response, item, repetition, value, shown, answered, took, changes)
      SELECT r.id, of_item, in_repetition, given, first_shown, moment, milliseconds, 0
      FROM %1$I.response r WHERE r.id = to_response AND r.completed IS NULL AND r.opens <= moment AND moment < r.closes
        AND keep_answer.subject = (SELECT e.subject FROM %1$I.enrolment e WHERE e.id = r.enrolment AND e.ended IS NULL)
      ON CONFLICT ON CONSTRAINT answer_pkey $f$, current_schema());
BEGIN
  EXECUTE format($f$
    CREATE FUNCTION keep_answer(subject TEXT, moment BIGINT, to_response TEXT, of_item TEXT, in_repetition TEXT, given TEXT, first_shown BIGINT,
      milliseconds BIGINT, known BIGINT) RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER AS
    $b$ DECLARE count BIGINT; BEGIN
      %1$s DO NOTHING;
      IF FOUND THEN RETURN 0; END IF;
      %1$s DO UPDATE SET
        changes = a.changes + COALESCE(CASE WHEN a.value <> excluded.value THEN 1 END, 0),
        answered = COALESCE(CASE WHEN a.answered > excluded.answered THEN a.answered END, excluded.answered),
        value = excluded.value, took = excluded.took
      WHERE a.changes = known OR a.value = excluded.value
      RETURNING a.changes INTO count;
      RETURN count;
    END $b$
  $f$, statement);
END $$;
REVOKE EXECUTE ON FUNCTION keep_answer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_answer TO auricle_participant;
ALTER FUNCTION keep_answer OWNER TO auricle_verbs;

-- By no other way.
DROP POLICY own_give ON answer;
DROP POLICY own_change ON answer;
REVOKE INSERT ON answer FROM auricle_participant;
REVOKE UPDATE (value, answered, took, changes) ON answer FROM auricle_participant;
