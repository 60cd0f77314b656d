-- One row: the number rises with every statement that writes, and the token is never the same again, not even after a
-- backup was restored. Its lock puts writers one after the other, so versions become visible in their order.
create table catalogue_version (
  only_row boolean primary key default true check (only_row),
  number bigint not null,
  token uuid not null
);
insert into catalogue_version (number, token) values (1, gen_random_uuid());

-- In which version a row was last written.
alter table brands add column changed_in bigint not null default 1;
alter table vehicles
  add column changed_in bigint not null default 1,
  add column row_token uuid not null default gen_random_uuid();
create index brands_changed_in on brands (changed_in);
create index vehicles_changed_in on vehicles (changed_in);

create function raise_catalogue_version() returns trigger
language plpgsql set search_path from current as $$
begin
  update catalogue_version set number = number + 1, token = gen_random_uuid();
  perform pg_notify(tg_table_schema || '_changed', '');
  return null;
end $$;

create function mark_brand() returns trigger
language plpgsql set search_path from current as $$
begin
  new.changed_in := (select number from catalogue_version);
  return new;
end $$;

create function mark_vehicle() returns trigger
language plpgsql set search_path from current as $$
begin
  new.changed_in := (select number from catalogue_version);
  new.row_token := gen_random_uuid();
  return new;
end $$;

create trigger brands_raise_version before insert or update or delete or truncate on brands
  for each statement execute function raise_catalogue_version();
create trigger vehicles_raise_version before insert or update or delete or truncate on vehicles
  for each statement execute function raise_catalogue_version();
create trigger brands_mark before insert or update on brands
  for each row execute function mark_brand();
create trigger vehicles_mark before insert or update on vehicles
  for each row execute function mark_vehicle();
