-- Whether a domain's emails carry a second signature, with Ed25519. Domains that published its record sign with RSA alone
-- from now on: the record is optional, and few receivers verify it.
alter table domain add column dkim_ed25519 boolean not null default false;

-- The form of the signature that the recipient's server or relay got (src/mime/signature-form.ts). Null before the first
-- attempt, and for emails sent before this migration.
alter table delivery add column signed_as text;
