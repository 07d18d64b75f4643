-- Who changed what, when and from where. Written in the transaction that changes it.
create table audit (
  team_id uuid not null,
  id uuid not null,
  actor_kind text not null check (actor_kind in ('key', 'operator')),
  -- The API key; null: an operator at the command line.
  actor_id uuid,
  -- For example `templates.publish`.
  action text not null,
  -- What was changed; null where the change is about many.
  target_id uuid,
  -- Names of the fields that were given, never their values: those may be secrets, or somebody's data.
  fields text[] not null,
  ip_address text,
  user_agent text,
  request_id uuid,
  created_at timestamptz not null,
  primary key (team_id, id)
);
create index audit_target on audit (team_id, target_id, id);
create index audit_actor on audit (team_id, actor_id, id);
