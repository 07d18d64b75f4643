-- Where a contact is: the name of an IANA time zone, as Intl spells it; null: not known. Campaigns may be sent by its clock.
alter table contact add column time_zone text;
