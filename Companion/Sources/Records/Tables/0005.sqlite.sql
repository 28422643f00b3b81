-- Functions are a server's (0005.postgres.sql).
SELECT 1;
