-- Triggers write versions with the rights of the owner, so nobody else may put these functions on tables of their own. Triggers that are there
-- go on: the right is looked at when they are made.
revoke execute on function raise_catalogue_version(), mark_brand(), mark_vehicle() from public;

-- Which token a number had at the end of its transaction, of the last ten thousand: more than a column has room for. Who may read versions may
-- read these. The column `former` stays as it is, for programs that were not updated yet.
create table lineage (
  number bigint primary key,
  token uuid not null
);
insert into lineage select number, token from catalogue_version;
do $$
declare
  reader oid;
begin
  for reader in
    select distinct a.grantee from pg_class c, aclexplode(c.relacl) a
    where c.oid = 'catalogue_version'::regclass and a.privilege_type = 'SELECT' and a.grantee <> c.relowner
  loop
    execute format('grant select on lineage to %s', case reader when 0 then 'public' else reader::regrole::text end);
  end loop;
end $$;

-- The transaction that wrote last. Within a savepoint `xmin` would be one of its own.
alter table catalogue_version add column written_by xid8;

-- A schema may be renamed, or change places with another. So what belongs to a table is looked for where the table is now, and not under the
-- name that the schema had when the functions were made. What is set within a function ends with it.
create or replace function raise_catalogue_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before record;
  raised uuid := gen_random_uuid();
begin
  perform set_config('search_path', quote_ident(tg_table_schema) || ', pg_temp', true);
  select number, written_by into before from catalogue_version for update;
  update catalogue_version set number = before.number + 1, token = raised, written_by = pg_current_xact_id();
  -- What was the version within the same transaction nobody else has seen.
  if before.written_by = pg_current_xact_id() then
    delete from lineage where number = before.number;
  end if;
  insert into lineage values (before.number + 1, raised) on conflict (number) do update set token = excluded.token;
  if before.number % 1000 = 0 then
    delete from lineage where number < before.number - 10000;
  end if;
  perform pg_notify(tg_table_schema || '_changed', '');
  return null;
end $$;

create or replace function mark_brand() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('search_path', quote_ident(tg_table_schema) || ', pg_temp', true);
  new.changed_in := (select number from catalogue_version);
  return new;
end $$;

create or replace function mark_vehicle() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('search_path', quote_ident(tg_table_schema) || ', pg_temp', true);
  new.changed_in := (select number from catalogue_version);
  new.row_token := gen_random_uuid();
  return new;
end $$;
