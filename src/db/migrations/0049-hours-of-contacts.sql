-- Campaigns that are sent by the clocks of their contacts (docs/adr/0047-pace.md).
alter table campaign_recipient
  -- The time zone of the contact as of the start; empty: that of the campaign; null: the campaign does not ask.
  add column time_zone text;
create index campaign_recipient_time_zone on campaign_recipient (team_id, campaign_id, time_zone, contact_id)
  where time_zone is not null and state = 'waiting';
-- When the hours of the next contacts begin; null: those of some have begun, or it does not depend on contacts.
alter table campaign_progress add column opens_at timestamptz;
