-- The links of a campaign that were clicked. Counted with the feed (docs/adr/0020-rollups-follow-the-feed.md), each click once.
create table campaign_link (
  team_id uuid not null,
  campaign_id uuid not null,
  -- The beginning of the SHA-256 of the URL. Zero: all links beyond those that have rows of their own.
  link_id uuid not null,
  -- Null for the row of all others, and for a link that only a person followed who was erased.
  url text,
  clicked bigint not null,
  -- Recipients who clicked it.
  clicked_unique bigint not null,
  clicked_machine bigint not null,
  primary key (team_id, campaign_id, link_id)
) with (fillfactor = 50);
