-- Names of parts and responses are letters, digits and hyphens, as the program gives them: they stand in lists, and in commands that are copied from
-- them. Of a version's content the program compares the hash when it reads it; SQLite has no function for that.

CREATE TRIGGER enrolment_is_named BEFORE INSERT ON enrolment
WHEN NEW.id GLOB '*[^0-9A-Za-z-]*' OR NEW.id GLOB '-*' OR length(NEW.id) NOT BETWEEN 1 AND 64
BEGIN SELECT RAISE(ABORT, 'the name of a part is letters, digits and hyphens'); END;

CREATE TRIGGER response_is_named BEFORE INSERT ON response
WHEN NEW.id GLOB '*[^0-9A-Za-z-]*' OR NEW.id GLOB '-*' OR length(NEW.id) NOT BETWEEN 1 AND 64
BEGIN SELECT RAISE(ABORT, 'the name of a response is letters, digits and hyphens'); END;
