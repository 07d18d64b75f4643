-- TLS certificates that a certificate authority issued by ACME (RFC 8555). They belong to the installation, so no team is named.

-- The account at a certificate authority, by the URL of its directory. All processes use one account.
create table acme_account (
  directory_url text collate "C" primary key,
  -- PEM (PKCS#8), sealed with the master key.
  sealed_key bytea not null,
  created_at timestamptz not null
);

-- One certificate for each host.
create table tls_certificate (
  -- A-label, lower case.
  host text collate "C" primary key,
  directory_url text not null,
  -- PEM, leaf first. Null until the first certificate.
  chain text,
  -- PEM (PKCS#8), sealed with the master key.
  sealed_key bytea,
  valid_until timestamptz,
  -- When the chain was stored. Processes look for certificates that are newer than theirs.
  issued_at timestamptz,
  -- When the next attempt starts. Null: the host is no longer served, and its certificate is not renewed.
  due_at timestamptz,
  -- Attempts that failed since the last certificate, and the reason of the last failure.
  failures integer not null check (failures >= 0),
  reason text,
  check ((chain is null) = (sealed_key is null)),
  check ((chain is null) = (valid_until is null)),
  check ((chain is null) = (issued_at is null))
);
create index tls_certificate_due_at on tls_certificate (due_at) where due_at is not null;
create index tls_certificate_issued_at on tls_certificate (issued_at) where issued_at is not null;

-- Answers to challenges in progress. Any process may be asked for them.
create table acme_challenge (
  token text collate "C" primary key,
  host text collate "C" not null,
  -- The answer to HTTP-01 (RFC 8555 section 8.3).
  key_authorization text not null,
  -- The answer to TLS-ALPN-01 (RFC 8737 section 3): a certificate, PEM, and its key, sealed. Null for HTTP-01.
  certificate text,
  sealed_key bytea,
  expires_at timestamptz not null,
  check ((certificate is null) = (sealed_key is null))
);
