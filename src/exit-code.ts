/** The exit codes of design §2. */
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

/**
 * From most to least severe (design §2, which does not place 2). A file or setting that a person must correct goes
 * before a job that continues by itself (4) and one that has ended (3).
 */
const SEVERITY: readonly number[] = [1, 130, 5, 6, 2, 4, 3, 0];

/** With several outcomes, the most severe exit code; 0 with none. */
export function gravestOf(codes: readonly number[]): ExitCode {
  const [worst = ExitCode.ok] = codes.toSorted((a, b) => SEVERITY.indexOf(a) - SEVERITY.indexOf(b));
  return worst as ExitCode;
}
