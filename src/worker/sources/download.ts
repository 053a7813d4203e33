/** Downloads a file over https: redirects are followed only to allowed hosts, and size and time are limited. */
import type { Agent, Dispatcher } from 'undici';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { ask, inWords, isLater } from '../remote/https.ts';
import { writeBounded } from './write-bounded.ts';

export interface Download {
  sha256: string;
  /** The server's identifier of this version of the file. */
  etag?: string;
}

export interface DownloadOptions {
  agent: Agent;
  /** Hosts that the address may redirect to, besides its own. */
  redirects: readonly string[];
  /** ETag of the known version. */
  etag: string | undefined;
  maxBytes: number;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Google serves the content of a published sheet from hosts of its own. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  'docs.google.com': ['*.googleusercontent.com'],
};

/**
 * @param to path of the file to write; the file is either complete or absent
 * @returns undefined if the file has not changed
 * @throws ShelfliftError `remote_away` (an outage), `remote_missing`, `remote_refused`
 */
export async function download(
  url: URL,
  to: string,
  { agent, redirects, etag, maxBytes, signal }: DownloadOptions,
): Promise<Download | undefined> {
  const headers = {
    // A compressed body would not be the file whose hash is compared.
    'accept-encoding': 'identity',
    'user-agent': 'shelflift',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  };
  for (let at = url, count = 0; ; count += 1) {
    const answer = await ask(at, { method: 'GET', headers }, { agent, signal });
    if (REDIRECTS.includes(answer.statusCode)) {
      await answer.body.dump();
      if (count === MAX_REDIRECTS)
        throw refused(message('redirects_too_often', { host: url.host, times: MAX_REDIRECTS }));
      at = redirectedTo(at, answer.headers['location']?.toString() ?? '', [url.host, ...redirects]);
      continue;
    }
    if (answer.statusCode === 304 && etag !== undefined) {
      await answer.body.dump();
      return undefined;
    }
    checkAnswer(at, answer);
    try {
      const sha256 = await writeBounded(answer.body, to, maxBytes, url.host);
      const named = answer.headers['etag'];
      return { sha256, ...(typeof named === 'string' ? { etag: named } : {}) };
    } catch (error) {
      throw inWords(error, at, signal);
    }
  }
}

/** @throws UsageError `remote_refused` */
function redirectedTo(from: URL, location: string, allowed: readonly string[]): URL {
  if (!URL.canParse(location, from.href)) throw refused(message('redirects_nowhere', { host: from.host }));
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:')
    throw refused(message('redirects_insecure', { host: from.host, to: `${to.protocol}//${to.host}` }));
  const hosts = [...allowed, ...(BUILT_IN[from.host] ?? [])];
  if (hosts.some((host) => matches(to, host))) return to;
  throw refused(
    message('redirects_elsewhere', { host: from.host, to: to.host }),
    from.host in BUILT_IN ? message('publish_sheet', {}) : message('allow_redirect', { host: to.host }),
  );
}

function matches({ host, hostname }: URL, allowed: string): boolean {
  const wanted = allowed.toLowerCase();
  if (wanted.startsWith('*.')) return hostname.endsWith(wanted.slice(1));
  return host === wanted;
}

function checkAnswer(
  url: URL,
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
): void {
  if (statusCode === 200) {
    const [encoding = 'identity', type = ''] = ['content-encoding', 'content-type'].map((name) =>
      headers[name]?.toString(),
    );
    if (encoding !== 'identity') throw refused(message('sent_compressed', { host: url.host, encoding }));
    if (/^text\/html\b/i.test(type))
      throw refused(message('sent_web_page', { host: url.host }), message('use_file_address', {}));
    return;
  }
  const told = message('answers_status', { host: url.host, status: statusCode });
  if (isLater(statusCode)) throw new ShelfliftError('remote_away', told);
  if (statusCode === 404 || statusCode === 410)
    throw new ShelfliftError(
      'remote_missing',
      message('host_has_no_file', { host: url.host, status: statusCode }),
    );
  throw refused(told);
}

function refused(said: Message, todo?: Message): UsageError {
  const actions = todo === undefined ? [] : [{ do: 'byHand', label: todo } as const];
  return new UsageError('remote_refused', said, { actions });
}
