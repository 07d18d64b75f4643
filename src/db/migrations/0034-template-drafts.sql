-- Unpublished content of a template, at most one per template. Sending reads only `template`, so saving a draft affects no email.
create table template_draft (
  team_id uuid not null,
  template_id uuid not null,
  -- Counts the saves, so that a request can name the content that it saw.
  revision integer not null check (revision > 0),
  -- The version of the template that the draft changes. The draft is outdated when the template has a later one.
  base_version integer not null check (base_version > 0),
  -- May name a sender that was deleted since.
  sender_id uuid not null,
  subject text not null,
  html_content text,
  text_content text,
  reply_to text,
  variables jsonb not null,
  -- Who saved it last.
  actor_kind text not null check (actor_kind in ('key', 'user')),
  actor_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, template_id),
  constraint template_draft_has_content check (html_content is not null or text_content is not null)
);
