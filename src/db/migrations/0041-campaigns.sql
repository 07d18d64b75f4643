-- Campaigns run (docs/adr/0045-campaigns.md).
alter table campaign drop constraint campaign_status_check;
alter table campaign add constraint campaign_status_check
  check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'));
alter table campaign
  add column paused_reason text
    check (paused_reason in ('user', 'quota', 'reputation', 'domain', 'missed', 'restored', 'errors')),
  add column started_at timestamptz,
  add column ended_at timestamptz,
  -- The content that is sent now; 0: it has not started.
  add column version integer not null default 0,
  -- The last contact that was tested for the audience; null: none yet.
  add column audience_after uuid,
  add column audience_done boolean not null default false,
  -- The process that sends it.
  add column leased_by uuid,
  add column leased_until timestamptz;
-- Versions before this one ran none. Of those that they stored, none begins late without somebody's word.
alter table campaign add column predates_sending boolean not null default false;
update campaign set predates_sending = true where status = 'scheduled';
alter table campaign
  add constraint campaign_pause_has_reason check ((status = 'paused') = (paused_reason is not null));
-- What a sending process looks for.
create index campaign_active on campaign (status, scheduled_at) where status in ('scheduled', 'sending');

-- The content as of a start, with the sender. Never changes.
create table campaign_version (
  team_id uuid not null,
  campaign_id uuid not null,
  version integer not null,
  sender text not null,
  reply_to text,
  subject text not null,
  html text,
  text text,
  -- [{ key, type, fallback_value }]
  variables jsonb not null,
  -- The segment as of then: { matchType, groups }; null: a list.
  segment jsonb,
  created_at timestamptz not null,
  primary key (team_id, campaign_id, version)
);

-- The audience as of the start: a contact has one address for ever. Rows leave `waiting`, and none is added later.
create table campaign_recipient (
  team_id uuid not null,
  campaign_id uuid not null,
  contact_id uuid not null,
  state text not null check (state in ('waiting', 'accepted', 'skipped', 'failed')),
  -- Why it was skipped or failed.
  reason text,
  email_id uuid,
  updated_at timestamptz not null,
  primary key (team_id, campaign_id, contact_id),
  constraint campaign_recipient_email check ((state = 'accepted') = (email_id is not null))
);
create index campaign_recipient_state on campaign_recipient (team_id, campaign_id, state, contact_id);
-- From an email to its campaign, before every try.
create index campaign_recipient_email_id on campaign_recipient (team_id, email_id) where email_id is not null;
-- The latest emails of a campaign.
create index campaign_recipient_latest on campaign_recipient (team_id, campaign_id, email_id) where email_id is not null;
