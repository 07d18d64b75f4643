-- The alert about a campaign that Sendwright paused. Whoever is told when sending is paused is told of this too.
update alert_channel
set kinds = kinds || 'campaign_paused'::text
where 'sending_paused' = any (kinds) and not 'campaign_paused' = any (kinds);

-- Campaigns that wait for a person (metrics/alerts).
create index campaign_stopped on campaign (team_id, id) where status = 'paused' and paused_reason <> 'user';
