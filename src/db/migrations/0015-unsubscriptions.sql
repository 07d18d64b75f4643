-- Who wants no more mail of one kind: of a list, or of a topic, which is a name that the team gives when it sends.
create table unsubscription (
  team_id uuid not null,
  -- `list:<id>` or `topic:<name>`.
  scope text not null,
  -- Lower case, domain as A-label (mime/address.ts, suppressionKey).
  email text not null,
  id uuid not null,
  -- The email whose link was followed.
  email_id uuid,
  -- How: one_click (RFC 8058), link (the page), mail (mailto), api.
  source text not null check (source in ('one_click', 'link', 'mail', 'api')),
  -- Whether it took the contact off the list, to be undone with it.
  left_list boolean not null,
  created_at timestamptz not null,
  primary key (team_id, scope, email),
  constraint unsubscription_id_unique unique (team_id, id)
);
create index unsubscription_email on unsubscription (team_id, email);

-- What the recipient of an email can unsubscribe from; null: nothing. Looked at again before every try.
alter table email_content add column unsubscribe_scope text;
