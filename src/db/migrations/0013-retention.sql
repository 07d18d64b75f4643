-- How long a team's data is kept where that is not what the installation says (docs/adr/0021-retention.md). A team without
-- a row has the installation's periods.
create table team_retention (
  team_id uuid not null,
  kind text not null check (kind in ('content', 'attempts', 'events', 'webhook_deliveries')),
  -- What the operator allows this team, days; 0: for ever; null: what the installation says.
  limit_days integer check (limit_days >= 0),
  -- What the team itself wants, within that; null: as long as it may.
  own_days integer check (own_days > 0),
  updated_at timestamptz not null,
  primary key (team_id, kind)
);

-- Scheduled mail is kept from the time for which it is scheduled on: a week that holds such mail is not dropped before.
create index email_scheduled on email (scheduled_at) where scheduled_at is not null;
