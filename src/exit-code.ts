/** The exit codes of DESIGN §2. */
export const ExitCode = {
  ok: 0,
  defect: 1,
  usage: 2,
  rows: 3,
  limit: 4,
  unauthorised: 5,
  parked: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
