/** The exit codes of commands. Results and errors have the code that the command line would end with. */
export const ExitCode = {
  /** All done, or already applied, or paused as requested. */
  ok: 0,
  /** A defect of shelflift. */
  defect: 1,
  /**
   * Something has to be corrected first: an option, a template, a file, or a question without an answer. Nothing was
   * sent.
   */
  usage: 2,
  /** Ended, but some rows are invalid, refused or held; or a file does not verify. */
  rows: 3,
  /** Parked at the item limit of the API plan. It can be resumed. */
  limit: 4,
  /** The key was not accepted, or lacks a scope. It can be resumed with another key of the same team. */
  unauthorized: 5,
  /** Parked: the API cannot be reached or keeps failing, or the disk is full. It can be resumed. */
  parked: 6,
  /** Stopped: by a signal, or by `stop` of the run. It can be resumed. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * From most to least severe (design §2, which does not place 2). A file or setting that a person must correct is more
 * severe than a job that continues by itself (4) and a job that has ended (3).
 */
const SEVERITY: readonly number[] = [1, 130, 5, 6, 2, 4, 3, 0];

/** With several outcomes, the most severe exit code; 0 with none. */
export function mostSevere(codes: readonly number[]): ExitCode {
  const [worst = ExitCode.ok] = codes.toSorted((a, b) => SEVERITY.indexOf(a) - SEVERITY.indexOf(b));
  return worst as ExitCode;
}
