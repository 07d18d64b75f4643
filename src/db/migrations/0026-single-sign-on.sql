-- People as an OpenID provider knows them (docs/adr/0035-single-sign-on.md).
create table sso_identity (
  -- Together they name a person for ever: an address can change owners, a subject never does (OpenID Connect Core 1.0,
  -- section 2).
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_login_at timestamptz not null,
  primary key (issuer, subject),
  constraint sso_identity_one unique (user_id, issuer)
);

-- Whether groups of the provider gave the role: then each login sets it again, and may end it.
alter table membership add column by_groups boolean not null default false;

-- The lifetime of the session to come; null: as after a password.
alter table login_challenge add column session_ms bigint;

-- A way in for operators while passwords are off.
alter table account_link drop constraint account_link_kind_check;
alter table account_link add constraint account_link_kind_check check (kind in ('first_owner', 'reset', 'login'));
