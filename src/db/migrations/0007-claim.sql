-- The order of a destination's ready rows to the last one: a claim goes on at the very row where the one before it
-- stopped, though thousands are due at the same instant.
drop index delivery_ready;
create index delivery_ready on delivery (team_id, domain, due_at, email_id) where ready;
-- Which deliveries have become ready lately: a claim looks at these and goes on with what it knew before. The index that
-- groups them by destination also holds those taken since, for as long as any transaction may still see them.
create index delivery_news on delivery (updated_at) where ready;
