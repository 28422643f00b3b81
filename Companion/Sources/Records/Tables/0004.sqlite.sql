-- Rights are those of a server's logins (0004.postgres.sql). A file has one person's rows, and its mode says who may read it.
SELECT 1;
