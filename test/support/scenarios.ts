/** How many random scenarios, or hostile requests, a slow test plays. CI, which has half an hour for all, plays fewer. */
export const SCENARIOS = Number(process.env['SCENARIOS'] ?? 10_000);
