/**
 * Screen 11: files for somebody else or for oneself. These are the library's reports and exports, kept in
 * a private folder.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ITEM_STATUSES } from '../../../api/schemas.ts';
import { ShelfliftError, UsageError } from '../../../base/errors.ts';
import { exportItems, readSalesSummary } from '../../../export/export.ts';
import type { ExportEvent } from '../../../export/read/source.ts';
import { firstItems } from '../../../export/read/first-items.ts';
import type { ExportRequest } from '../../../export/request.ts';
import { parseWhere } from '../../../where/where.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import type { ImportEvent } from '../../../import/job/events.ts';
import { makeFolder } from '../../../base/make-folder.ts';
import { writeReportFile } from '../../../reports/report.ts';
import { progressEvents } from '../../jobs/progress.ts';
import { sendFile } from '../../jobs/send-file.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import { problem } from '../../problem.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { previewFile } from '../file/preview.ts';
import { collectionsOf } from '../file/collection.ts';
import { TEXTS } from './texts.ts';
import {
  type ReportChoices,
  FORMS,
  type ReportPreview,
  makingView,
  previewView,
  READERS,
  reportsView,
} from './view.ts';

const RUN = 'reports';
const FIRST_SHOWN = 10;
/** Maximum time for a preview, because a person waits for it. */
const LOOK_WITHIN_MS = 20_000;
const PATIENCE = { neverReachedMs: 5000, outageMs: 5000 };
/** Names are made here and nowhere else: day, time, reader, ending. */
const NAME = /^[a-z]+-\d{4}-\d{2}-\d{2}-\d{6}\.(html|xlsx|csv)$/;

export function reportsScreen(app: UiApp, ui: Ui): void {
  const folderOf = ({ var: { workspace } }: UiContext) => join(ui.folder, 'reports', workspace.client.laneId);
  app.get('/reports', (c) => show(c, folderOf(c)));
  app.post('/reports', async (c) => {
    const { workspace, form } = c.var;
    const folder = folderOf(c);
    const asked = askedOf(form);
    try {
      for (const expression of asked.where) parseWhere(expression);
    } catch (error) {
      if (error instanceof UsageError) return show(c, folder, { asked, problem: error });
      throw error;
    }
    if (form.get('do') === 'look') return look(c, asked, folder);
    const work = async ({ signal, emit }: JobDeps) => {
      makeFolder(folder, 0o700);
      await make(asked, folder, { workspace, signal, emit });
      return undefined;
    };
    await workspace.start(RUN, 'reporting', work, { asked });
    return c.redirect('/reports', 303);
  });
  app.get('/reports/:name', async (c) => {
    const name = c.req.param('name');
    return NAME.test(name) ? sendFile(c, join(folderOf(c), name), name) : problem(c, 'notFound', 404);
  });
  app.get('/reports/:name/preview', async (c) => {
    const { visitor } = c.var;
    const name = c.req.param('name');
    if (!NAME.test(name) || name.endsWith('.html')) return problem(c, 'notFound', 404);
    const preview = await previewFile(join(folderOf(c), name), {}, async () => undefined);
    if (preview.problem !== undefined) return problem(c, preview.problem, 422);
    const { title } = TEXTS[visitor.language];
    return render(c, { title, body: previewView(visitor, name, preview), wide: true });
  });
  app.get('/reports/:name/view', async (c) => {
    const name = c.req.param('name');
    const text =
      NAME.test(name) && name.endsWith('.html')
        ? await readFile(join(folderOf(c), name), 'utf8').catch(() => undefined)
        : undefined;
    // A report names its own style and script by their hashes, and nothing else may run in it.
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text ?? '')?.[1];
    if (text === undefined || policy === undefined) return problem(c, 'notFound', 404);
    const own = policy.replaceAll('&#39;', "'");
    return c.html(text, 200, { 'Content-Security-Policy': `${own}; frame-ancestors 'none'` });
  });
  app.post('/reports/:name/remove', async (c) => {
    const name = c.req.param('name');
    if (NAME.test(name)) await rm(join(folderOf(c), name), { force: true });
    return c.redirect('/reports', 303);
  });
  progressEvents(app, ui, '/reports-events', () => '/reports', RUN);
}

async function show(
  c: UiContext,
  folder: string,
  tried?: { asked: ReportChoices; problem?: ShelfliftError; look?: ReportPreview },
): Promise<Response> {
  const { visitor, workspace } = c.var;
  const run = workspace.run(RUN);
  const { title } = TEXTS[visitor.language];
  if (run !== undefined && !run.isOver) return render(c, { title, body: makingView(visitor, run) });
  const body = reportsView(visitor, {
    files: await filesIn(folder),
    collections: await collectionsOf(workspace),
    asked: tried?.asked,
    look: tried?.look,
    failure: tried === undefined ? run?.error : tried.problem,
  });
  return render(c, { title, body }, tried?.problem === undefined ? 200 : 422);
}

function askedOf(form: URLSearchParams): ReportChoices {
  const text = (key: string) => (form.get(key) ?? '').trim();
  return {
    reader: READERS.find((each) => each === form.get('for')) ?? 'yourself',
    currency: text('currency'),
    collection: text('collection'),
    status: ITEM_STATUSES.find((each) => each === text('status')) ?? '',
    // One expression per line: all of them must be true.
    where: text('where')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    form: FORMS.find((each) => each === form.get('form')) ?? 'xlsx',
  };
}

/** A preview of the file; nothing is written. */
async function look(c: UiContext, asked: ReportChoices, folder: string): Promise<Response> {
  const { client } = c.var.workspace;
  const { reader } = asked;
  const deps = { client, patience: PATIENCE, signal: AbortSignal.timeout(LOOK_WITHIN_MS) };
  try {
    if (reader === 'accountant') {
      const sales = await readSalesSummary(deps);
      return await show(c, folder, { asked, look: { sales } });
    }
    const resource = reader === 'marketplace' ? 'listings' : 'items';
    // The name is checked like the name of a file; nothing is written.
    makeFolder(folder, 0o700);
    const request = { resource, ...filtersOf(asked), out: join(folder, 'first.csv') } as const;
    const found = await firstItems(request, deps, FIRST_SHOWN);
    return await show(c, folder, { asked, look: found });
  } catch (error) {
    if (error instanceof ShelfliftError) return show(c, folder, { asked, problem: error });
    throw error;
  }
}

function filtersOf({
  collection,
  status,
  where,
}: ReportChoices): Pick<ExportRequest, 'collection' | 'status' | 'where'> {
  return {
    ...(collection === '' ? {} : { collection }),
    ...(status === '' ? {} : { status }),
    ...(where.length === 0 ? {} : { where }),
  };
}

async function make(
  asked: ReportChoices,
  folder: string,
  {
    workspace,
    signal,
    emit,
  }: { workspace: Workspace; signal: AbortSignal; emit: (event: ImportEvent) => void },
): Promise<void> {
  const { client, ledger } = workspace;
  const { reader, currency, form } = asked;
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const [own = 'xlsx', locale] = form.split(':');
  const ending = reader === 'insurer' ? 'html' : reader === 'yourself' ? own : 'xlsx';
  const out = join(folder, `${reader}-${stamp}.${ending}`);
  let rows = 0;
  let total: number | undefined;
  const onEvent = (event: ExportEvent) => {
    if (event.type === 'read') rows = Math.max(rows, event.seen);
    if (event.type === 'counted') total = event.entries;
    emit(
      total === undefined
        ? { type: 'staging', rows }
        : { type: 'checking', done: Math.min(rows, total), total },
    );
  };
  const deps = { client, values: ledger.values, knownItems: ledger.items, signal, onEvent };
  emit({ type: 'staging', rows: 0 });
  const filters = filtersOf(asked);
  if (reader === 'yourself') {
    await exportItems({ ...deps, ...filters, out, ...(locale === undefined ? {} : { locale }) });
    return;
  }
  const report = ({ insurer: 'inventory', accountant: 'sales', marketplace: 'listings' } as const)[reader];
  const of = report === 'sales' ? {} : filters;
  await writeReportFile({ report, out, ...of, ...(currency === '' ? {} : { currency }) }, deps);
}

async function filesIn(folder: string): Promise<{ name: string; at: number; bytes: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => NAME.test(name))
      .map(async (name) => {
        const { mtimeMs, size } = await stat(join(folder, name));
        return { name, at: mtimeMs, bytes: size };
      }),
  );
  return files.sort((a, b) => b.at - a.at);
}
