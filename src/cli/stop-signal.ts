/** Ctrl-C, SIGTERM and a closed terminal (SIGHUP) as an AbortSignal. */
import { ShelfliftError } from '../base/errors.ts';
import { ExitCode } from '../base/exit-code.ts';
import { message } from '../messages/message.ts';
import { say } from './show/say.ts';

/**
 * First signal: `signal` aborts, and `tell` gets a message. Second: the process exits at once, which is still safe,
 * because every intent is in the ledger before its request is sent.
 */
export function stopSignal(
  tell: (text: string) => void,
  /** The action on SIGHUP instead, for a process that survives its terminal. */
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
    tell(say(message('stopping_after_current', {})));
    // A shelflift error, so that waiting code ends as interrupted, not as a defect.
    controller.abort(new ShelfliftError('interrupted', message('interrupted', {})));
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
