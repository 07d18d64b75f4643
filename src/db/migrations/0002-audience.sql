-- Contacts and what is known of them, templates, and what uses them. Rules as in 0001: team_id first in every key, ids and
-- times from the program. What must be found without regard to case is compared by lower(); text that is searched by its
-- beginning is collated "C", so that a plain btree serves `like 'x%'`.

create table property (
  team_id uuid not null,
  id uuid not null,
  key text not null check (key ~ '^[A-Za-z][A-Za-z0-9_]{0,254}$'),
  type text not null check (type in ('string', 'number', 'date')),
  fallback_value text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);
-- ASCII alone, in whose letters no language of a database has a say: in Turkish, lower('ID') is no 'id'.
create unique index property_key_unique on property (team_id, lower(key collate "C"));

create table contact (
  team_id uuid not null,
  id uuid not null,
  -- Lower case: the identity of a contact.
  email text collate "C" not null,
  first_name text,
  last_name text,
  user_id text,
  unsubscribed boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Set: gone from every answer; the row is kept.
  deleted_at timestamptz,
  primary key (team_id, id)
);
create unique index contact_email_unique on contact (team_id, email) where deleted_at is null;
create index contact_live on contact (team_id, id) where deleted_at is null;
create index contact_subscription on contact (team_id, unsubscribed, id) where deleted_at is null;
-- The last name behind the first finds a full name by its beginning.
create index contact_first_name on contact (team_id, lower(first_name) collate "C", lower(last_name) collate "C")
  where first_name is not null and deleted_at is null;
create index contact_last_name on contact (team_id, lower(last_name) collate "C")
  where last_name is not null and deleted_at is null;
create index contact_user_id on contact (team_id, lower(user_id) collate "C")
  where user_id is not null and deleted_at is null;
-- The planner does not find the statistics of an index over an expression with a collation: it takes every beginning of a
-- name for equally rare.
create statistics contact_first_name_lower on (lower(first_name)) from contact;
create statistics contact_last_name_lower on (lower(last_name)) from contact;
create statistics contact_user_id_lower on (lower(user_id)) from contact;

-- A contact's own value of a property, in the column of the property's type.
create table contact_value (
  team_id uuid not null,
  contact_id uuid not null,
  property_id uuid not null,
  text_value text check (length(text_value) <= 1000),
  number_value numeric,
  date_value timestamptz,
  primary key (team_id, contact_id, property_id),
  constraint contact_value_one check (num_nonnulls(text_value, number_value, date_value) = 1)
);
-- Only the beginning of a text is indexed: an index entry has no room for a thousand characters of four bytes.
create index contact_value_text on contact_value (team_id, property_id, lower(left(text_value, 100)) collate "C", contact_id)
  where text_value is not null;
create statistics contact_value_text_lower on (lower(left(text_value, 100))) from contact_value;
-- Of whole texts: how rare the middle of one is.
create statistics contact_value_text_whole on (lower(text_value)) from contact_value;
create index contact_value_number on contact_value (team_id, property_id, number_value, contact_id)
  where number_value is not null;
create index contact_value_date on contact_value (team_id, property_id, date_value, contact_id)
  where date_value is not null;

create table list (
  team_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);

create table list_member (
  team_id uuid not null,
  list_id uuid not null,
  contact_id uuid not null,
  created_at timestamptz not null,
  primary key (team_id, list_id, contact_id)
);
create index list_member_contact on list_member (team_id, contact_id, list_id);

-- What a deleted list or property leaves behind may be a million rows: the row that names it goes at once, the rest is
-- swept up in small steps by the scheduler.
create table leftover (
  team_id uuid not null,
  kind text not null check (kind in ('list', 'property')),
  id uuid not null,
  created_at timestamptz not null,
  primary key (team_id, kind, id)
);

create table segment (
  team_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  match_type text not null check (match_type in ('all', 'any')),
  -- { groups: [{ match_type, conditions: [{ field, operator, value, property_id }] }] } (operations/segments.ts).
  filters jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);

-- Which properties the conditions of a segment name.
create table segment_property (
  team_id uuid not null,
  property_id uuid not null,
  segment_id uuid not null,
  primary key (team_id, property_id, segment_id)
);
create index segment_property_segment on segment_property (team_id, segment_id);

create table sender (
  team_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  name text not null check (length(name) between 1 and 255),
  username text not null check (length(username) between 1 and 64),
  reply_to text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);
create unique index sender_username_unique on sender (team_id, domain_id, lower(username));

create table template_folder (
  team_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);

create table template (
  team_id uuid not null,
  id uuid not null,
  -- May name a folder that was deleted: then the template is in none (store/templates.ts).
  folder_id uuid,
  sender_id uuid not null,
  name text not null check (length(name) between 1 and 255),
  -- A name that programs may use in place of the id.
  alias text check (length(alias) between 1 and 255),
  subject text not null,
  html_content text,
  text_content text,
  reply_to text,
  status text not null check (status in ('draft', 'published')),
  -- [{ key, type, fallback_value }]
  variables jsonb not null,
  -- Counts the changes of what is rendered: compiled templates are cached by it.
  version integer not null check (version > 0),
  -- When it last became published; kept while it is a draft again.
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint template_has_content check (html_content is not null or text_content is not null)
);
create unique index template_alias_unique on template (team_id, lower(alias collate "C")) where alias is not null;
create index template_folder_id on template (team_id, folder_id, id) where folder_id is not null;
create index template_sender_id on template (team_id, sender_id, id);
create index template_status on template (team_id, status, id);
create index template_name on template (team_id, lower(name) collate "C");

create table campaign (
  team_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  sender_id uuid,
  -- May name what was deleted: then the campaign has none (store/campaigns.ts).
  template_id uuid,
  segment_id uuid,
  list_id uuid,
  subject text,
  html text,
  text text,
  status text not null check (status in ('draft', 'scheduled', 'sending', 'sent', 'canceled')),
  scheduled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint campaign_one_audience check (num_nonnulls(segment_id, list_id) <= 1),
  constraint campaign_scheduled_has_time check (status <> 'scheduled' or scheduled_at is not null)
);
create index campaign_status on campaign (team_id, status, id);
create index campaign_sender on campaign (team_id, sender_id) where sender_id is not null;
create index campaign_template on campaign (team_id, template_id) where template_id is not null;
create index campaign_segment on campaign (team_id, segment_id) where segment_id is not null;
create index campaign_list on campaign (team_id, list_id) where list_id is not null;

create table automation (
  team_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  status text not null check (status in ('draft', 'active', 'paused')),
  -- What begins it: { type, list_id, segment_id }; null: nothing yet.
  begins_on jsonb,
  -- [{ type, ... }] (operations/automation-steps.ts).
  steps jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);
create index automation_status on automation (team_id, status, id);

-- What the trigger and steps of an automation name.
create table automation_use (
  team_id uuid not null,
  kind text not null check (kind in ('segment', 'template', 'sender', 'list')),
  used_id uuid not null,
  automation_id uuid not null,
  primary key (team_id, kind, used_id, automation_id)
);
create index automation_use_automation on automation_use (team_id, automation_id);

-- A CSV file on its way into a team's contacts or suppressions. Its bytes are kept in pieces until it is done, so that an
-- import outlives the process that runs it; `position` is the byte behind the last row that was committed.
create table csv_import (
  team_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('contacts', 'suppressions')),
  status text not null check (status in ('receiving', 'queued', 'running', 'completed', 'failed')),
  -- What the request and the header line said of it: { listIds, delimiter, columns } (store/imports.ts).
  options jsonb not null,
  bytes bigint not null check (bytes >= 0),
  position bigint not null check (position >= 0),
  -- Of the row that begins at `position`, as an editor counts.
  line integer not null check (line >= 1),
  rows_read integer not null check (rows_read >= 0),
  rows_created integer not null check (rows_created >= 0),
  rows_updated integer not null check (rows_updated >= 0),
  rows_failed integer not null check (rows_failed >= 0),
  -- Why it failed as a whole, in words for its owner.
  reason text,
  -- While it is received or run: who is at work on it, and until when nobody else may be.
  leased_until timestamptz,
  leased_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (team_id, id),
  constraint csv_import_lease_whole check ((leased_until is null) = (leased_by is null)),
  constraint csv_import_ended check ((finished_at is null) = (status not in ('completed', 'failed')))
);
create index csv_import_kind on csv_import (team_id, kind, id);
create index csv_import_open on csv_import (team_id, updated_at) where status in ('receiving', 'queued', 'running');
create index csv_import_finished on csv_import (finished_at) where finished_at is not null;
-- A team's imports run one after the other.
create unique index csv_import_running on csv_import (team_id) where status = 'running';

create table csv_import_piece (
  team_id uuid not null,
  import_id uuid not null,
  no integer not null check (no >= 0),
  -- Where its first byte stands in the file.
  position bigint not null check (position >= 0),
  content bytea not null,
  primary key (team_id, import_id, no)
);
alter table csv_import_piece alter column content set storage external;

-- The first rows that could not be imported.
create table csv_import_error (
  team_id uuid not null,
  import_id uuid not null,
  line integer not null check (line >= 1),
  id uuid not null,
  message text not null,
  primary key (team_id, import_id, line)
);

-- Which template an email was made from, as of its acceptance.
alter table email add column template_id uuid;
alter table email add column template_name text;
create index email_template on email (team_id, template_id, id) where template_id is not null;

-- Every filter of the list of emails reads its own index in the order of ids (docs/adr/0013).
create index email_status on email (team_id, status, id);
create index email_sender on email (team_id, sender_address, id);
create index email_domain on email (team_id, domain_id, id);
create index email_tag_name on email_tag (team_id, name, email_id);
drop index delivery_uncommon;

-- What a permissive batch was told of the emails that it did not take: [{ index, message }].
alter table idempotency add column refused jsonb;

-- Suppressions are found by their reason and by the beginning of the address. In the order of its bytes, so that a range
-- of the primary key is what begins with a text.
alter table suppression alter column email type text collate "C";
create index suppression_reason on suppression (team_id, reason, id);
create index suppression_reason_email on suppression (team_id, reason, email);
insert into counter (team_id, name, value)
select team_id, 'suppressions:' || reason, count(*)
from suppression
where reason is not null
group by team_id, reason;
