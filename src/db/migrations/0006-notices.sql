-- What comes back by mail: bounces, delay notices, complaints.

-- When a recipient's complaint, and a notice that the message still waits on its way, were first told of: the second time
-- changes nothing.
alter table delivery add column complained_at timestamptz;
alter table delivery add column delay_noticed_at timestamptz;

-- Addresses that had a full mailbox at the end of an email. Whoever counts how many of those stand in a row locks the row,
-- so that of two that end at once the second sees the first.
create table soft_bounce (
  team_id uuid not null,
  address_key text not null,
  -- The newest email that was counted when the address was suppressed for it: another row begins behind it.
  counted_until uuid,
  updated_at timestamptz not null,
  primary key (team_id, address_key)
);
create index soft_bounce_updated_at on soft_bounce (updated_at);
