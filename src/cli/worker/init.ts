/** `worker init`: asks for tasks, times, targets and recipients, and writes a commented shelflift.yaml. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { normaliseAddress } from '../../api/address.ts';
import { saidOf, UsageError } from '../../base/errors.ts';
import type { Message } from '../../messages/params.ts';
import { parseYaml } from '../../base/yaml-file.ts';
import { readWorkerConfig } from '../../worker/config/read-config.ts';
import { WorkerConfig } from '../../worker/config/schema.ts';
import { sayIn } from '../../worker/notify/language.ts';
import { sendMail } from '../../worker/delivery/email.ts';
import { reasonOf, reasonText } from '../../worker/remote/plain-words.ts';
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
import { say, spokenLanguage } from '../show/say.ts';

/** Presets that do not run on the first of a month. */
const TIME_QUESTIONS: Partial<Record<Preset, 'ask_time_of_day' | 'ask_time_of_week'>> = {
  items: 'ask_time_of_day',
  listings: 'ask_time_of_week',
};

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
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZone = await ask.text(message('ask_time_zone', {}), zone, (given) =>
    isZone(given) ? undefined : message('bad_zone', { zone: given }),
  );
  const schedules: Answers['schedules'] = [];
  let drop: Answers['drop'];
  do {
    const left = Object.entries(PRESETS).filter(([name]) => schedules.every(({ preset }) => preset !== name));
    const what = await ask.choice(message('ask_what_to_run', {}), [
      ...left.map(([name]) => [name, message(`preset_${name as Preset}`, {})] as const),
      ...(drop === undefined ? [['drop', message('choice_drop_folder', {})] as const] : []),
    ]);
    if (what === 'drop') {
      const path = await ask.text(message('ask_folder_to_watch', {}), './drop');
      const collection = await ask.text(message('ask_drop_collection', {}), '', () => undefined);
      drop = { path, collection };
    } else {
      const preset = what as Preset;
      const time = await ask.text(
        message(TIME_QUESTIONS[preset] ?? 'ask_time_of_month', {}),
        PRESETS[preset].time,
        (given) => (timeOf(given) === undefined ? message('give_time', {}) : undefined),
      );
      const [hour = 0, minute = 0] = timeOf(time) ?? [];
      schedules.push({ preset, hour, minute, target: await askWhereTo(ask) });
    }
    if (schedules.length === Object.keys(PRESETS).length && drop !== undefined) break;
  } while (await ask.confirm(message('ask_anything_else', {})));
  const notify = await ask.text(message('ask_whom_to_notify', {}), '', mailProblem);
  const mails = notify !== '' || schedules.some(({ target }) => 'email' in target);
  const smtp = mails ? await askMailServer(ask) : undefined;
  const told = { notify: notify === '' ? undefined : notify, language: spokenLanguage() };
  return { apiUrl, key, timeZone, schedules, drop, smtp, ...told };
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
    message('ask_api_address', {}),
    environment['SHELFLIFT_API_URL'] ?? profile?.apiUrl ?? '',
    (given) => {
      try {
        normaliseAddress(given);
        return undefined;
      } catch (error) {
        return saidOf(error as Error);
      }
    },
  );
  if (profile?.keyFile !== undefined && profile.apiUrl === apiUrl)
    return { apiUrl, key: { keyFile: resolve(dirname(configFile(environment)), profile.keyFile) } };
  const where = await ask.choice(message('ask_where_key', {}), [
    ['variable', message('choice_key_variable', {})],
    ['file', message('choice_key_file', {})],
  ]);
  if (where === 'file')
    return { apiUrl, key: { keyFile: await ask.text(message('ask_key_file', {}), './api-key') } };
  return {
    apiUrl,
    key: { keyEnv: await ask.variable(message('ask_key_variable', {}), 'SHELFLIFT_API_KEY') },
  };
}

async function askWhereTo(ask: Questions): Promise<Target> {
  const where = await ask.choice(message('ask_where_to', {}), [
    ['folder', message('choice_folder', {})],
    ['email', message('choice_email', {})],
    ['sftp', message('choice_sftp', {})],
    ['rclone', message('choice_rclone', {})],
  ]);
  if (where === 'folder') return { folder: await ask.text(message('ask_folder', {}), './out') };
  if (where === 'email') return { email: await ask.text(message('ask_mail_address', {}), '', mailProblem) };
  if (where === 'rclone')
    return {
      rclone: await ask.text(message('ask_rclone_remote', {}), 'drive:accounts', (given) =>
        /^[\w.+@][\w.+@ -]*:/.test(given) ? undefined : message('give_rclone_remote', {}),
      ),
    };
  const host = await ask.text(message('ask_host', {}), '');
  return {
    sftp: {
      host,
      user: await ask.text(message('ask_user', {}), ''),
      hostKey: await ask.text(message('ask_host_key', { host }), '', (given) =>
        /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(given) ? undefined : message('give_host_key', {}),
      ),
      passwordEnv: await ask.variable(message('ask_password_variable', {}), 'SFTP_PASSWORD'),
      folder: await ask.text(message('ask_server_folder', {}), '.'),
    },
  };
}

/** Ports according to RFC 8314 and custom. */
const PORTS = { starttls: '587', implicit: '465', none: '25' } as const;

async function askMailServer(ask: Questions): Promise<NonNullable<Answers['smtp']>> {
  const host = await ask.text(message('ask_mail_server', {}), '');
  const tls = (await ask.choice(message('ask_encryption', {}), [
    ['starttls', message('choice_starttls', {})],
    ['implicit', message('choice_implicit_tls', {})],
    ['none', message('choice_no_tls', {})],
  ])) as keyof typeof PORTS;
  const port = await ask.text(message('ask_port', {}), PORTS[tls], (given) =>
    /^\d{1,5}$/.test(given) && Number(given) >= 1 && Number(given) <= 65_535
      ? undefined
      : message('give_port', {}),
  );
  const from = await ask.text(message('ask_sender', {}), '', mailProblem);
  const server = { host, port: Number(port), tls, from };
  if (tls === 'none') return server;
  const user = await ask.text(message('ask_mail_user', {}), from);
  return {
    ...server,
    user,
    passwordEnv: await ask.variable(message('ask_password_variable', {}), 'MAIL_PASSWORD'),
  };
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
  if (!(await dialogue.confirm(message('ask_test_mail', { to })))) return;
  try {
    const write = sayIn(notify?.language);
    const text = `${write(message('test_mail_text', {}))}\n`;
    const { refused } = await sendMail(
      { configFolder: dirname(resolve(file)), environment, smtp },
      { to, subject: write(message('test_mail_subject', {})), text, key: randomUUID() },
      new AbortController().signal,
    );
    const end =
      refused.length === 0
        ? message('test_mail_sent', {})
        : message('recipients_refused', { refused: [...refused] });
    dialogue.say(say(end));
  } catch (error) {
    const { said, actions } = reasonOf(error);
    dialogue.say(reasonText({ said: message('test_mail_not_sent', { why: said }), actions }, say));
  }
}

function timeOf(given: string): [number, number] | undefined {
  const [, hour, minute] = /^(\d{1,2})[:.](\d{2})$/.exec(given) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return [Number(hour), Number(minute)];
}

function mailProblem(given: string): Message | undefined {
  return given === '' || /^\S+@\S+$/.test(given) ? undefined : message('give_mail_address', {});
}

/** Questions that are repeated until the answer is valid. */
class Questions {
  readonly #dialogue: Dialogue;

  constructor(dialogue: Dialogue) {
    this.#dialogue = dialogue;
  }

  confirm(question: Message): Promise<boolean> {
    return this.#dialogue.confirm(question);
  }

  /** @param check returns why an answer is invalid; by default, an empty answer is */
  async text(
    question: Message,
    otherwise: string,
    check: (given: string) => Message | undefined = (given) =>
      given === '' ? message('answer_needed', {}) : undefined,
  ): Promise<string> {
    for (;;) {
      const asked = say(question);
      const shown = otherwise === '' ? `${asked}:` : `${asked} [${otherwise}]`;
      const given = (await this.#dialogue.ask(shown)) || otherwise;
      const problem = check(given);
      if (problem === undefined) return given;
      this.#dialogue.say(say(problem));
    }
  }

  variable(question: Message, otherwise: string): Promise<string> {
    return this.text(question, otherwise, (given) =>
      // Capitals only, so that a secret that is pasted by mistake does not end up in the file.
      /^[A-Z_][A-Z0-9_]*$/.test(given) ? undefined : message('give_variable_name', {}),
    );
  }

  /** Numbers the choices from 1. @returns the name of one */
  async choice(
    question: Message,
    choices: readonly (readonly [name: string, says: Message])[],
  ): Promise<string> {
    for (;;) {
      const answer = await this.#dialogue.choose(
        question,
        choices.map(([, says], at) => ({ key: String(at + 1), says })),
      );
      const [name] = choices[Number(answer) - 1] ?? [];
      if (name !== undefined) return name;
      this.#dialogue.say(say(message('answer_with_number', { choices: choices.length })));
    }
  }
}
