-- Rights are a server's (0006.postgres.sql).
SELECT 1;
