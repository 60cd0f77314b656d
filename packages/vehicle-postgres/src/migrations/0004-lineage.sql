-- What was the version at the end of the transactions before, the latest first: who has one of them knows by the number what was written
-- since. Who has none has what a restored backup has undone, or what another server had, and needs everything.
alter table catalogue_version add column former uuid[] not null default '{}';

-- With the rights of the owner: who may write vehicles need not be able to write versions. Temporary tables of theirs come last, and
-- nothing else that they could have made is looked at.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
create or replace function raise_catalogue_version() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update catalogue_version set number = number + 1, token = gen_random_uuid(),
    former = case when xmin = pg_current_xact_id()::xid then former else (token || former)[1:100] end;
  perform pg_notify(tg_table_schema || '_changed', '');
  return null;
end $$;
alter function mark_brand() security definer set search_path from current;
alter function mark_vehicle() security definer set search_path from current;
