-- What warming source addresses have sent, of the whole installation: no tenant's data, so without team_id.
-- Processes take a day's messages in blocks: `taken` counts what they took, `granted` is what the last block came to.
create table warmup_count (
  source text not null,
  provider_group text not null,
  day date not null,
  taken integer not null check (taken >= 0),
  granted integer not null check (granted >= 0),
  primary key (source, provider_group, day)
) with (fillfactor = 50);

-- The local address that a try went out from; null: the system's choice, or no connection.
alter table attempt add column source_address text;
