/**
 * `shelflift ui`: the page for the browser of this machine's user.
 *
 * A request passes, in this order: its origin (guards/request-guard.ts), its sender (a session, opened by a
 * one-time token, of a process of this user), and for a write the form's token and account. Only then a screen sees it.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import type { ClientOptions } from '../api/client.ts';
import { stateFolder } from '../base/config.ts';
import { systemClock } from '../base/clock.ts';
import { isPostgresLocation } from '../ledger/postgres/location.ts';
import { storeOf } from '../account/store-of.ts';
import type { TargetChoice } from '../account/target.ts';
import { UsageError } from '../base/errors.ts';
import { listen } from '../base/listen.ts';
import { message } from '../messages/message.ts';
import { asset } from './assets.ts';
import { problem, PROBLEM_TEXTS } from './problem.ts';
import { isOwnUser } from './guards/peer.ts';
import { refusalOf } from './guards/request-guard.ts';
import { SAFE_HEADERS } from './guards/response-headers.ts';
import { inAccount, refusedForm, Sessions } from './guards/sessions.ts';
import { Instance, KNOCK_PATH } from './instance.ts';
import { isForgotten } from './jobs/discard.ts';
import { Accounts } from './jobs/accounts.ts';
import { Passwords } from './jobs/passwords.ts';
import type { JobWaits, Workspace } from './jobs/workspace.ts';
import { SCREENS } from './screens/screens.ts';
import { Spool, type Upload } from './spool.ts';
import { LANGUAGES, preferred, wording } from './texts.ts';
import { MAX_FORM_BYTES, THEMES, type Ui, type UiApp, type UiContext, type UiEnv } from './ui.ts';

export interface UiOptions {
  /** `--sandbox`, `--profile`, `--api-url`. */
  choice: TargetChoice;
  store?: string;
  /** 0 chooses a free port. Default: always the same port, if it is free. */
  port?: number;
  environment: NodeJS.ProcessEnv;
  settings: Pick<ClientOptions, 'maxRate' | 'maxConcurrency'> & { timeoutMs: number };
  waits?: JobWaits;
  /** Schedules and watched folders to show; the page creates it if it does not exist. Default: in the page's own folder. */
  configFile?: string;
  /** A file to import, by its path on this machine. */
  file?: string;
}

/** Disposing it stops all jobs, which stay resumable, and closes the page. */
export interface RunningUi extends AsyncDisposable {
  /** Opens the page once. */
  url: string;
  /** Resolves when a person has pressed the button that ends the page. */
  left: Promise<void>;
}

const USUAL_PORT = 4748;
const HOST = '127.0.0.1';
/** Time for the last page to load its style. */
const LAST_WORD_MS = 1500;
const SWEEP_EVERY_MS = 3600 * 1000;
/** Maximum time to receive the headers of a request; an upload may take longer. */
const HEADERS_WITHIN_MS = 10_000;

/**
 * Opens the page that already runs for this store, or serves a new one.
 *
 * @returns an address to open; and the server, if this process serves
 * @throws UsageError `port_in_use`, `cannot_listen`, and those of the file
 */
export async function openUi(options: UiOptions): Promise<{ url: string; served?: RunningUi }> {
  const folder = uiFolder(options);
  const spool = new Spool(join(folder, 'spool'));
  const instance = new Instance(folder);
  const path = options.file === undefined ? '/' : await bringIn(options.file, spool);
  const running = await instance.openRunning(path);
  if (running !== undefined) return { url: running };
  const served = await serve(options, { folder, spool, instance, path });
  return { url: served.url, served };
}

/** Jobs are gone only if their own store says so: the current store may be locked, or belong to another account. */
async function isGone({ job, earlier = [] }: Upload, workspace: Workspace | undefined): Promise<boolean> {
  if (workspace === undefined) return false;
  for (const each of [...earlier, ...(job === undefined ? [] : [job])])
    if (!(await isForgotten(each, workspace.ledger))) return false;
  return true;
}

/** The page's folder: beside the store, which is as private; for a store on a server, in the user's state folder. */
function uiFolder({ choice, store, environment }: UiOptions): string {
  const location = storeOf({ ...choice, ...(store === undefined ? {} : { store }) }, environment);
  return join(isPostgresLocation(location) ? stateFolder(environment) : dirname(location), 'ui');
}

async function bringIn(file: string, spool: Spool): Promise<string> {
  const path = resolve(file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new UsageError('no_such_file', message('no_file_to_open', { path }), {
      actions: [{ do: 'byHand', label: message('check_its_name', {}) }],
    });
  }
  const upload = await spool.add(basename(path), createReadStream(path), { expectedBytes: found.size });
  return `/file/${upload.id}`;
}

async function serve(
  options: Omit<UiOptions, 'file'>,
  { folder, spool, instance, path }: { folder: string; spool: Spool; instance: Instance; path: string },
): Promise<RunningUi> {
  const { choice, store, port: wanted, environment, settings, waits } = options;
  const sessions = new Sessions(systemClock);
  const stopping = new AbortController();
  const passwords = new Passwords(environment);
  const accounts = new Accounts({
    filePassword: passwords.of,
    choice,
    environment,
    settings,
    ...(waits === undefined ? {} : { waits }),
    folder,
    signal: stopping.signal,
    ...(store === undefined ? {} : { store }),
  });
  const left = Promise.withResolvers<void>();
  const ui: Ui = {
    quit: () => void setTimeout(left.resolve, LAST_WORD_MS),
    accounts,
    spool,
    passwords,
    folder,
    configFile: options.configFile ?? join(folder, 'shelflift.yaml'),
    environment,
    timeoutMs: settings.timeoutMs,
    signal: stopping.signal,
  };
  const server = createServer({ requireHostHeader: true });
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = 0;
  const port = await listenSomewhere(server, wanted);
  const address = (to: string) => `http://${HOST}:${port}${to}?token=${sessions.newToken()}`;
  const app = createApp(ui, { sessions, instance, port, address });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) outgoing.setHeader(name, value);
    const { method = '', url = '', headers } = incoming;
    const refusal = refusalOf({ method, url, headers }, port);
    if (refusal === undefined) {
      void listener(incoming, outgoing);
      return;
    }
    // The rest of a refused body is not read.
    outgoing.setHeader('Connection', 'close');
    outgoing.writeHead(refusal.status, { 'Content-Type': 'text/plain; charset=utf-8' });
    outgoing.end(`${PROBLEM_TEXTS.en.refused}\n`, () => incoming.destroy());
  });
  await instance.announce(port);
  const sweep = () =>
    spool.sweep(async (upload) => isGone(upload, await accounts.inStore(upload.store)), Date.now());
  const timer = setInterval(() => void sweep().catch(() => undefined), SWEEP_EVERY_MS);
  timer.unref();
  void sweep().catch(() => undefined);
  const end = async () => {
    clearInterval(timer);
    stopping.abort();
    await instance.withdraw();
    await accounts[Symbol.asyncDispose]();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  let ending: Promise<void> | undefined;
  return {
    url: address(path),
    left: left.promise,
    [Symbol.asyncDispose]: () => (ending ??= end()),
  };
}

interface Doors {
  sessions: Sessions;
  instance: Instance;
  port: number;
  address: (path: string) => string;
}

function createApp(ui: Ui, { sessions, instance, port, address }: Doors): UiApp {
  const app: UiApp = new Hono<UiEnv>();
  const cookie = `shelflift-${port}`;
  app.get('/assets/:name', async (c) => {
    const found = await asset(c.req.param('name'));
    return found === undefined
      ? c.text('', 404)
      : c.body(new Uint8Array(found.body), 200, { 'Content-Type': found.type });
  });
  app.use(async (c, next) => {
    const language = LANGUAGES.find((each) => each === getCookie(c, 'shelflift-language'));
    const theme = THEMES.find((each) => each === getCookie(c, 'shelflift-theme'));
    const spoken = language ?? preferred(c.req.header('Accept-Language'));
    const look = { language: spoken, theme: theme ?? 'auto', words: wording(spoken) };
    c.set('visitor', { ...look, session: { formToken: '' } });
    return next();
  });
  app.use(bodyLimitUnlessUpload());
  app.post(KNOCK_PATH, async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined);
    // Only paths of this page, so that the address that is opened cannot lead elsewhere.
    const answer = instance.answer(body, (path) =>
      address(/^\/(file\/[0-9a-f]{16})?$/.test(path) ? path : '/'),
    );
    if (!isOwnUser(c.env.incoming.socket)) return c.text('', 403);
    return answer === undefined ? c.text('', 403) : c.json(answer);
  });
  app.use(async (c, next) => {
    const token = c.req.method === 'GET' ? c.req.query('token') : undefined;
    if (token !== undefined) {
      // The token stays valid for its owner.
      if (!isOwnUser(c.env.incoming.socket)) return c.text(`${PROBLEM_TEXTS.en.refused}\n`, 403);
      const opened = sessions.redeem(token);
      if (opened === undefined) return problem(c, 'oldLink', 401);
      setCookie(c, cookie, opened, { httpOnly: true, sameSite: 'Strict', path: '/' });
      return c.redirect(c.req.path.startsWith('//') ? '/' : c.req.path, 303);
    }
    const session = sessions.find(getCookie(c, cookie));
    if (session === undefined) return problem(c, 'noSession', 401);
    if (!isOwnUser(c.env.incoming.socket)) return c.text(`${PROBLEM_TEXTS.en.refused}\n`, 403);
    const workspace = await ui.accounts.current();
    if (workspace !== undefined) c.set('workspace', workspace);
    c.set('visitor', { ...c.var.visitor, session: inAccount(session, workspace?.account) });
    c.set('form', new URLSearchParams());
    if (c.req.method === 'POST' && !isUpload(c)) {
      c.set('form', new URLSearchParams(await c.req.text()));
      const given = c.req.header('X-Form-Token') ?? c.var.form.get('_token') ?? undefined;
      const refused = refusedForm(c.var.visitor.session, given);
      if (refused === 'badForm') return problem(c, refused, 403);
      if (refused !== undefined && !isOfNoAccount(c.req.path)) return problem(c, refused, 409);
    }
    return next();
  });
  // An old tab asks whether it may continue.
  app.get('/session', (c) => c.body(null, 204));
  app.post('/preferences', (c) => {
    const { form } = c.var;
    const year = { maxAge: 365 * 24 * 3600, httpOnly: true, sameSite: 'Strict', path: '/' } as const;
    const language = LANGUAGES.find((each) => each === form.get('language'));
    const theme = THEMES.find((each) => each === form.get('theme'));
    if (language !== undefined) setCookie(c, 'shelflift-language', language, year);
    if (theme !== undefined) setCookie(c, 'shelflift-theme', theme, year);
    const back = form.get('back') ?? '/';
    return c.redirect(/^\/[\w/-]*$/.test(back) && !back.startsWith('//') ? back : '/', 303);
  });
  app.use(async (c, next) => {
    if (c.var.workspace === undefined && !isOfNoAccount(c.req.path)) return c.redirect('/connect', 303);
    return next();
  });
  for (const screen of SCREENS) screen(app, ui);
  app.notFound((c) => problem(c as UiContext, 'notFound', 404));
  app.onError((error, c) => problem(c as UiContext, error, 500));
  return app;
}

/** Screens that need no account, and whose forms mean the same in any. */
function isOfNoAccount(path: string): boolean {
  return /^\/(connect|quit|preferences)/.test(path);
}

/** The upload alone reads its own body, a piece at a time, and checks its token itself. */
function isUpload(c: { req: { path: string; header(name: string): string | undefined } }): boolean {
  return c.req.path === '/file' && (c.req.header('Content-Type') ?? '').startsWith('multipart/form-data');
}

function bodyLimitUnlessUpload() {
  const limit = bodyLimit({
    maxSize: MAX_FORM_BYTES,
    onError: (c) => problem(c as UiContext, new UsageError('bad_upload', message('form_too_large', {})), 413),
  });
  return (c: UiContext, next: () => Promise<void>) => (isUpload(c) ? next() : limit(c, next));
}

/** The usual port makes the same bookmark work each day; if another program uses the port, a free one is chosen. */
async function listenSomewhere(server: Server, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return listen(server, wanted, HOST);
  try {
    return await listen(server, USUAL_PORT, HOST);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return listen(server, 0, HOST);
  }
}
