-- People who log in. Not to be confused with contacts, who are written to, nor with a contact's `user_id`.
create table user_account (
  id uuid primary key,
  -- As addresses are compared: lower case, domain as A-label.
  email text not null constraint user_account_email_unique unique,
  name text not null,
  -- PHC string, with its parameters: a login with older ones writes it anew. Null: no password was ever set.
  password_hash text,
  password_changed_at timestamptz,
  is_operator boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table membership (
  team_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, user_id)
);
create index membership_user on membership (user_id, team_id);

-- Browsers that are logged in.
create table session (
  id uuid primary key,
  -- SHA-256 of the cookie's value, which is nowhere else.
  token_hash bytea not null constraint session_token_unique unique,
  user_id uuid not null,
  ip_address text not null,
  user_agent text,
  created_at timestamptz not null,
  -- To the minute.
  last_seen_at timestamptz not null,
  -- However much it is used.
  expires_at timestamptz not null
);
create index session_of_user on session (user_id, id);
create index session_expires on session (expires_at);

-- Logins that are half done, for some minutes: the password was right, and a second factor is asked for.
create table login_challenge (
  id uuid primary key,
  user_id uuid not null,
  tries integer not null check (tries >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenge_user on login_challenge (user_id);
create index login_challenge_expires on login_challenge (expires_at);

-- Links that let somebody in once, without a password.
create table account_link (
  -- SHA-256 of the token.
  token_hash bytea primary key,
  kind text not null check (kind in ('first_owner', 'reset')),
  user_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint account_link_whose check ((user_id is null) = (kind = 'first_owner'))
);
create index account_link_user on account_link (user_id);
create index account_link_expires on account_link (expires_at);

-- People who may join a team. The row goes when they do, or are no longer wanted.
create table invitation (
  team_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  -- Null: an operator at the command line.
  invited_by uuid,
  -- SHA-256 of the link's token; sending it again makes another.
  token_hash bytea not null constraint invitation_token_unique unique,
  created_at timestamptz not null,
  -- Of the link.
  expires_at timestamptz not null,
  primary key (team_id, id),
  constraint invitation_email_unique unique (team_id, email)
);
create index invitation_expires on invitation (expires_at);

-- How often somebody tried lately: logins, codes, links. Unlogged would forget at a crash; these must not.
create table throttle (
  -- SHA-256 of what is counted: an account, a network, both. What people type into the wrong field is not kept.
  key bytea primary key,
  tries integer not null check (tries >= 0),
  -- The last try that was let in.
  last_try uuid not null,
  -- Until then nobody is let in.
  next_at timestamptz not null,
  -- From then on it begins anew.
  forget_at timestamptz not null
);
create index throttle_forget on throttle (forget_at);

-- New rows are held to it; the old ones were held to less.
alter table audit drop constraint audit_actor_kind_check;
alter table audit add constraint audit_actor_kind_check check (actor_kind in ('key', 'user', 'operator')) not valid;
