-- A call by an automation has no event whose id a replay could send again as webhook-id.

alter table webhook_delivery
  -- Sent as webhook-id by the replay of a delivery without an event: the id of the first. Null: the id of the event, or its own.
  add column message_id uuid;
