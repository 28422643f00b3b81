-- Whoever speaks SQL as auricle_participant adds versions, parts and responses. A version's name is the hash of its content, so that nobody else's is
-- put in its place. Names of parts and responses are letters, digits and hyphens, as the program gives them: they stand in mails, and in commands
-- that staff copy from them. Rows that are there already are not looked at, so that none of them keeps the tables from this step; the program leaves
-- such parts and alerts out when it reads them.
ALTER TABLE study_version ADD CONSTRAINT study_version_is_its_hash CHECK (sha256 = encode(sha256(content), 'hex')) NOT VALID;
ALTER TABLE enrolment ADD CONSTRAINT enrolment_is_named CHECK (id COLLATE "C" ~ '^[0-9A-Za-z][0-9A-Za-z-]{0,63}$') NOT VALID;
ALTER TABLE response ADD CONSTRAINT response_is_named CHECK (id COLLATE "C" ~ '^[0-9A-Za-z][0-9A-Za-z-]{0,63}$') NOT VALID;
