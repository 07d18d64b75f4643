-- The search over emails finds the start of an address, which an index in the order of a language cannot. The operator
-- class compares bytes; equal addresses are found as before.
drop index delivery_address;
create index delivery_address on delivery (team_id, address_key text_pattern_ops, email_id);
drop index email_sender;
create index email_sender on email (team_id, sender_address text_pattern_ops, id);

-- A Message-ID that Sendwright generated begins with the email's id: only those of callers cost an entry.
create index email_message_id on email (team_id, message_id) where not starts_with(message_id, id::text);
