/** The category of deliveries that wait because their campaign is paused. */
export const CAMPAIGN_PAUSED = 'campaign_paused'
