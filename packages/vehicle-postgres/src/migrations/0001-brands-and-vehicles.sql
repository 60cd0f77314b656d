-- A brand as the API has it. Ids are opaque, and equal in any letter case.
create table brands (
  id text primary key check (id <> ''),
  name text not null check (name <> '')
);
create unique index brands_lower_id on brands (lower(id));

-- A vehicle: what it is ordered and searched by is worked out by the program that writes it.
create table vehicles (
  id text primary key check (id <> ''),
  type text not null check (type <> ''),
  brand_id text not null references brands (id) on update cascade,
  attributes jsonb not null check (jsonb_typeof(attributes) = 'object'),
  sort_key text collate "C" not null
);
create unique index vehicles_lower_id on vehicles (lower(id));
create index vehicles_brand on vehicles (lower(brand_id));
-- An index takes rows of at most 2,704 bytes; what sort keys have beyond that is sorted without it.
create index vehicles_sort_key on vehicles (left(sort_key, 600));
