-- Bodies of settled emails in packs in object storage (docs/adr/0053-bodies-in-packs.md).

-- Text that many emails of a team share, against which their bodies are compressed; kept as long as a pack names it.
create table body_dictionary (
  team_id uuid not null,
  id uuid not null,
  -- Compressed (zstd).
  content bytea not null,
  created_at timestamptz not null,
  primary key (team_id, id)
);

-- An object of the store with bodies of one team. The row comes before the object, and goes after it.
create table body_pack (
  team_id uuid not null,
  id uuid not null,
  -- Null: its bodies are compressed without a dictionary.
  dictionary_id uuid,
  -- The range of its emails, in which packed_content is searched for the last one.
  first_email_id uuid not null,
  last_email_id uuid not null,
  -- Of the object.
  bytes integer not null,
  -- writing: no email names it yet. written: emails name it. unused: no email names it any more, or none ever will.
  state text not null,
  changed_at timestamptz not null,
  primary key (team_id, id)
);
create index body_pack_dictionary on body_pack (team_id, dictionary_id);
-- What a killed packer left, and what is to be deleted.
create index body_pack_leftover on body_pack (changed_at) where state <> 'written';

-- The content of an email whose body is in a pack. An email has a row here, or in email_content, or none.
create table packed_content (
  team_id uuid not null,
  email_id uuid not null,
  smtp_utf8 boolean not null,
  headers jsonb,
  attachments jsonb,
  unsubscribe_scope text,
  pack_id uuid not null,
  -- The place of the body in the pack, in bytes.
  start integer not null,
  bytes integer not null,
  -- The key of this body is derived from it and from the key of the installation: without this row, the body is noise.
  key bytea not null,
  primary key (team_id, email_id)
) partition by range (email_id);
