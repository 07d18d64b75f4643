-- What a person shows besides their password, or in place of it. Belongs to people, not to teams: user_id comes first.

-- An authenticator app.
create table user_totp (
  user_id uuid primary key,
  -- Sealed with the installation's key, for this user (base/seal.ts).
  sealed_secret bytea not null,
  -- Null: shown, and no code of it was seen yet; it counts for nothing.
  confirmed_at timestamptz,
  -- The step of 30 seconds whose code was used last: none up to it works again.
  last_step bigint not null,
  created_at timestamptz not null
);

-- For who has lost the rest. A row goes when its code is used.
create table user_recovery_code (
  user_id uuid not null,
  -- HMAC-SHA256 with a key of the installation.
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, hash)
);

create table passkey (
  user_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- As the authenticator calls it, and its public key in COSE form.
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) between 1 and 2048),
  -- How often the authenticator says that it signed; 0: it does not count.
  sign_count bigint not null,
  -- How a browser reaches it: 'internal', 'usb', 'hybrid', ...
  transports text[] not null,
  -- Whether it is kept in an account of its maker, and so on several devices.
  is_backed_up boolean not null,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (user_id, id),
  constraint passkey_credential_unique unique (credential_id)
);

-- Challenges that were answered rightly: none is taken twice. What was asked and not answered is kept nowhere.
create table spent_challenge (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
create index spent_challenge_expiry on spent_challenge (expires_at);
