/** Ctrl-C, SIGTERM and a terminal that goes away (SIGHUP) as an AbortSignal. */
import { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';

/**
 * Once: `signal` aborts, and `tell` is called with what to say. Twice: the process leaves at once, which is
 * still safe, as every intent is in the ledger before its request leaves.
 */
export function stopSignal(
  tell: (text: string) => void,
  /** For a process that outlives its terminal: what SIGHUP means instead. */
  onHangup?: () => void,
): {
  signal: AbortSignal;
  [Symbol.dispose](): void;
} {
  const controller = new AbortController();
  let asked = 0;
  const onSignal = () => {
    asked += 1;
    if (asked > 1) process.exit(ExitCode.interrupted);
    tell('Stopping: what is under way is finished first. Once more leaves at once; that is safe too.');
    // An error of ours, so that whatever was waiting ends as interrupted and not as a defect.
    controller.abort(new ShelfliftError('interrupted', 'interrupted'));
  };
  // A closing terminal sends it twice, through its shell and by itself: that is one request to stop.
  const hangup = onHangup ?? (() => asked === 0 && onSignal());
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', hangup);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      process.off('SIGHUP', hangup);
    },
  };
}
