-- What operators see of the installation. No team is named in these tables.

-- Processes that are at work: each says every few seconds that it is. Silence for long, and its row is forgotten.
create table node (
  -- What leases, journals and reports of sites name it by.
  id uuid primary key,
  host text not null,
  process_id integer not null,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Null: it does not deliver.
  deliveries_held integer check (deliveries_held >= 0),
  memory_bytes bigint not null check (memory_bytes >= 0)
);

-- When backups were made by `sendwright backup`, the last of them.
create table backup_made (
  made_at timestamptz primary key,
  rows bigint not null,
  bytes bigint not null
);

-- The same entries, by team behind the site: which teams wait for a site is one look each, however many others do.
drop index delivery_waits_for;
create index delivery_waits_for on delivery (waits_for, team_id) where waits_for is not null;
