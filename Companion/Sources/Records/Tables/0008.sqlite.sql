-- Logins are a server's (0008.postgres.sql).
SELECT 1;
