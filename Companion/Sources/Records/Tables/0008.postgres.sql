-- Who has taken care of an alert is noted by staff alone: a participant who notes it for themselves would keep contact and investigator from being
-- told. A participant's next answer raises the alert anew, which takes the note back.
CREATE FUNCTION refuse_own_care() RETURNS trigger LANGUAGE plpgsql AS
$$ DECLARE noted BOOLEAN := NEW.acknowledged IS NOT NULL OR NEW.acknowledged_by IS NOT NULL; BEGIN
  IF TG_OP = 'UPDATE' THEN
    noted := noted AND (NEW.acknowledged IS DISTINCT FROM OLD.acknowledged OR NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by);
  END IF;
  IF noted AND NOT pg_catalog.pg_has_role('auricle_staff'::name, 'MEMBER') THEN
    RAISE EXCEPTION 'staff note who has taken care of an alert, as auricle_staff' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER safety_alert_is_cared_for BEFORE INSERT OR UPDATE ON safety_alert FOR EACH ROW EXECUTE FUNCTION refuse_own_care();
