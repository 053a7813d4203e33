/** Asks a person on the terminal, or reads answers line by line if stdin is not a terminal. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';

export interface Asker extends Disposable {
  /** @throws UsageError `no_answer` if stdin has ended */
  ask(question: string): Promise<string>;
  askSecret(question: string): Promise<string>;
}

/** Questions go to stderr, because stdout is for results. */
export function openAsker(input: NodeJS.ReadStream = process.stdin): Asker {
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
  const next = async (question: string): Promise<string> => {
    const { value, done } = await iterator.next();
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
  // On a terminal readline captures Ctrl-C; pass it on, so that it ends the program.
  lines.on('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  return {
    ask: (question) => ask(question, false),
    askSecret: (question) => ask(question, true),
    [Symbol.dispose]: () => lines.close(),
  };
}
