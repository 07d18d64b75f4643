-- The API key that sent the email. Keys that may only send see the content of their own emails.
-- Null: another way than a key, or before this migration. Such content stays hidden from these keys.
alter table email add column api_key_id uuid;
