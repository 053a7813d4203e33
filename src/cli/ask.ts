/** Asks a person on the terminal, or reads answers line by line if stdin is not a terminal. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../base/errors.ts';
import { InterruptedError } from '../import/job/interrupted.ts';
import { byHand, message } from '../messages/message.ts';

export interface Asker extends Disposable {
  /** @throws UsageError `no_answer` if stdin has ended */
  ask(question: string): Promise<string>;
  askSecret(question: string): Promise<string>;
}

/** Questions go to stderr, because stdout is for results. */
export function openAsker(): Asker {
  const input = process.stdin;
  // Undefined on a pipe, despite its type.
  const terminal = input.isTTY;
  let muted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const lines: Interface = createInterface(terminal ? { input, output, terminal } : { input });
  const iterator = lines[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<never>();
  // It may come while nothing is asked.
  stopped.promise.catch(() => undefined);
  const next = async (question: string): Promise<string> => {
    const { value, done } = await Promise.race([iterator.next(), stopped.promise]);
    if (done === true) {
      throw new UsageError('no_answer', message('no_answer', { question }), {
        actions: [byHand('answer_on_terminal', {})],
      });
    }
    return value;
  };
  const ask = async (question: string, secret: boolean): Promise<string> => {
    if (!terminal) return next(question);
    process.stderr.write(`${question} `);
    muted = secret;
    try {
      return await next(question);
    } finally {
      muted = false;
      if (secret) process.stderr.write('\n');
    }
  };
  // On a terminal readline captures Ctrl-C. The command then says how to continue.
  lines.on('SIGINT', () => {
    process.stderr.write('\n');
    stopped.reject(new InterruptedError(undefined));
  });
  return {
    ask: (question) => ask(question, false),
    askSecret: (question) => ask(question, true),
    [Symbol.dispose]: () => lines.close(),
  };
}
