/** The configuration of design §9, whose shape is pinned. */
export const EXAMPLE = `profiles:
  main: { apiUrl: "https://inventory.example.com", keyEnv: SHELFLIFT_API_KEY }
schedules:
  accounting:
    profile: main
    cron: "0 6 1 * *"
    timeZone: Europe/Berlin
    task: { export: items, out: "items-{{period.end:yyyy-MM}}.xlsx" }
    deliver: [{ folder: ./out }]
    catchUp: once
hotFolders:
  - { path: ./drop, profile: main, import: { collection: Main, skipInvalid: true } }
`;

/** A schedule of the profile main. */
export const EXPORT = (more = '') => `
schedules:
  accounting:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { export: items, out: "items-{{period.end:yyyy-MM-dd}}.csv", columns: "id,name" }
    deliver: [{ folder: ./out }]
    ${more}
`;
export const DAY = 86_400_000;
/** A Tuesday, 07:00 in Berlin. */
export const TUESDAY = Date.UTC(2026, 5, 16, 5);

/** A watched folder. */
export const DROP = `
hotFolders:
  - { path: ./drop, profile: main, import: { collection: Main, skipInvalid: true } }
`;

/** The example with another address. */
export function scheduleYaml(apiUrl: string): string {
  return EXAMPLE.replace('https://inventory.example.com', apiUrl);
}
