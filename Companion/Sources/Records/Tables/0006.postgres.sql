-- Staff see names of parts, in lists and mails. With a part's seed they would find its code in a data set, and by that its answers: they see all
-- of a part but the seed.
REVOKE SELECT ON enrolment FROM auricle_staff;
GRANT SELECT (id, subject, study_version, first_date, begun, ended, ending) ON enrolment TO auricle_staff;
