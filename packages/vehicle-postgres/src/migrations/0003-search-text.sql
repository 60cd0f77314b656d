-- Brand, model and variant in the words that a search compares, for the catalogue without memory. Rows that are there
-- already get what SQL can make of them; the next import makes it exact.
alter table vehicles add column search_text text not null default '';

update vehicles set search_text = lower(concat_ws(' ', brands.name, attributes ->> 'model', attributes ->> 'variant'))
from brands where brands.id = vehicles.brand_id;
