/** `worker init`: asks for tasks, times, targets and recipients, and writes a commented shelflift.yaml. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { normaliseAddress } from '../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { parseYaml } from '../../base/yaml-file.ts';
import { readWorkerConfig } from '../../worker/config/read-config.ts';
import { WorkerConfig } from '../../worker/config/schema.ts';
import { sendMail } from '../../worker/delivery/email.ts';
import { plainWords } from '../../worker/remote/plain-words.ts';
import { isZone } from '../../base/zone.ts';
import { configFile, defaultProfile, findProfile, readConfig } from '../../account/profiles.ts';
import type { Dialogue } from '../session.ts';
import {
  type Answers,
  configYaml,
  type Preset,
  PRESETS,
  type Target,
} from '../../worker/config/new-config.ts';
import { byHand, message } from '../../messages/message.ts';

/** @throws UsageError `config_exists`: it never overwrites */
export function checkNew(file: string): void {
  if (!existsSync(file)) return;
  throw new UsageError('config_exists', message('config_exists', { file }), {
    actions: [
      byHand('change_with_editor', {}),
      {
        do: 'run',
        command: 'worker init',
        options: { config: 'other.yaml' },
        label: message('to_write_other_config', {}),
      },
    ],
  });
}

/** @returns the names of the environment variables that the file needs */
export async function askAndWrite(
  file: string,
  dialogue: Dialogue,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const answers = await askAll(new Questions(dialogue), environment);
  const text = configYaml(answers);
  // A mistake here would be ours: every answer was checked.
  parseYaml(text, WorkerConfig, { file, code: 'bad_config', whole: 'the_configuration' });
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') checkNew(file);
    throw error;
  }
  return [...text.matchAll(/(?:key|password)Env: "(\w+)"/g)]
    .map(([, name = '']) => name)
    .filter((name, at, all) => all.indexOf(name) === at);
}

async function askAll(ask: Questions, environment: NodeJS.ProcessEnv): Promise<Answers> {
  const { apiUrl, key } = await askTarget(ask, environment);
  const timeZone = await ask.text('Time zone', Intl.DateTimeFormat().resolvedOptions().timeZone, (zone) =>
    isZone(zone) ? undefined : 'Expected a time zone, such as Europe/Berlin.',
  );
  const schedules: Answers['schedules'] = [];
  let drop: Answers['drop'];
  do {
    const left = Object.entries(PRESETS).filter(([name]) => schedules.every(({ preset }) => preset !== name));
    const what = await ask.choice('What is to run?', [
      ...left.map(([name, { says }]) => [name, `a file with ${says}`] as const),
      ...(drop === undefined ? [['drop', 'import what is put into a folder'] as const] : []),
    ]);
    if (what === 'drop') {
      const path = await ask.text('Folder to watch', './drop');
      const collection = await ask.text(
        'Collection for rows that name none (or nothing)',
        '',
        () => undefined,
      );
      drop = { path, collection };
    } else {
      const preset = what as Preset;
      const time = await ask.text(
        `At what time, on ${PRESETS[preset].when}?`,
        PRESETS[preset].time,
        (given) => (timeOf(given) === undefined ? 'Expected a time, such as 06:00.' : undefined),
      );
      const [hour = 0, minute = 0] = timeOf(time) ?? [];
      schedules.push({ preset, hour, minute, target: await askWhereTo(ask) });
    }
    if (schedules.length === Object.keys(PRESETS).length && drop !== undefined) break;
  } while (await ask.confirm('Anything else?'));
  const notify = await ask.text(
    'Who gets a mail when something fails? (an address, or nothing)',
    '',
    mailProblem,
  );
  const mails = notify !== '' || schedules.some(({ target }) => 'email' in target);
  const smtp = mails ? await askMailServer(ask) : undefined;
  return { apiUrl, key, timeZone, schedules, drop, smtp, notify: notify === '' ? undefined : notify };
}

/** The saved profile, if there is one; its key is not copied. */
async function askTarget(
  ask: Questions,
  environment: NodeJS.ProcessEnv,
): Promise<Pick<Answers, 'apiUrl' | 'key'>> {
  const saved = readConfig(environment);
  const name = defaultProfile(saved);
  const profile = name === undefined ? undefined : findProfile(name, saved);
  const apiUrl = await ask.text(
    'Address of the API',
    environment['SHELFLIFT_API_URL'] ?? profile?.apiUrl ?? '',
    (given) => {
      try {
        normaliseAddress(given);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
  );
  if (profile?.keyFile !== undefined && profile.apiUrl === apiUrl)
    return { apiUrl, key: { keyFile: resolve(dirname(configFile(environment)), profile.keyFile) } };
  const where = await ask.choice('Where will the key be?', [
    ['variable', 'in an environment variable'],
    ['file', 'in a file that only the worker can read'],
  ]);
  if (where === 'file') return { apiUrl, key: { keyFile: await ask.text('Path of the file', './api-key') } };
  return { apiUrl, key: { keyEnv: await ask.variable('Name of the variable', 'SHELFLIFT_API_KEY') } };
}

async function askWhereTo(ask: Questions): Promise<Target> {
  const where = await ask.choice('Where does it go?', [
    ['folder', 'a folder of this machine, or a mounted share'],
    ['email', 'an e-mail with the file'],
    ['sftp', 'an SFTP server'],
    ['rclone', 'cloud storage, by rclone'],
  ]);
  if (where === 'folder') return { folder: await ask.text('Folder', './out') };
  if (where === 'email') return { email: await ask.text('Address', '', mailProblem) };
  if (where === 'rclone')
    return {
      rclone: await ask.text('Remote of rclone config, and folder', 'drive:accounts', (given) =>
        /^[\w.+@][\w.+@ -]*:/.test(given)
          ? undefined
          : 'Expected a remote and a folder, such as drive:accounts.',
      ),
    };
  const host = await ask.text('Host', '');
  return {
    sftp: {
      host,
      user: await ask.text('User', ''),
      hostKey: await ask.text(`Host key (ssh-keyscan ${host} | ssh-keygen -lf - shows it)`, '', (given) =>
        /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(given) ? undefined : 'Expected SHA256: and 43 characters.',
      ),
      passwordEnv: await ask.variable('Variable with the password', 'SFTP_PASSWORD'),
      folder: await ask.text('Folder on the server', '.'),
    },
  };
}

/** Ports according to RFC 8314 and custom. */
const PORTS = { starttls: '587', implicit: '465', none: '25' } as const;

async function askMailServer(ask: Questions): Promise<NonNullable<Answers['smtp']>> {
  const host = await ask.text('Mail server', '');
  const tls = (await ask.choice('How is the connection encrypted?', [
    ['starttls', 'STARTTLS, usually on port 587'],
    ['implicit', 'TLS from the start, usually on port 465'],
    ['none', 'not at all: a server of this machine, without a password'],
  ])) as keyof typeof PORTS;
  const port = await ask.text('Port', PORTS[tls], (given) =>
    /^\d{1,5}$/.test(given) && Number(given) >= 1 && Number(given) <= 65_535
      ? undefined
      : 'Expected a number from 1 to 65535.',
  );
  const from = await ask.text('Address that mails come from', '', mailProblem);
  const server = { host, port: Number(port), tls, from };
  if (tls === 'none') return server;
  const user = await ask.text('User at the mail server', from);
  return { ...server, user, passwordEnv: await ask.variable('Variable with its password', 'MAIL_PASSWORD') };
}

/** Offers a test mail through the server of the new configuration. */
export async function offerTestMail(
  file: string,
  dialogue: Dialogue,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { smtp, notify, schedules } = readWorkerConfig(file);
  if (smtp === undefined) return;
  const receivers = Object.values(schedules).flatMap(({ deliver }) =>
    deliver.flatMap((each) => ('email' in each ? each.email.to : [])),
  );
  const to = [...new Set([...(notify?.email ?? []), ...receivers])];
  if (!(await dialogue.confirm(`Send a test mail to ${to.join(', ')} now?`))) return;
  try {
    const text = 'This is a test. shelflift can send mail.\n';
    await sendMail(
      { configFolder: dirname(resolve(file)), environment, smtp },
      { to, subject: 'shelflift: test', text, key: randomUUID() },
      new AbortController().signal,
    );
    dialogue.say('The mail server took the test mail.');
  } catch (error) {
    dialogue.say(`The test mail was not sent: ${plainWords(error)}`);
  }
}

function timeOf(given: string): [number, number] | undefined {
  const [, hour, minute] = /^(\d{1,2})[:.](\d{2})$/.exec(given) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return [Number(hour), Number(minute)];
}

function mailProblem(given: string): string | undefined {
  return given === '' || /^\S+@\S+$/.test(given)
    ? undefined
    : 'Expected an address, such as books@example.com.';
}

/** Questions that are repeated until the answer is valid. */
class Questions {
  readonly #dialogue: Dialogue;

  constructor(dialogue: Dialogue) {
    this.#dialogue = dialogue;
  }

  confirm(question: string): Promise<boolean> {
    return this.#dialogue.confirm(question);
  }

  /** @param check returns why an answer is invalid; by default, an empty answer is */
  async text(
    question: string,
    otherwise: string,
    check: (given: string) => string | undefined = (given) => (given === '' ? 'This is needed.' : undefined),
  ): Promise<string> {
    for (;;) {
      const shown = otherwise === '' ? `${question}:` : `${question} [${otherwise}]`;
      const given = (await this.#dialogue.ask(shown)) || otherwise;
      const problem = check(given);
      if (problem === undefined) return given;
      this.#dialogue.say(problem);
    }
  }

  variable(question: string, otherwise: string): Promise<string> {
    return this.text(question, otherwise, (given) =>
      // Capitals only, so that a secret that is pasted by mistake does not end up in the file.
      /^[A-Z_][A-Z0-9_]*$/.test(given)
        ? undefined
        : 'Expected the name of a variable, in capitals; not the secret itself.',
    );
  }

  /** Numbers the choices from 1. @returns the name of one */
  async choice(
    question: string,
    choices: readonly (readonly [name: string, says: string])[],
  ): Promise<string> {
    for (;;) {
      const answer = await this.#dialogue.choose(
        question,
        choices.map(([, says], at) => ({ key: String(at + 1), says })),
      );
      const [name] = choices[Number(answer) - 1] ?? [];
      if (name !== undefined) return name;
      this.#dialogue.say(`Please answer with a number from 1 to ${choices.length}.`);
    }
  }
}
