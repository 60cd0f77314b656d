-- When the transaction that wrote last had begun: its number alone may come again, in a version row that was brought from another server.
alter table catalogue_version add column written_at timestamptz;

-- A transaction raises the version once, by its first statement: a row that is written again and again by one transaction leaves as many dead ones
-- behind, and each statement and each written row would go through all of them. Nobody else can have seen a version of statements in between.
-- What a savepoint takes back is taken back here too, and the next statement raises the version anew.
create or replace function raise_catalogue_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before bigint;
  raised uuid := gen_random_uuid();
begin
  perform set_config('search_path', quote_ident(tg_table_schema) || ', pg_temp', true);
  perform from catalogue_version where written_by = pg_current_xact_id() and written_at = transaction_timestamp();
  if found then
    return null;
  end if;
  select number into before from catalogue_version for update;
  update catalogue_version
    set number = before + 1, token = raised, written_by = pg_current_xact_id(), written_at = transaction_timestamp();
  insert into lineage values (before + 1, raised) on conflict (number) do update set token = excluded.token;
  if before % 1000 = 0 then
    delete from lineage where number < before - 10000;
  end if;
  perform pg_notify(tg_table_schema || '_changed', '');
  return null;
end $$;
