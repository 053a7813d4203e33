/** How many random scenarios, readings or hostile requests a slow test plays. CI, which has 25 minutes, plays fewer. */
export const SCENARIOS = Number(process.env['SCENARIOS'] ?? 10_000);
