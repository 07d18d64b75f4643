-- The lists and segments that a campaign goes to, and those that it leaves out. A row may name what was deleted: an inclusion is
-- then ignored, and an exclusion keeps its campaign from starting (campaigns/audience/audience-queries.ts).
create table campaign_audience (
  team_id uuid not null,
  campaign_id uuid not null,
  is_excluded boolean not null,
  kind text not null check (kind in ('list', 'segment')),
  used_id uuid not null,
  -- From 0, as the request had them.
  position smallint not null,
  primary key (team_id, campaign_id, is_excluded, kind, used_id)
);
create index campaign_audience_used on campaign_audience (team_id, kind, used_id);
insert into campaign_audience (team_id, campaign_id, is_excluded, kind, used_id, position)
select team_id, id, false, case when list_id is null then 'segment' else 'list' end, coalesce(list_id, segment_id), 0
from campaign
where coalesce(list_id, segment_id) is not null;

-- { include, exclude: [{ listId } or { segment: { matchType, groups } }] }: the audience as of the first start.
alter table campaign_version add column audience jsonb;
update campaign_version v
set audience = jsonb_build_object(
  'exclude', '[]'::jsonb,
  'include', case
    when v.segment is not null then jsonb_build_array(jsonb_build_object('segment', v.segment))
    else coalesce(
      (select jsonb_build_array(jsonb_build_object('listId', c.list_id))
       from campaign c
       where c.team_id = v.team_id and c.id = v.campaign_id and c.list_id is not null),
      '[]')
  end);
alter table campaign_version alter column audience set not null, drop column segment;

alter table campaign
  drop column list_id,
  drop column segment_id;
