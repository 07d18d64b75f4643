-- What templates said: each state of what is rendered, by its number (template.version). The newest of a template is the
-- template as it is.
create table template_version (
  team_id uuid not null,
  template_id uuid not null,
  version integer not null check (version > 0),
  -- Orders a list of versions by time, as everywhere.
  id uuid not null,
  -- May name a sender that was deleted since.
  sender_id uuid not null,
  subject text not null,
  html_content text,
  text_content text,
  reply_to text,
  variables jsonb not null,
  -- Who made it; null: it was there before versions were kept.
  actor_kind text check (actor_kind in ('key', 'user')),
  actor_id uuid,
  created_at timestamptz not null,
  primary key (team_id, template_id, version),
  constraint template_version_id_unique unique (team_id, template_id, id)
);

-- A template's own id is older than that of any version to come.
insert into template_version (team_id, template_id, version, id, sender_id, subject, html_content, text_content, reply_to,
  variables, created_at)
select team_id, id, version, id, sender_id, subject, html_content, text_content, reply_to, variables, updated_at
from template;
