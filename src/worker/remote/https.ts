/**
 * Requests to addresses of the configuration, over https alone.
 *
 * The address that is connected to is checked, not the one that an earlier lookup gave: a name may resolve to a public
 * address first and to a private one a moment later (DNS rebinding).
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { type Address, addressProblem } from '../config/remotes.ts';
import { PATIENCE_MS } from './connect.ts';
import { type ConnectionContext, readConfigured, secretFrom } from './connection-context.ts';
import { isPublicAddress } from './public-address.ts';

export interface HttpsOptions {
  allowPrivate: boolean;
  /** PEM of a private certificate authority, in addition to the usual ones. */
  ca?: string;
  /** Resolves names. */
  lookup?: typeof systemLookup;
}

type Lookup = Parameters<LookupFunction>;

/** Opens an agent for https requests; the caller must close it. */
export function openHttps(options: HttpsOptions): Agent {
  return new Agent({
    allowH2: false,
    connect: guardedConnector(options),
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  });
}

function guardedConnector({
  allowPrivate,
  ca,
  lookup = systemLookup,
}: HttpsOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: PATIENCE_MS,
    allowH2: false,
    ...(ca === undefined ? {} : { ca: [...getCACertificates(), ca] }),
    lookup: allowPrivate ? lookup : publicLookup(lookup),
  });
  return (options, done) => {
    // A literal is not looked up.
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (allowPrivate || isIP(literal) === 0 || isPublicAddress(literal)) return connect(options, done);
    return done(refusedAddress(options.hostname), null);
  };
}

/** Connects, checks the certificate, and sends nothing: a request would count as a ping or a message. */
export async function reach(
  address: Address,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const { host, hostname, port, href } = urlOf(address, context);
  const connect = guardedConnector({
    allowPrivate: address.allowPrivate === true,
    ...caOf(address, context),
  });
  await new Promise<void>((resolve, reject) => {
    connect({ host, hostname, port, protocol: 'https:' }, (error, socket) => {
      socket?.destroy();
      if (error === null) resolve();
      else reject(inWords(error, new URL(href), signal));
    });
  });
}

/** @throws ShelfliftError `remote_away` (an outage) if the server cannot be reached; refusals of `openHttps` unchanged */
export async function ask(
  url: URL,
  options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
  around: { agent: Agent; signal: AbortSignal },
): Promise<Dispatcher.ResponseData> {
  try {
    const { agent, signal } = around;
    return await request(url, { dispatcher: agent, signal, ...options });
  } catch (error) {
    throw inWords(error, url, around.signal);
  }
}

/**
 * Sends something to an address of the configuration.
 *
 * @param sent.suffix appended to the path of the address
 * @throws ShelfliftError `remote_away`, also for a temporary status other than 2xx, `remote_refused` for others
 */
export async function post(
  address: Address,
  sent: { suffix?: string; headers: Record<string, string>; body: string },
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const url = urlOf(address, context);
  url.pathname = url.pathname.replace(/\/$/, sent.suffix === undefined ? '$&' : '') + (sent.suffix ?? '');
  const agent = openHttps({ allowPrivate: address.allowPrivate === true, ...caOf(address, context) });
  try {
    const { headers, body } = sent;
    const answer = await ask(
      url,
      { method: 'POST', headers: { 'user-agent': 'shelflift', ...headers }, body },
      { agent, signal },
    );
    await answer.body.dump();
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return;
    const told = message('answers_status', { host: url.host, status });
    if (isLater(status)) throw new ShelfliftError('remote_away', told);
    throw new UsageError('remote_refused', told);
  } finally {
    await agent.destroy();
  }
}

/** True for a status that is probably temporary. */
export function isLater(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/** The connection error as a text, without the path of the address, which may be secret. */
export function inWords(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (error instanceof ShelfliftError || signal.aborted) return error;
  const { message: told, code } = error as { message: string; code?: string };
  const reason = told === '' ? code : told;
  const said = message('host_away', { host: url.host, ...(reason === undefined ? {} : { reason }) });
  return new ShelfliftError('remote_away', said, { cause: error });
}

/** @throws UsageError `no_secret`, `remote_refused`, and the errors of key files */
export function urlOf(address: Address, context: Omit<ConnectionContext, 'smtp'>): URL {
  const text = address.url ?? secretFrom({ variable: address.urlEnv, file: address.urlFile }, context) ?? '';
  const problem = addressProblem(text);
  if (problem === undefined) return new URL(text);
  throw new UsageError(
    'remote_refused',
    message('address_refused', { address: describeAddress(address), problem }),
  );
}

export function caOf({ caFile }: Address, context: Pick<ConnectionContext, 'configFolder'>): { ca?: string } {
  return caFile === undefined ? {} : { ca: readConfigured(caFile, context, false) };
}

/** An address for people and logs, without the query, which may hold a token. */
export function describeAddress({ url, urlEnv, urlFile }: Address): string {
  if (url === undefined || !URL.canParse(url)) return urlEnv ?? urlFile ?? '';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function publicLookup(lookup: typeof systemLookup): LookupFunction {
  return (hostname: Lookup[0], options: Lookup[1], done: Lookup[2]) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const open = error === null ? found.filter(({ address }) => isPublicAddress(address)) : [];
      const [first] = open;
      if (error !== null) done(error, '');
      else if (first === undefined) done(refusedAddress(hostname), '');
      else if (options.all === true) done(null, open);
      else done(null, first.address, first.family);
    });
  };
}

function refusedAddress(host: string): UsageError {
  return new UsageError('remote_refused', message('private_address', { host }), {
    actions: [{ do: 'byHand', label: message('allow_private', {}) }],
  });
}
