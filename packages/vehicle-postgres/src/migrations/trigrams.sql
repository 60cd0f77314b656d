-- What the search of the catalogue without memory needs. The extension belongs to the database, not to this schema.
create extension if not exists pg_trgm schema public;
create index if not exists vehicles_search_text on vehicles using gin (search_text gin_trgm_ops);
