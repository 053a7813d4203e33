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
 * Where several hold (design §2, which does not name 2): a file or a setting that a person must mend goes before what
 * goes on by itself (4) and what has ended (3).
 */
const GRAVITY: readonly number[] = [1, 130, 5, 6, 2, 4, 3, 0];

/** The exit code of a command that did several things; 0 of none. */
export function gravestOf(codes: readonly number[]): ExitCode {
  const [worst = ExitCode.ok] = codes.toSorted((a, b) => GRAVITY.indexOf(a) - GRAVITY.indexOf(b));
  return worst as ExitCode;
}
