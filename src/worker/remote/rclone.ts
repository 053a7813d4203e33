/**
 * Runs rclone, for storage that supports neither https nor SFTP: cloud storage.
 *
 * It is started without a shell, its operands come after `--`, and it gets only the environment variables that it
 * needs, never the key of the API. Only remotes that its own configuration names are used (config/remotes.ts).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { ConnectionContext } from './connection-context.ts';

const PASSED_ON = /^(PATH|HOME|RCLONE_CONFIG|(HTTP|HTTPS|ALL|NO)_PROXY)$/i;
/** shelflift has its own retries, and nobody is there to type a password. */
const ALWAYS = [
  '--ask-password=false',
  '--retries=1',
  '--low-level-retries=3',
  '--contimeout=30s',
  '--timeout=60s',
];
/** Bytes of rclone's output that are kept. */
const MAX_WORDS = 4000;
/** https://rclone.org/docs/#exit-code */
const EXIT = { noFolder: 3, noFile: 4, passing: 5 } as const;
/** rclone ends with 1 for some temporary errors. */
const PASSING =
  /\bdial tcp\b|connection re(fused|set)|no such host|i\/o timeout|timed? ?out|unexpected EOF|\b50[0234]\b|\b429\b/i;

/**
 * @param operands are never read as options
 * @returns what it wrote to stdout
 * @throws UsageError `program_missing`; ShelfliftError `remote_away` (an outage), `remote_missing`, `delivery_failed`
 */
export async function rclone(
  command: string,
  options: readonly string[],
  operands: readonly string[],
  around: { context: Pick<ConnectionContext, 'environment'>; signal: AbortSignal },
): Promise<string> {
  let out = '';
  for await (const chunk of rcloneOutput(command, options, operands, around)) out += chunk.toString();
  return out;
}

/** The same, as a stream. The stream ends with an error if rclone failed. */
export async function* rcloneOutput(
  command: string,
  options: readonly string[],
  operands: readonly string[],
  { context, signal }: { context: Pick<ConnectionContext, 'environment'>; signal: AbortSignal },
): AsyncGenerator<Buffer, void> {
  const child = spawn('rclone', [command, ...ALWAYS, ...options, '--', ...operands], {
    env: environmentOf(context.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    shell: false,
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-MAX_WORDS)));
  const ended = once(child, 'close') as Promise<[number | null]>;
  // The result is awaited below; until then, a failed start must not count as an unhandled error.
  ended.catch(() => undefined);
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const [code] = await ended.catch((error: unknown) => {
      throw notStarted(error);
    });
    if (code !== 0) throw failed(code, words);
  } finally {
    child.kill('SIGKILL');
  }
}

/** `drive:accounts` and `2026/items.xlsx` → `drive:accounts/2026/items.xlsx` */
export function remotePath(remote: string, ...parts: readonly string[]): string {
  const rest = parts.filter((part) => part !== '' && part !== '.').join('/');
  return rest === '' || /[:/]$/.test(remote) ? remote + rest : `${remote}/${rest}`;
}

/** rclone gets no other variable: some would set an option, or define a remote. */
export function environmentOf(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => PASSED_ON.test(name)));
}

function notStarted(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  return new UsageError('program_missing', message('rclone_missing', {}), {
    cause: error,
    actions: [{ do: 'byHand', label: message('install_rclone', {}) }],
  });
}

function failed(code: number | null, words: string): ShelfliftError {
  const last = words.trim().split('\n').at(-1) ?? '';
  const reason = last.replace(/^\S+ \S+ (\w+ *: )?/, '').trim();
  const said = message('rclone_ended', {
    ...(code === null ? {} : { exit: code }),
    ...(reason === '' ? {} : { reason }),
  });
  if (code === EXIT.noFolder || code === EXIT.noFile) return new ShelfliftError('remote_missing', said);
  if (code === EXIT.passing || PASSING.test(words)) return new ShelfliftError('remote_away', said);
  return new ShelfliftError('delivery_failed', said, {
    actions: [
      {
        do: 'byHand',
        label: /didn't find section in config file/.test(words)
          ? message('add_rclone_remote', {})
          : message('correct_what_it_says', {}),
      },
    ],
  });
}
